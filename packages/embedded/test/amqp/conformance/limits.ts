import { expect, it } from '@jest/globals';
import type { ConfirmChannel, ConsumeMessage, Message } from 'amqplib';
import { consume, drain, type Fixture, nextIn, send, take, textOf, untilReady } from '../fixture.ts';

interface Death {
  readonly count: number;
  readonly reason: string;
  readonly queue: string;
  readonly exchange: string;
  readonly 'routing-keys': string[];
  readonly 'original-expiration'?: string;
}

/** Limits of queues: time to live, length, dead letters, deliveries. */
export function limitTests(fixture: Fixture): void {
  it('drops messages when the time of the queue is over', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { messageTtl: 50 });
    await send(channel, queue, ['1', '2']);
    await untilReady(channel, queue, 0);
  });

  it('takes the shorter of the times of queue and message, and looks at the head alone', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { messageTtl: 60_000 });
    await send(channel, queue, ['stays']);
    await send(channel, queue, ['hidden'], { expiration: 1 });
    await untilReady(channel, queue, 2);
    expect(textOf(await nextIn(channel, queue))).toBe('stays');
    await untilReady(channel, queue, 0);
  });

  it('gives a message with a time to live of zero to a waiting consumer only', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { messageTtl: 0 });
    await send(channel, queue, ['late']);
    await untilReady(channel, queue, 0);
    const inbox = await consume(channel, queue, { noAck: true });
    await send(channel, queue, ['in time']);
    await inbox.until(1);
    expect(inbox.texts).toEqual(['in time']);
  });

  it('drops the oldest over its length', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { maxLength: 2 });
    await send(channel, queue, ['1', '2', '3', '4']);
    await untilReady(channel, queue, 2);
    expect(await drain(channel, queue)).toEqual(['3', '4']);
  });

  it('refuses publishes to a full queue that is told so, with a nack', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { maxLength: 2, overflow: 'reject-publish' });
    const accepted: boolean[] = [];
    for (const text of ['1', '2', '3']) {
      const isAccepted = new Promise<boolean>((resolve) => {
        channel.sendToQueue(queue, Buffer.from(text), {}, (error) => resolve(error === null));
      });
      accepted.push(await isAccepted);
    }
    expect(accepted).toEqual([true, true, false]);
    expect(await drain(channel, queue)).toEqual(['1', '2']);
  });

  it('dead-letters what is rejected, with the whole story in its headers', async () => {
    const { channel, source, target, exchange } = await declareDeadLetters(fixture, {
      deadLetterRoutingKey: 'dead',
    });
    await channel.bindQueue(source, exchange, 'alive');
    channel.publish(exchange, 'alive', Buffer.from('x'), { headers: { kept: 'yes' }, persistent: true });
    await channel.waitForConfirms();
    channel.reject(await take(channel, source), false);
    const dead = await nextIn(channel, target);
    expect(dead.fields).toMatchObject({ exchange, routingKey: 'dead' });
    expect(dead.properties.headers).toMatchObject({ kept: 'yes' });
    expect(deathsOf(dead)).toEqual([
      expect.objectContaining({
        count: 1,
        reason: 'rejected',
        queue: source,
        exchange,
        'routing-keys': ['alive'],
      }),
    ]);
  });

  it('dead-letters what expires under its own routing key, the expiration taken off', async () => {
    const { channel, source, target, exchange } = await declareDeadLetters(fixture);
    await channel.bindQueue(target, exchange, source);
    await send(channel, source, ['x'], { expiration: 20 });
    const dead = await nextIn(channel, target);
    expect(dead.properties.expiration).toBeUndefined();
    expect(deathsOf(dead)).toEqual([
      expect.objectContaining({ count: 1, reason: 'expired', queue: source, 'original-expiration': '20' }),
    ]);
  });

  it('dead-letters what is too much, first come first', async () => {
    const { channel, source, target } = await declareDeadLetters(fixture, {
      maxLength: 1,
      deadLetterRoutingKey: 'dead',
    });
    await send(channel, source, ['1', '2', '3']);
    await untilReady(channel, target, 2);
    const [first, second] = [await nextIn(channel, target), await nextIn(channel, target)];
    expect([textOf(first), textOf(second)]).toEqual(['1', '2']);
    expect(deathsOf(first)[0]).toMatchObject({ reason: 'maxlen', queue: source });
  });

  it('counts the deaths of one queue and one reason together, the latest first', async () => {
    const { channel, source, target, exchange } = await declareDeadLetters(fixture, {
      deadLetterRoutingKey: 'dead',
    });
    await channel.bindQueue(source, exchange, 'again');
    await send(channel, source, ['x']);
    for (let round = 0; round < 2; round += 1) {
      channel.reject(await take(channel, source), false);
      const dead = await nextIn(channel, target);
      channel.publish(exchange, 'again', dead.content, { headers: dead.properties.headers });
      await channel.waitForConfirms();
    }
    const last = await nextIn(channel, source);
    expect(deathsOf(last)).toEqual([
      expect.objectContaining({ count: 2, reason: 'rejected', queue: source }),
    ]);
  });

  it('ends a cycle of queues without a rejection', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { messageTtl: 10, deadLetterExchange: '' });
    await send(channel, queue, ['x']);
    await untilReady(channel, queue, 0);
    const waiting = fixture.name('queue');
    await channel.assertQueue(waiting, {
      messageTtl: 10,
      deadLetterExchange: '',
      deadLetterRoutingKey: queue,
    });
    await send(channel, waiting, ['y']);
    await untilReady(channel, waiting, 0);
    await untilReady(channel, queue, 0);
  });

  it('lets a message wait in a queue and come back through its dead letters', async () => {
    const channel = await fixture.channel();
    const work = await fixture.queue(channel);
    const delay = await fixture.queue(channel, {
      messageTtl: 30,
      deadLetterExchange: '',
      deadLetterRoutingKey: work,
    });
    await send(channel, delay, ['later']);
    const message = await nextIn(channel, work);
    expect(textOf(message)).toBe('later');
    expect(message.fields).toMatchObject({ exchange: '', routingKey: work });
  });

  it('gives up a message of a quorum queue that comes back too often, and counts on the way', async () => {
    const { channel, target, exchange } = await declareDeadLetters(fixture);
    const queue = await fixture.queue(channel, {
      deadLetterExchange: exchange,
      deadLetterRoutingKey: 'dead',
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 2 },
    });
    await send(channel, queue, ['poison']);
    const counts: unknown[] = [];
    await channel.consume(queue, (message) => {
      if (!message) return;
      counts.push(message.properties.headers?.['x-delivery-count'] ?? 0);
      channel.nack(message);
    });
    const dead = await nextIn(channel, target);
    expect(counts).toEqual([0, 1, 2]);
    expect(deathsOf(dead)[0]).toMatchObject({ reason: 'delivery_limit', queue });
  });

  it('gives up a message of a quorum queue after 20 returns from RabbitMQ 4 on; before, there was no limit', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { arguments: { 'x-queue-type': 'quorum' } });
    await send(channel, queue, ['poison']);
    const limit = fixture.isRabbitBefore4() ? 30 : 21;
    const inbox = await consume(channel, queue);
    for (let count = 1; count <= limit; count += 1) {
      const messages = await inbox.until(count);
      channel.nack(messages.at(-1) as ConsumeMessage);
    }
    if (fixture.isRabbitBefore4()) await inbox.until(limit + 1);
    else await untilReady(channel, queue, 0);
    expect(inbox.messages.length).toBe(fixture.isRabbitBefore4() ? limit + 1 : limit);
  });
}

async function declareDeadLetters(fixture: Fixture, options: object = {}) {
  const channel: ConfirmChannel = await fixture.channel();
  const exchange = fixture.name('exchange');
  await channel.assertExchange(exchange, 'direct');
  const target = await fixture.queue(channel);
  await channel.bindQueue(target, exchange, 'dead');
  const source = await fixture.queue(channel, { deadLetterExchange: exchange, ...options });
  return { channel, exchange, source, target };
}

function deathsOf({ properties }: Message): Death[] {
  return (properties.headers?.['x-death'] ?? []) as unknown as Death[];
}
