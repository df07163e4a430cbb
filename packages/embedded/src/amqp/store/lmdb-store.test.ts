import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryGauge } from '../messages/memory-gauge.ts';
import { messageFromBytes, type QueueEntry } from '../messages/message.ts';
import { Queue } from '../queues/queue.ts';
import { EMPTY_TABLE } from '../wire/field-table.ts';
import { LmdbStore } from './lmdb-store.ts';

describe('LmdbStore', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'gleaner-amqp-store-'));
  });
  afterEach(() => rm(path, { recursive: true }));

  /** Opens the store, lets the test work with it, closes it, and answers what the test did. */
  const withStore = async <Result>(work: (store: LmdbStore) => Result): Promise<Result> => {
    const store = new LmdbStore({ path, onWriteFailure: () => undefined, onWriteRecovery: () => undefined });
    try {
      return work(store);
    } finally {
      await store.close();
    }
  };
  const redelivered = () =>
    withStore((store) => [...store.load().entriesOf(1)].map((entry) => entry.isRedelivered));

  it('remembers the furthest delivery, though an older message goes out after a restart', async () => {
    const entries = [1, 2, 3].map((position) => entryAt(position));
    await withStore((store) => {
      store.putQueue(queueOf(store, 1));
      for (const entry of entries) store.put(1, entry);
      store.markDelivered(1, entryAt(2));
    });
    expect(await redelivered()).toEqual([true, true, false]);
    await withStore((store) => store.markDelivered(1, entryAt(1)));
    expect(await redelivered()).toEqual([true, true, false]);
  });

  it('brings back every field of an entry', async () => {
    const entry = entryAt(2 ** 40, { expiresAtMs: 1_800_000_000_000 });
    await withStore((store) => {
      store.putQueue(queueOf(store, 1));
      store.put(1, entry);
      store.markReturned(1, { ...entry, returnCount: 4 });
    });
    const [found] = await withStore((store) => [...store.load().entriesOf(1)]);
    expect(found).toEqual({ ...entry, isRedelivered: true, returnCount: 4 });
  });

  it('sweeps away what a queue left behind that is no more', async () => {
    await withStore((store) => store.put(5, entryAt(1)));
    await withStore((store) => {
      expect([...store.load().entriesOf(5)].length).toBe(1);
    });
    expect(await withStore((store) => [...store.load().entriesOf(5)])).toEqual([]);
  });
});

function entryAt(position: number, more: Partial<QueueEntry> = {}): QueueEntry {
  const message = messageFromBytes('exchange', 'key', Buffer.from([0x10, 0, 2]), Buffer.from('body'));
  return {
    position,
    message,
    expiresAtMs: undefined,
    isStored: true,
    isRedelivered: false,
    returnCount: 0,
    ...more,
  };
}

function queueOf(store: LmdbStore, id: number): Queue {
  const definition = {
    name: 'q',
    isDurable: true,
    isExclusive: false,
    isAutoDelete: false,
    args: EMPTY_TABLE,
  };
  const deps = { store, memory: new MemoryGauge(1), now: Date.now, onDeath: () => {}, onUnused: () => {} };
  return new Queue(definition, id, undefined, deps);
}
