import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import type { Message } from 'amqplib';
import {
  channelErrorOf,
  consume,
  drain,
  type Fixture,
  nextIn,
  send,
  textOf,
  untilReady,
} from '../fixture.ts';

const MIB = 1024 * 1024;

/** Publishing: confirms, returns, copies, and what is refused. */
export function publishingTests(fixture: Fixture): void {
  it('confirms every publish, whether it was routed or not', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['a', 'b', 'c']);
    await send(channel, fixture.name('nowhere'), ['d']);
    expect(await drain(channel, queue)).toEqual(['a', 'b', 'c']);
  });

  it('confirms many publishes with no more than one confirm for each', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    let confirmed = 0;
    for (let index = 0; index < 500; index += 1) {
      channel.sendToQueue(queue, Buffer.from(`${index}`), { persistent: index % 2 === 0 }, (error) => {
        if (!error) confirmed += 1;
      });
    }
    await channel.waitForConfirms();
    expect(confirmed).toBe(500);
    expect(await drain(channel, queue)).toEqual(Array.from({ length: 500 }, (_, index) => `${index}`));
  });

  it('returns a mandatory message that reaches no queue, before it confirms it', async () => {
    const channel = await fixture.channel();
    const events: string[] = [];
    const returned = once(channel, 'return');
    channel.on('return', () => events.push('return'));
    const options = { mandatory: true, headers: { kept: 1 } };
    const exchange = fixture.name('exchange');
    await channel.assertExchange(exchange, 'direct');
    channel.publish(exchange, fixture.name('nobody'), Buffer.from('back'), options, () =>
      events.push('confirm'),
    );
    const [message] = (await returned) as [Message];
    await channel.waitForConfirms();
    expect(textOf(message)).toBe('back');
    expect(message.fields).toMatchObject({ replyCode: 312, replyText: 'NO_ROUTE', exchange });
    expect(message.properties.headers).toMatchObject({ kept: 1 });
    expect(events).toEqual(['return', 'confirm']);
  });

  it('keeps every property and header as it was sent', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    const properties = {
      contentType: 'application/json',
      contentEncoding: 'utf-8',
      priority: 3,
      correlationId: 'correlation',
      replyTo: 'somewhere',
      messageId: 'message',
      timestamp: 1_700_000_000,
      type: 'kind',
      appId: 'app',
      headers: {
        text: 'grün',
        whole: 7,
        large: 2 ** 40,
        negative: -5,
        fraction: 1.5,
        yes: true,
        nothing: null,
        list: [1, 'two', { three: 3 }],
        table: { inner: { deep: 'x' } },
      },
    };
    await send(channel, queue, ['body'], properties);
    const message = await nextIn(channel, queue);
    expect(message.properties).toMatchObject({ ...properties, deliveryMode: 2 });
  });

  it('carries an empty body and a body of 16 MiB there and back', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    const large = Buffer.alloc(16 * MIB, 'abcdefghij');
    channel.sendToQueue(queue, Buffer.alloc(0), { persistent: true });
    channel.sendToQueue(queue, large, { persistent: true });
    await channel.waitForConfirms();
    const inbox = await consume(channel, queue, { noAck: true });
    const [empty, whole] = await inbox.until(2);
    expect(empty?.content.length).toBe(0);
    expect(whole?.content.equals(large)).toBe(true);
  });

  it('refuses a body over 16 MiB from RabbitMQ 4 on; before, the bound was 128 MiB', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    const tooLarge = Buffer.alloc(16 * MIB + 1);
    if (fixture.isRabbitBefore4()) {
      channel.sendToQueue(queue, tooLarge);
      await channel.waitForConfirms();
      return untilReady(channel, queue, 1);
    }
    const error = await channelErrorOf(channel, () => channel.sendToQueue(queue, tooLarge));
    expect(error.code).toBe(406);
    expect(error.message).toContain('message size 16777217 is larger than');
  });

  it('refuses an expiration that is not a number, and an exchange that does not exist', async () => {
    const first = await fixture.channel();
    const queue = await fixture.queue(first);
    const invalid = await channelErrorOf(first, () =>
      first.sendToQueue(queue, Buffer.from('x'), { expiration: 'soon' }),
    );
    expect(invalid.code).toBe(406);
    expect(invalid.message).toContain("invalid expiration 'soon'");
    const second = await fixture.channel();
    const name = fixture.name('missing');
    const missing = await channelErrorOf(second, () => second.publish(name, '', Buffer.from('x')));
    expect(missing.code).toBe(404);
    expect(missing.message).toContain(`no exchange '${name}' in vhost '/'`);
  });
}
