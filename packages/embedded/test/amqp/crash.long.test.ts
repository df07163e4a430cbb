import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConfirmChannel } from 'amqplib';
import { consume, drain, openChannel, openConnection, send, take, textOf } from './fixture.ts';

const SCRIPT = fileURLToPath(new URL('./broker-process.ts', import.meta.url));
const QUEUE = 'kept';

/** A broker in a process of its own, and a channel to it. */
interface RunningBroker {
  readonly url: string;
  readonly channel: ConfirmChannel;
  /** Resolves when the connection is gone. */
  readonly closed: Promise<unknown>;
  /** SIGKILL: no goodbye, no flush. */
  kill(): Promise<void>;
}

describe('the embedded broker, killed', () => {
  let dataDir: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gleaner-amqp-crash-'));
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(dataDir, { recursive: true });
  });

  const start = async (): Promise<RunningBroker> => {
    const process = spawn(globalThis.process.execPath, [SCRIPT, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = process;
    const [url] = (await once(createInterface({ input: process.stdout }), 'line')) as [string];
    const connection = await openConnection(url);
    const closed = new Promise((resolve) => connection.on('close', resolve));
    return {
      url,
      channel: await openChannel(connection),
      closed,
      async kill() {
        const exited = once(process, 'exit');
        process.kill('SIGKILL');
        await exited;
      },
    };
  };

  it('has every confirmed persistent message after each of five kills in mid-publish, in order and once', async () => {
    const confirmed: number[] = [];
    let next = 0;
    for (let round = 0; round < 5; round += 1) {
      const broker = await start();
      await broker.channel.assertQueue(QUEUE, { durable: true });
      const before = confirmed.length;
      const publishing = publishUntilClosed(broker, () => next++, confirmed);
      await eventually(() => expect(confirmed.length - before).toBeGreaterThan(200 * (round + 1)));
      await broker.kill();
      await publishing;
    }
    const { channel } = await start();
    const kept = (await drain(channel, QUEUE)).map(Number);
    expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
    const keptSet = new Set(kept);
    expect(confirmed.filter((number) => !keptSet.has(number))).toEqual([]);
  });

  it('does not bring back what was acknowledged, and marks what was delivered', async () => {
    const first = await start();
    await first.channel.assertQueue(QUEUE, { durable: true });
    await send(first.channel, QUEUE, ['acked 1', 'acked 2', 'held', 'untouched']);
    first.channel.ack(await take(first.channel, QUEUE));
    first.channel.ack(await take(first.channel, QUEUE));
    await take(first.channel, QUEUE);
    // Its confirm says that the disk has everything that came before it, the acknowledgements included.
    await send(first.channel, QUEUE, ['last']);
    await first.kill();
    const second = await start();
    const inbox = await consume(second.channel, QUEUE);
    await inbox.until(3);
    expect(inbox.messages.map((message) => [textOf(message), message.fields.redelivered])).toEqual([
      ['held', true],
      ['untouched', false],
      ['last', false],
    ]);
  });

  it('counts the returns of a quorum queue over a kill', async () => {
    const first = await start();
    await first.channel.assertQueue(QUEUE, { arguments: { 'x-queue-type': 'quorum' } });
    await send(first.channel, QUEUE, ['returned'], { persistent: false });
    for (let count = 0; count < 3; count += 1) first.channel.nack(await take(first.channel, QUEUE));
    await send(first.channel, QUEUE, ['last']);
    await first.kill();
    const second = await start();
    const { properties } = await take(second.channel, QUEUE);
    expect(properties.headers).toMatchObject({ 'x-delivery-count': 3 });
  });

  it('keeps what is durable of the topology, and nothing else', async () => {
    const first = await start();
    await declareTopology(first.channel);
    await first.kill();
    const { channel, url } = await start();
    channel.publish('durable', 'a.key', Buffer.from('through'), { mandatory: true });
    await channel.waitForConfirms();
    expect(await drain(channel, QUEUE)).toEqual(['through']);
    await channel.assertQueue(QUEUE, { durable: true, maxLength: 5, deadLetterExchange: 'target' });
    for (const check of [
      (on: ConfirmChannel) => on.checkQueue('transient'),
      (on: ConfirmChannel) => on.checkQueue('deleted'),
      (on: ConfirmChannel) => on.checkExchange('passing'),
    ]) {
      const probe = await openChannel(await openConnection(url));
      await expect(check(probe)).rejects.toMatchObject({ code: 404 });
    }
  });

  it('forgets transient messages of durable queues', async () => {
    const first = await start();
    await first.channel.assertQueue(QUEUE, { durable: true });
    await send(first.channel, QUEUE, ['transient'], { persistent: false });
    await send(first.channel, QUEUE, ['persistent']);
    await first.kill();
    const second = await start();
    expect(await drain(second.channel, QUEUE)).toEqual(['persistent']);
  });
});

/** Keeps fifty publishes on their way until the broker is gone; notes the number of each confirmed message. */
async function publishUntilClosed(
  { channel, closed }: RunningBroker,
  next: () => number,
  confirmed: number[],
): Promise<void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    for (let count = 0; count < 50; count += 1) {
      const number = next();
      channel.sendToQueue(QUEUE, Buffer.from(`${number}`), { persistent: true }, (error) => {
        if (!error) confirmed.push(number);
      });
    }
    await Promise.race([channel.waitForConfirms().catch(() => undefined), closed]);
  }
}

async function declareTopology(channel: ConfirmChannel): Promise<void> {
  await channel.assertExchange('durable', 'topic', { durable: true });
  await channel.assertExchange('target', 'fanout', { durable: true });
  await channel.assertExchange('passing', 'fanout', { durable: false });
  await channel.assertQueue(QUEUE, { durable: true, maxLength: 5, deadLetterExchange: 'target' });
  await channel.assertQueue('transient', { durable: false });
  await channel.assertQueue('deleted', { durable: true });
  await channel.bindQueue(QUEUE, 'durable', 'a.*');
  await channel.deleteQueue('deleted');
}
