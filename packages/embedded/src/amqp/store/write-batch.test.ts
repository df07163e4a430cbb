import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type PendingWrite, WriteBatch } from './write-batch.ts';

describe('WriteBatch', () => {
  it('gathers a turn, and everything that comes while a batch is on its way, into one write each', async () => {
    const { batch, batches, finish } = createBatch();
    add(batch, 'a');
    add(batch, 'b');
    await turn();
    add(batch, 'c');
    add(batch, 'd');
    await turn();
    expect(batches.length).toBe(1);
    finish();
    await turn();
    await turn();
    expect(batches.map((writes) => writes.length)).toEqual([2, 2]);
  });

  it('tells its listeners after the write that holds what they wait for, not before', async () => {
    const { batch, finish } = createBatch();
    const told: boolean[] = [];
    add(batch, 'a');
    batch.afterFlush((isOnDisk) => told.push(isOnDisk));
    await turn();
    await turn();
    expect(told).toEqual([]);
    finish();
    await turn();
    expect(told).toEqual([true]);
  });

  it('never makes a write that was undone in time, and counts what waits', async () => {
    const { batch, batches, finish } = createBatch();
    add(batch, 'a');
    add(batch, 'b');
    expect(batch.backlogBytes).toBe(20);
    expect(batch.undo('a')).toBe(true);
    await turn();
    expect(batch.undo('b')).toBe(false);
    expect(batches.map((writes) => writes.length)).toEqual([1]);
    finish();
    await batch.drain();
    expect(batch.backlogBytes).toBe(0);
  });

  it('says that a failed write is not on the disk, and goes on', async () => {
    const failures: unknown[] = [];
    const batch = new WriteBatch({
      write: () => Promise.reject(new Error('disk full')),
      onFailure: (error) => failures.push(error),
    });
    const told: boolean[] = [];
    add(batch, 'a');
    batch.afterFlush((isOnDisk) => told.push(isOnDisk));
    await batch.drain();
    expect(told).toEqual([false]);
    expect(failures.map(String)).toEqual(['Error: disk full']);
  });
});

function createBatch() {
  const batches: (readonly PendingWrite[])[] = [];
  let finish = () => {};
  const batch = new WriteBatch({
    write: (writes) => {
      batches.push(writes);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    onFailure: () => undefined,
  });
  return { batch, batches, finish: () => finish() };
}

function add(batch: WriteBatch, key: string): void {
  batch.add(key, { bytes: 10, perform: () => undefined });
}
