import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import type { Message } from 'amqplib';
import { channelErrorOf, consume, type Fixture, nextIn, send, textOf } from '../fixture.ts';

const REPLY_TO = 'amq.rabbitmq.reply-to';

/** Direct reply-to: requests and replies without a reply queue. */
export function replyToTests(fixture: Fixture): void {
  it('brings replies straight to the channel that asked', async () => {
    const [client, server] = [await fixture.channel(), await fixture.channel()];
    const queue = await fixture.queue(server, { durable: false });
    const replies = await consume(client, REPLY_TO, { noAck: true });
    await send(client, queue, ['ping'], { replyTo: REPLY_TO, correlationId: '7', persistent: false });
    const request = await nextIn(server, queue);
    expect(request.properties.replyTo).toMatch(/^amq\.rabbitmq\.reply-to\..{8,}$/);
    await send(server, request.properties.replyTo, ['pong'], {
      correlationId: request.properties.correlationId,
    });
    const [reply] = await replies.until(1);
    expect(reply && textOf(reply)).toBe('pong');
    expect(reply?.properties.correlationId).toBe('7');
  });

  it('returns mandatory replies that come too late', async () => {
    const [client, server] = [await fixture.channel(), await fixture.channel()];
    const queue = await fixture.queue(server, { durable: false });
    await consume(client, REPLY_TO, { noAck: true });
    await send(client, queue, ['ping'], { replyTo: REPLY_TO });
    const { replyTo } = (await nextIn(server, queue)).properties;
    await client.close();
    const returned = once(server, 'return');
    server.publish('', replyTo, Buffer.from('late'), { mandatory: true });
    const [message] = (await returned) as [Message];
    expect(message.fields).toMatchObject({ replyCode: 312 });
  });

  it('asks for a consumer before the request, without acknowledgements, and only one', async () => {
    const early = await fixture.channel();
    const queue = await fixture.queue(early);
    const missing = await channelErrorOf(early, () =>
      early.sendToQueue(queue, Buffer.from('x'), { replyTo: REPLY_TO }),
    );
    expect(missing.code).toBe(406);
    expect(missing.message).toContain('fast reply consumer does not exist');
    const acknowledging = await fixture.channel();
    const withAck = await channelErrorOf(acknowledging, () => consume(acknowledging, REPLY_TO));
    expect(withAck.code).toBe(406);
    expect(withAck.message).toContain('reply consumer cannot acknowledge');
    const twice = await fixture.channel();
    await consume(twice, REPLY_TO, { noAck: true });
    const second = await channelErrorOf(twice, () => consume(twice, REPLY_TO, { noAck: true }));
    expect(second.code).toBe(406);
    expect(second.message).toContain('reply consumer already set');
  });

  it('keeps an address for the one request only as long as its consumer', async () => {
    const channel = await fixture.channel();
    const replies = await consume(channel, REPLY_TO, { noAck: true });
    await channel.cancel(replies.consumerTag);
    const error = await channelErrorOf(channel, () =>
      channel.sendToQueue('any', Buffer.from('x'), { replyTo: REPLY_TO }),
    );
    expect(error.code).toBe(406);
  });
}
