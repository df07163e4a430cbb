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

/** Binding arguments, headers of the message, whether it goes through. */
const HEADERS_TABLE: readonly (readonly [args: object, headers: object, isMatch: boolean])[] = [
  [{ 'x-match': 'all', a: 1, b: 'x' }, { a: 1, b: 'x', c: 2 }, true],
  [{ 'x-match': 'all', a: 1, b: 'x' }, { a: 1 }, false],
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ 'x-match': 'any', a: 1, b: 'x' }, { b: 'x' }, true],
  [{ 'x-match': 'any', a: 1, b: 'x' }, { b: 'y' }, false],
  [{ 'x-match': 'all', 'x-ignored': 1, a: 1 }, { a: 1 }, true],
  [{ 'x-match': 'all-with-x', 'x-counts': 1, a: 1 }, { a: 1 }, false],
  [{ 'x-match': 'any-with-x', 'x-counts': 1, a: 1 }, { 'x-counts': 1 }, true],
  [{ 'x-match': 'all' }, {}, true],
  [{ 'x-match': 'any' }, { a: 1 }, false],
];

/** Exchanges: their types, their bindings, their life. */
export function exchangeTests(fixture: Fixture): void {
  it.each(['amq.direct', 'amq.fanout', 'amq.topic', 'amq.headers', 'amq.match'])(
    'has %s from the start',
    async (name) => {
      const channel = await fixture.channel();
      await channel.checkExchange(name);
    },
  );

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
      await channel.unbindQueue(queue, exchange, pattern);
    }
    expect(found).toEqual(TOPIC_TABLE);
  });

  it('matches headers as the table says', async () => {
    const { channel, exchange } = await declare(fixture, 'headers');
    const found: (readonly [object, object, boolean])[] = [];
    for (const [args, headers] of HEADERS_TABLE) {
      const queue = await fixture.queue(channel);
      await channel.bindQueue(queue, exchange, '', args);
      channel.publish(exchange, '', Buffer.from('x'), { headers });
      await channel.waitForConfirms();
      found.push([args, headers, (await drain(channel, queue)).length === 1]);
      await channel.unbindQueue(queue, exchange, '', args);
    }
    expect(found).toEqual(HEADERS_TABLE);
  });

  it('refuses a headers binding that wants to match in an unknown way', async () => {
    const { channel, exchange, queue } = await declare(fixture, 'headers');
    const bind = () => channel.bindQueue(queue, exchange, '', { 'x-match': 'some', a: 1 });
    expect((await channelErrorOf(channel, bind)).code).toBe(406);
  });

  it('goes from exchange to exchange, round a circle too, and delivers once', async () => {
    const { channel, exchange, queue } = await declare(fixture, 'topic');
    const other = fixture.name('exchange');
    await channel.assertExchange(other, 'fanout');
    await channel.bindExchange(other, exchange, 'go.#');
    await channel.bindExchange(exchange, other, '');
    await channel.bindQueue(queue, other, '');
    await channel.bindQueue(queue, exchange, 'go.#');
    expect(await routed(channel, exchange, queue, ['go.on', 'stay'])).toEqual(['go.on']);
    await channel.unbindExchange(other, exchange, 'go.#');
    await channel.unbindQueue(queue, exchange, 'go.#');
    expect(await routed(channel, exchange, queue, ['go.on'])).toEqual([]);
  });

  it('hands what it cannot route to its alternate exchange', async () => {
    const channel = await fixture.channel();
    const [exchange, alternate, queue] = [
      fixture.name('exchange'),
      fixture.name('alternate'),
      await fixture.queue(channel),
    ];
    await channel.assertExchange(alternate, 'fanout');
    await channel.assertExchange(exchange, 'direct', { alternateExchange: alternate });
    await channel.bindQueue(queue, alternate, '');
    expect(await routed(channel, exchange, queue, ['lost'])).toEqual(['lost']);
  });

  it('goes with its last binding when it is auto-delete', async () => {
    const { channel, exchange, queue } = await declare(fixture, 'direct', { autoDelete: true });
    await channel.bindQueue(queue, exchange, 'a');
    await channel.unbindQueue(queue, exchange, 'a');
    expect((await channelErrorOf(channel, () => channel.checkExchange(exchange))).code).toBe(404);
  });

  it('is not deleted while in use when asked so', async () => {
    const { channel, exchange, queue } = await declare(fixture, 'direct');
    await channel.bindQueue(queue, exchange, 'a');
    const error = await channelErrorOf(channel, () => channel.deleteExchange(exchange, { ifUnused: true }));
    expect(error.code).toBe(406);
    expect(error.message).toContain(`exchange '${exchange}' in vhost '/' in use`);
  });

  it('takes no publish when it is internal', async () => {
    const { channel, exchange } = await declare(fixture, 'fanout', { internal: true });
    const error = await channelErrorOf(channel, () => channel.publish(exchange, '', Buffer.from('x')));
    expect(error.code).toBe(403);
    expect(error.message).toContain('cannot publish to internal');
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
    ['the deletion of one of its own', 403, (channel: ConfirmChannel) => channel.deleteExchange('amq.topic')],
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
