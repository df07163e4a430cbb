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
import { consume, drain, openChannel, openConnection, send } from './fixture.ts';

const SCRIPT = fileURLToPath(new URL('./broker-process.ts', import.meta.url));
const QUEUE = 'kept';
/** In the units of `ulimit -f`, half a kilobyte or a kilobyte each depending on the shell. */
const LIMIT = 4000;
const MESSAGE_BYTES = 50_000;

/** A limit on the size of files stands for a full disk: it needs no privileges, and cuts LMDB's writes short alike. */
describe('the embedded broker on a full disk', () => {
  let dataDir: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gleaner-amqp-full-'));
  });
  afterEach(async () => {
    await kill();
    await rm(dataDir, { recursive: true });
  });

  const start = async (limit: number | 'unlimited') => {
    const command = `ulimit -S -f ${limit}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
    child = spawn('sh', ['-c', command, process.execPath, SCRIPT, dataDir], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (!child.stdout) throw new Error('the broker has no output');
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return url;
  };
  const kill = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  it('blocks publishers, keeps serving consumers, and unblocks once messages can be written again', async () => {
    const url = await start(LIMIT);
    const connection = await openConnection(url);
    const notices: string[] = [];
    connection.on('blocked', (reason) => notices.push(reason));
    connection.on('unblocked', () => notices.push('unblocked'));
    const publisher = await openChannel(connection);
    await publisher.assertQueue(QUEUE, { durable: true });
    const counts = await publishUntil(publisher, () => notices.length > 0);
    expect(notices).toEqual(['low on disk']);
    expect(counts.confirmed).toBeLessThan(counts.sent);

    const consumer = await openChannel(await openConnection(url));
    const inbox = await consume(consumer, QUEUE);
    await eventually(() => {
      for (const message of inbox.messages.splice(0)) consumer.ack(message);
      expect(notices).toHaveLength(2);
    });
    expect(notices).toEqual(['low on disk', 'unblocked']);
    await publisher.waitForConfirms();
    expect(counts).toEqual({ sent: counts.sent, confirmed: counts.sent, refused: 0 });
    await send(publisher, QUEUE, ['after']);
    expect(child?.exitCode).toBeNull();
  });

  it('refuses a definition that it cannot write, and uses it no further', async () => {
    const url = await start(LIMIT);
    const connection = await openConnection(url);
    const channel = await openChannel(connection);
    await channel.assertQueue(QUEUE, { durable: true });
    let isBlocked = false;
    connection.on('blocked', () => {
      isBlocked = true;
    });
    await publishUntil(channel, () => isBlocked);
    const other = await openConnection(url);
    const errors: Error[] = [];
    other.on('error', (error) => errors.push(error));
    const closed = new Promise((resolve) => other.once('close', resolve));
    const declaring = await openChannel(other);
    let declared = 0;
    for (let number = 0; errors.length === 0 && number < 5000; number += 1) {
      const options = { durable: true, deadLetterExchange: `${number}`.padEnd(200, 'x') };
      const result = await declaring.assertQueue(`queue ${number}`, options).catch(() => undefined);
      if (result) declared += 1;
      else break;
    }
    await closed;
    expect(errors.map(String)).toEqual([expect.stringContaining('RESOURCE_ERROR')]);
    const third = await openChannel(await openConnection(url));
    await expect(third.checkQueue(`queue ${declared}`)).rejects.toMatchObject({ code: 404 });
    expect(child?.exitCode).toBeNull();
  });

  it('has every confirmed message after it is killed and started with more space', async () => {
    const connection = await openConnection(await start(LIMIT));
    let isBlocked = false;
    connection.on('blocked', () => {
      isBlocked = true;
    });
    const channel = await openChannel(connection);
    await channel.assertQueue(QUEUE, { durable: true });
    const { confirmed } = await publishUntil(channel, () => isBlocked);
    await kill();
    const kept = await drain(await openChannel(await openConnection(await start('unlimited'))), QUEUE);
    expect(kept.length).toBeGreaterThanOrEqual(confirmed);
    expect(confirmed).toBeGreaterThan(0);
  });
});

/** Publishes one message after the other until told to stop; the counts go on while confirms arrive. */
async function publishUntil(channel: ConfirmChannel, isOver: () => boolean) {
  const counts = { sent: 0, confirmed: 0, refused: 0 };
  await eventually(
    () => {
      counts.sent += 1;
      channel.sendToQueue(QUEUE, Buffer.alloc(MESSAGE_BYTES, counts.sent), { persistent: true }, (error) => {
        if (error) counts.refused += 1;
        else counts.confirmed += 1;
      });
      expect(isOver()).toBe(true);
    },
    { intervalMs: 10 },
  );
  return counts;
}
