import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Channel } from 'amqplib';
import {
  type AmqpServer,
  type AmqpServerOptions,
  startAmqpServer,
} from '../../src/amqp/start-amqp-server.ts';
import { EMPTY_TABLE } from '../../src/amqp/wire/field-table.ts';
import { METHODS } from '../../src/amqp/wire/methods.ts';
import { consume, drain, openChannel, openConnection, send, untilReady } from './fixture.ts';
import { RawClient } from './raw-client.ts';

const MIB = 1024 * 1024;
const METHOD_IDS = Object.values(METHODS).map(([classId, methodId]) => classId * 0x10000 + methodId);

describe('the embedded broker and hostile clients', () => {
  let dataDir: string;
  let server: AmqpServer;
  const clients: RawClient[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gleaner-amqp-hostile-'));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await server.close();
    await rm(dataDir, { recursive: true });
  });
  const start = async (options: Partial<AmqpServerOptions> = {}) => {
    server = await startAmqpServer({ dataDir, ...options });
  };
  const keep = (client: RawClient) => {
    clients.push(client);
    return client;
  };
  const connectWell = async () => openChannel(await openConnection(server.url));

  it('serves the others on while 200 connections send noise at every stage', async () => {
    await start();
    const healthy = await connectWell();
    await healthy.assertQueue('healthy', { durable: true });
    const random = randomNumbers(20_260_101);
    for (let round = 0; round < 200; round += 1) {
      const client = await [RawClient.connect, openTuned, RawClient.open][round % 3]?.(server.url);
      if (!client) continue;
      keep(client).bytes(noise(random, round));
      if (round % 10 === 0) await send(healthy, 'healthy', [`${round}`]);
    }
    expect((await drain(healthy, 'healthy')).length).toBe(20);
  });

  it('cuts off a client that does not finish its handshake in time', async () => {
    await start({ limits: { handshakeTimeoutMs: 15_000 } });
    const silent = keep(await RawClient.connect(server.url));
    const slow = keep(await RawClient.connect(server.url));
    slow.bytes(Buffer.from('AMQP\0\0', 'latin1'));
    const halfway = keep(await RawClient.connect(server.url));
    await halfway.tune();
    for (const client of [silent, slow, halfway]) await client.untilClosed();
    const healthy = await connectWell();
    await healthy.assertQueue('', { exclusive: true });
  });

  it('holds its deliveries back from a consumer that does not read, prefetch or not', async () => {
    await start();
    const healthy = await connectWell();
    await healthy.assertQueue('large', { durable: false });
    for (let count = 0; count < 64; count += 1) healthy.sendToQueue('large', Buffer.alloc(MIB));
    await healthy.waitForConfirms();
    const deaf = keep(await RawClient.open(server.url));
    deaf.send(1, 'channel.open', { reserved1: '' });
    await deaf.expect('channel.open-ok');
    deaf.socket.pause();
    const subscribe = { ticket: 0, consumerTag: 'deaf', noLocal: false, exclusive: false, noWait: false };
    deaf.send(1, 'basic.consume', { ...subscribe, queue: 'large', noAck: false, arguments: EMPTY_TABLE });
    await eventually(async () =>
      expect(await healthy.checkQueue('large')).toMatchObject({ consumerCount: 1 }),
    );
    const { messageCount } = await healthy.checkQueue('large');
    expect(messageCount).toBeGreaterThan(32);
    deaf.socket.resume();
    await untilReady(healthy, 'large', 0);
    deaf.destroy();
    await untilReady(healthy, 'large', 64);
  });

  it('lets publishers wait when memory is full, and goes on when consumers make room', async () => {
    await start({ limits: { maxMemoryBytes: 4 * MIB } });
    const [publisher, reader] = [await connectWell(), await connectWell()];
    await publisher.assertQueue('full', { durable: false });
    let confirmed = 0;
    for (let count = 0; count < 32; count += 1) {
      publisher.sendToQueue('full', Buffer.alloc(MIB), {}, () => {
        confirmed += 1;
      });
    }
    await eventually(async () =>
      expect((await reader.checkQueue('full')).messageCount).toBeGreaterThanOrEqual(4),
    );
    expect(confirmed).toBeLessThan(16);
    const inbox = await consume(reader, 'full', { noAck: true });
    await inbox.until(32);
    await publisher.waitForConfirms();
    expect(confirmed).toBe(32);
  });

  it('takes other credentials than guest/guest when told so', async () => {
    await start({ credentials: { username: 'gleaner', password: 's/cret@' } });
    const healthy = await connectWell();
    await healthy.assertQueue('', { exclusive: true });
    const url = new URL(server.url);
    await expect(openConnection(`amqp://guest:guest@${url.host}`)).rejects.toThrow(/ACCESS.REFUSED/);
  });

  it.each([
    ['transactions', 90, 10],
    ['recover', 60, 110],
    ['bindings between exchanges', 40, 30],
  ])('refuses %s, which it does not serve, with 540', async (_what, classId, methodId) => {
    await start();
    const client = keep(await RawClient.open(server.url));
    client.send(1, 'channel.open', { reserved1: '' });
    const frame = Buffer.from([1, 0, 1, 0, 0, 0, 4, 0, classId, 0, methodId, 0xce]);
    client.bytes(frame);
    const close = await client.expect('connection.close');
    expect(close).toMatchObject({ replyCode: 540 });
    expect(close.replyText).toContain('NOT_IMPLEMENTED');
  });

  it.each([
    ['a queue with priorities', (channel: Channel) => channel.assertQueue('q', { maxPriority: 5 })],
    ['a queue that expires', (channel: Channel) => channel.assertQueue('q', { expires: 1000 })],
    [
      'a queue of a single active consumer',
      (channel: Channel) => channel.assertQueue('q', { arguments: { 'x-single-active-consumer': true } }),
    ],
    ['an internal exchange', (channel: Channel) => channel.assertExchange('e', 'fanout', { internal: true })],
    ['a prefetch for the whole channel', (channel: Channel) => channel.prefetch(1, true)],
    ['a queue without a name', (channel: Channel) => channel.checkQueue('')],
    [
      'a user id',
      async (channel: Channel) => {
        channel.publish('', 'q', Buffer.from('x'), { userId: 'guest' });
        await channel.checkQueue('q');
      },
    ],
    [
      'acknowledging all',
      async (channel: Channel) => {
        channel.ackAll();
        await channel.checkQueue('q');
      },
    ],
  ])('refuses %s with 540', async (_what, act) => {
    await start();
    const connection = await openConnection(server.url);
    const closed = once(connection, 'error');
    await expect(act(await openChannel(connection))).rejects.toThrow();
    expect(await closed).toMatchObject([{ code: 540 }]);
  });

  it('says goodbye to its clients when it is closed, and rejects a port that is taken', async () => {
    await start();
    const { port } = new URL(server.url);
    await expect(
      startAmqpServer({ dataDir: join(dataDir, 'second'), port: Number(port) }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    const client = keep(await RawClient.open(server.url));
    const closing = server.close();
    expect(await client.expect('connection.close')).toMatchObject({ replyCode: 320 });
    client.send(0, 'connection.close-ok', {});
    await closing;
    await start();
  });
});

async function openTuned(url: string): Promise<RawClient> {
  const client = await RawClient.connect(url);
  await client.tune();
  return client;
}

/** Bytes that are noise, or a frame with noise in it, or a frame of noise that calls itself a method. */
function noise(random: () => number, round: number): Buffer {
  const bytes = Buffer.from(Array.from({ length: 1 + (random() % 300) }, () => random() % 256));
  if (round % 2 === 0) return bytes;
  const head = Buffer.from([1 + (random() % 3), 0, random() % 3, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 3);
  if (round % 4 === 1 && bytes.length >= 4)
    bytes.writeUInt32BE(METHOD_IDS[random() % METHOD_IDS.length] ?? 0);
  return Buffer.concat([head, bytes, Buffer.from([0xce])]);
}

/** The same whole numbers for the same seed (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
