/** Sends every message of a queue back to its reply address, using amqplib directly. */
import { connect } from 'amqplib';

const [url = '', queue = ''] = process.argv.slice(2);
const connection = await connect(url);
const channel = await connection.createChannel();
await channel.assertQueue(queue, { exclusive: true });
await channel.consume(
  queue,
  (message) => {
    if (!message) return;
    const { replyTo, correlationId } = message.properties;
    channel.sendToQueue(replyTo, message.content, { correlationId });
  },
  { noAck: true },
);
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
