import { cpSync } from 'node:fs';
import { appendFile, cp, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KeyValueStore, openKeyValueStore } from './key-value-store.ts';

const PAGE_BYTES = 4096;
const NEVER_MS = 2 ** 31 - 1;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-store-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const openStore = (directory: string, bootId: string, options: { maxJournalBytes?: number } = {}) =>
  openKeyValueStore(directory, {
    bootId,
    flushIntervalMs: NEVER_MS,
    onFlushError: (error) => {
      throw error;
    },
    ...options,
  });

describe('openKeyValueStore', () => {
  it('keeps nothing of a write that throws', async () => {
    const store = await openStore(join(folder, 'a'), 'boot');
    expect(() =>
      store.write(() => {
        store.records.put(Buffer.from('k'), Buffer.from('v'));
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(store.records.get(Buffer.from('k'))).toBeUndefined();
    await store.close();
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is whole after a power cut that let only some later pages reach the disk (seed %i)',
    async (seed) => {
      const live = join(folder, 'live');
      const store = await openStore(live, 'boot-1');
      for (let round = 0; round < 20; round++) fill(store, round, seed);
      await store.flush();
      const expected = contents(store);
      const after = join(folder, 'after');
      await cp(live, after, { recursive: true });
      for (let round = 20; round < 60; round++) fill(store, round, seed);
      await mixPages(join(live, 'data.mdb'), join(after, 'data.mdb'), seed);
      await store.close();
      const restored = await openStore(after, 'boot-2');
      expect(contents(restored)).toEqual(expected);
      fill(restored, 99, seed);
      expect(contents(restored)).not.toEqual(expected);
      await restored.close();
    },
  );

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is as it was at its last flush when power is cut between checkpoints and in mid-write (seed %i)',
    async (seed) => {
      const live = join(folder, 'live');
      const store = await openStore(live, 'boot-1', { maxJournalBytes: 100_000 });
      for (let round = 0; round < 25 + seed * 3; round++) {
        fill(store, round, seed);
        if (round % 3 !== 0) await store.flush();
      }
      await store.flush();
      const expected = contents(store);
      const after = join(folder, 'after');
      cpSync(live, after, { recursive: true });
      for (let round = 200; round < 220; round++) fill(store, round, seed);
      await mixPages(join(live, 'data.mdb'), join(after, 'data.mdb'), seed);
      await tearJournal(after, seed);
      await store.close();
      for (const boot of ['boot-2', 'boot-3']) {
        const restored = await openStore(after, boot);
        expect(contents(restored)).toEqual(expected);
        await restored.close();
      }
    },
  );

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'starts from the older checkpoint when a power cut has cost the newest one (seed %i)',
    async (seed) => {
      const live = join(folder, 'live');
      const store = await openStore(live, 'boot-1', { maxJournalBytes: 100_000 });
      for (let round = 0; round < 25 + seed * 3; round++) {
        fill(store, round, seed);
        if (round % 3 !== 0) await store.flush();
      }
      await store.flush();
      const expected = contents(store);
      const after = join(folder, 'after');
      cpSync(live, after, { recursive: true });
      for (let round = 200; round < 220; round++) fill(store, round, seed);
      await mixPages(join(live, 'data.mdb'), join(after, 'data.mdb'), seed);
      await store.close();
      await overwriteNewestCheckpoint(after);
      const restored = await openStore(after, 'boot-2');
      expect(contents(restored)).toEqual(expected);
      fill(restored, 99, seed);
      await restored.close();
    },
  );

  it('keeps one journal file, however much is written', async () => {
    const store = await openStore(folder, 'boot', { maxJournalBytes: 10_000 });
    for (let round = 0; round < 50; round++) {
      fill(store, round, 3);
      await store.flush();
    }
    await store.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('journal-'))).toHaveLength(1);
  });

  it('keeps what was not flushed when only the process died', async () => {
    const live = join(folder, 'live');
    const store = await openStore(live, 'boot-1');
    fill(store, 1, 1);
    const copy = join(folder, 'copy');
    await cp(live, copy, { recursive: true });
    const reopened = await openStore(copy, 'boot-1');
    expect(contents(reopened)).toEqual(contents(store));
    expect(contents(reopened)).toHaveLength(50);
    await reopened.close();
    await store.close();
  });
});

/** Writes, overwrites and removes, so that pages are freed and used again. */
function fill(store: KeyValueStore, round: number, seed: number): void {
  store.write(() => {
    for (let i = 0; i < 50; i++) {
      const key = Buffer.from(`key-${(i * 37 + round * seed) % 400}`);
      if ((i + round) % 7 === 0 && round > 1) store.records.remove(key);
      else store.records.put(key, Buffer.alloc((i * 131) % 3000, round));
    }
  });
}

function contents(store: KeyValueStore): string[] {
  return Array.from(store.records.getRange({}), ({ key, value }) => `${key}=${value[0]}*${value.length}`);
}

/** Makes the file that a power cut may leave: the newest meta pages, and of the other pages some new and some old. */
async function mixPages(newest: string, target: string, seed: number): Promise<void> {
  const pages = await readFile(newest);
  const file = await open(target, 'r+');
  for (let page = 0; page * PAGE_BYTES < pages.length; page++) {
    const isWritten = page < 2 || (page * 2654435761 + seed * 40503) % 3 === 0;
    if (isWritten) await file.write(pages, page * PAGE_BYTES, PAGE_BYTES, page * PAGE_BYTES);
  }
  await file.close();
}

async function overwriteNewestCheckpoint(directory: string): Promise<void> {
  const bytes = await readFile(join(directory, 'checkpoint'));
  const half = bytes.length / 2;
  const newest = bytes.readBigUInt64BE(0) > bytes.readBigUInt64BE(half) ? 0 : half;
  bytes.fill(0xab, newest + 100, newest + 200);
  await writeFile(join(directory, 'checkpoint'), bytes);
}

/** The beginning of a transaction that was being appended. */
async function tearJournal(directory: string, seed: number): Promise<void> {
  const numbers = (await readdir(directory)).map((name) => Number(/^journal-(\d+)$/.exec(name)?.[1] ?? 0));
  const torn = Buffer.alloc(seed * 3, 0x40);
  await appendFile(join(directory, `journal-${Math.max(...numbers)}`), torn);
}
