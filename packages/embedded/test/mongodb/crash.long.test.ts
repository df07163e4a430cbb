import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { startMongoServer } from '../../src/index.ts';

const ROUNDS = 4;

describe('a server killed with SIGKILL in the middle of writes', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gleaner-mongodb-crash-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('has every acknowledged write, and indexes that agree with the documents', async () => {
    let next = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await writeUntilKilled(folder, next, 40 + round * 23);
      expect(acknowledged).toBeGreaterThan(next);
      await inspect(folder, async (collection) => {
        await expectAcknowledged(collection, acknowledged);
        await expectAgreement(collection);
        // What was under way may be there, half done or whole, or not; the next round does it again.
        await collection.deleteMany({ sequence: { $gt: acknowledged } });
        next = acknowledged + 1;
      });
    }
  });
});

/** Runs the writer until it has acknowledged `count` more writes, kills it, and returns the last acknowledged one. */
async function writeUntilKilled(folder: string, first: number, count: number): Promise<number> {
  const writer = fileURLToPath(new URL('./crash-writer.ts', import.meta.url));
  const child = spawn(process.execPath, [writer, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') continue;
    last = Number(line);
    if (last >= first + count) child.kill('SIGKILL');
  }
  await exited;
  return last;
}

async function inspect(folder: string, check: (collection: Collection) => Promise<void>): Promise<void> {
  const server = await startMongoServer({ dataDir: folder });
  const client = await MongoClient.connect(server.uri);
  try {
    await check(client.db('crash').collection('writes'));
  } finally {
    await client.close();
    await server.close();
  }
}

async function expectAcknowledged(collection: Collection, last: number): Promise<void> {
  const found = await collection.find({ sequence: { $lte: last } }).toArray();
  const bySequence = new Map(found.map((document) => [document.sequence, document]));
  for (let sequence = 0; sequence <= last; sequence++) {
    const isDeleted = sequence % 4 === 0 && sequence + 3 <= last;
    if (isDeleted) expect(bySequence.has(sequence)).toBe(false);
    else if (sequence % 4 !== 0)
      expect(bySequence.get(sequence)).toMatchObject({ state: 'done', text: 'x'.repeat(sequence % 3000) });
  }
}

/** Checks that each index yields the documents of a scan. */
async function expectAgreement(collection: Collection): Promise<void> {
  const scanned = await collection.find().toArray();
  const ids = scanned.map(({ _id }) => String(_id)).sort();
  for (const [sort, filter] of [
    [{ _id: 1 }, {}],
    [{}, { sequence: { $gte: 0 } }],
    [{}, { tags: 'all' }],
  ] as const) {
    const found = await collection.find(filter, { sort }).toArray();
    expect(found.map(({ _id }) => String(_id)).sort()).toEqual(ids);
  }
  const byTag = await collection.find({ tags: 'done' }).toArray();
  expect(byTag).toHaveLength(scanned.filter(({ tags }) => tags.includes('done')).length);
}
