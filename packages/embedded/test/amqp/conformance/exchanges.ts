import { expect, it } from '@jest/globals';
import type { ConfirmChannel } from 'amqplib';
import { channelErrorOf, drain, type Fixture } from '../fixture.ts';

/** Pattern, routing key, whether the one matches the other. */
const TOPIC_TABLE: readonly (readonly [pattern: string, key: string, isMatch: boolean])[] = [
  ['a.b', 'a.b', true],
  ['a.b', 'a.c', false],
  ['a.*', 'a.b', true],
  ['a.*', 'a', false],
  ['a.*', 'a.b.c', false],
  ['*.b', 'a.b', true],
  ['*', '', false],
  ['*', 'a', true],
  ['#', '', true],
  ['#', 'a.b.c', true],
  ['a.#', 'a', true],
  ['a.#', 'a.b.c', true],
  ['a.#', 'b.a', false],
  ['#.b', 'b', true],
  ['#.b', 'a.a.b', true],
  ['#.b', 'a.b.a', false],
  ['a.#.b', 'a.b', true],
  ['a.#.b', 'a.x.y.b', true],
  ['a.#.b', 'a.x.y', false],
  ['*.#.*', 'a', false],
  ['*.#.*', 'a.b', true],
  ['#.#', '', true],
  ['#.*.#', '', false],
  ['#.*.#', 'a.b', true],
  ['a..b', 'a..b', true],
  ['a.*.b', 'a..b', true],
  ['a.b.*', 'a.b.', true],
];

/** Exchanges: their types, their bindings, their life. */
export function exchangeTests(fixture: Fixture): void {
  it('sends by the exact key through a direct exchange, once for each queue', async () => {
    const { channel, exchange, queue } = await declare(fixture, 'direct');
    await channel.bindQueue(queue, exchange, 'one');
    await channel.bindQueue(queue, exchange, 'two');
    await channel.bindQueue(queue, exchange, 'two');
    expect(await routed(channel, exchange, queue, ['one', 'two', 'three'])).toEqual(['one', 'two']);
  });

  it('sends to all through a fanout exchange', async () => {
    const { channel, exchange, queue } = await declare(fixture, 'fanout');
    const other = await fixture.queue(channel);
    await channel.bindQueue(queue, exchange, 'ignored');
    await channel.bindQueue(other, exchange, '');
    expect(await routed(channel, exchange, queue, ['a', 'b'])).toEqual(['a', 'b']);
    expect(await drain(channel, other)).toEqual(['a', 'b']);
  });

  it('matches topics as the table says', async () => {
    const { channel, exchange } = await declare(fixture, 'topic');
    const found: (readonly [string, string, boolean])[] = [];
    for (const [pattern, key] of TOPIC_TABLE) {
      const queue = await fixture.queue(channel);
      await channel.bindQueue(queue, exchange, pattern);
      const texts = await routed(channel, exchange, queue, [key]);
      found.push([pattern, key, texts.length === 1]);
      await channel.deleteQueue(queue);
    }
    expect(found).toEqual(TOPIC_TABLE);
  });

  it('must be declared again as it is', async () => {
    const { channel, exchange } = await declare(fixture, 'direct');
    await channel.assertExchange(exchange, 'direct');
    const error = await channelErrorOf(channel, () => channel.assertExchange(exchange, 'topic'));
    expect(error.code).toBe(406);
    expect(error.message).toContain(`inequivalent arg 'type' for exchange '${exchange}' in vhost '/'`);
    expect(error.message).toContain("received 'topic' but current is 'direct'");
  });

  it.each([
    [
      'a new name that begins with amq.',
      403,
      (channel: ConfirmChannel) => channel.assertExchange('amq.mine', 'direct'),
    ],
    [
      'a binding to the default exchange',
      403,
      async (channel: ConfirmChannel) => {
        const { queue } = await channel.assertQueue('', { exclusive: true });
        await channel.bindQueue(queue, '', 'key');
      },
    ],
    [
      'a passive declare of one that is not there',
      404,
      (channel: ConfirmChannel) => channel.checkExchange('not.there'),
    ],
    [
      'a binding from one that is not there',
      404,
      async (channel: ConfirmChannel) => {
        const { queue } = await channel.assertQueue('', { exclusive: true });
        await channel.bindQueue(queue, 'not.there', 'key');
      },
    ],
  ])('refuses %s with %i', async (_, code, act) => {
    const channel = await fixture.channel();
    expect((await channelErrorOf(channel, () => act(channel))).code).toBe(code);
  });
}

async function declare(fixture: Fixture, type: string, options: object = {}) {
  const channel = await fixture.channel();
  const exchange = fixture.name('exchange');
  await channel.assertExchange(exchange, type, options);
  return { channel, exchange, queue: await fixture.queue(channel) };
}

/** Publishes each key as its own message; answers which of them have come to the queue. */
async function routed(channel: ConfirmChannel, exchange: string, queue: string, keys: readonly string[]) {
  for (const key of keys) channel.publish(exchange, key, Buffer.from(key));
  await channel.waitForConfirms();
  return drain(channel, queue);
}
