import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { connect } from 'amqplib';

/** A request and its reply between two processes over a broker. */
export interface BareRoundTrip extends AsyncDisposable {
  go(): Promise<void>;
}

const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
const BYTES = Buffer.alloc(400);

/** Measures the round trip of the broker on this machine: amqplib, direct reply-to, no confirms, no work. */
export async function startBareRoundTrip(amqpUrl: string): Promise<BareRoundTrip> {
  const queue = `gleaner-bench-${process.pid}`;
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const echo = fork(resolve(import.meta.dirname, 'echo-process.ts'), [amqpUrl, queue], { execArgv });
  await Promise.race([once(echo, 'message'), once(echo, 'exit')]);
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  let reply = Promise.withResolvers<void>();
  await channel.consume(REPLY_QUEUE, () => reply.resolve(), { noAck: true });
  return {
    go: () => {
      reply = Promise.withResolvers();
      channel.sendToQueue(queue, BYTES, { replyTo: REPLY_QUEUE, correlationId: '1' });
      return reply.promise;
    },
    async [Symbol.asyncDispose]() {
      echo.disconnect();
      await once(echo, 'exit');
      await connection.close();
    },
  };
}
