import { setImmediate as turn } from 'node:timers/promises';
import { eventually } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { type PendingWrite, WriteBatch } from './write-batch.ts';

describe('WriteBatch', () => {
  it('gathers the writes of a turn, and those that arrive during a write, into one batch each', async () => {
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

  it('calls a listener after the write that holds what it waits for, not before', async () => {
    const { batch, finish } = createBatch();
    const called: string[] = [];
    add(batch, 'a');
    batch.afterFlush(() => called.push('a is on disk'));
    await turn();
    await turn();
    expect(called).toEqual([]);
    finish();
    await turn();
    expect(called).toEqual(['a is on disk']);
  });

  it('skips a write that was undone in time, and counts the bytes that wait', async () => {
    const { batch, batches, finish } = createBatch();
    add(batch, 'a');
    add(batch, 'b');
    expect(batch.backlogBytes).toBe(20);
    expect(batch.undo('a')).toBe(true);
    await turn();
    expect(batch.undo('b')).toBe(false);
    expect(batches.map((writes) => writes.length)).toEqual([1]);
    finish();
    expect(await batch.close()).toBe(0);
    expect(batch.backlogBytes).toBe(0);
  });

  describe('on a full disk', () => {
    it('keeps a failed batch, writes it once there is space, and calls its listeners only then', async () => {
      const disk = createDisk();
      disk.isFull = true;
      const called: string[] = [];
      add(disk.batch, 'a', disk.written);
      disk.batch.afterFlush(() => called.push('a'));
      await eventually(() => expect(disk.failures).not.toEqual([]));
      add(disk.batch, 'b', disk.written);
      disk.batch.afterFlush(() => called.push('b'));
      await eventually(() => expect(disk.attempts).toBeGreaterThan(1));
      expect(disk.batch.isFailing).toBe(true);
      expect(called).toEqual([]);
      expect(disk.batch.backlogBytes).toBe(20);
      disk.isFull = false;
      await eventually(() => expect(called).toHaveLength(2));
      expect(disk.written).toEqual(['a', 'b']);
      expect(disk.batch.backlogBytes).toBe(0);
      expect({ failures: disk.failures.map(String), recoveries: disk.recoveries }).toEqual({
        failures: ['Error: disk full'],
        recoveries: 1,
      });
    });

    it('lets a newer write replace the failed one with the same key', async () => {
      const disk = createDisk();
      disk.isFull = true;
      disk.batch.add('key', { bytes: 10, perform: () => disk.written.push('old') });
      await turn();
      disk.batch.add('key', { bytes: 3, perform: () => disk.written.push('new') });
      await eventually(() => expect(disk.failures).not.toEqual([]));
      expect(disk.batch.backlogBytes).toBe(3);
      disk.isFull = false;
      await eventually(() => expect(disk.written).not.toEqual([]));
      expect(disk.written).toEqual(['new']);
    });

    it('never makes a failed write that has been undone since', async () => {
      const disk = createDisk();
      disk.isFull = true;
      add(disk.batch, 'a', disk.written);
      await eventually(() => expect(disk.batch.isFailing).toBe(true));
      // A write cannot be undone while a retry of it is in progress.
      await eventually(() => expect(disk.batch.undo('a')).toBe(true));
      disk.isFull = false;
      add(disk.batch, 'b', disk.written);
      await eventually(() => expect(disk.written).not.toEqual([]));
      expect(disk.written).toEqual(['b']);
    });

    it('closes all the same, and tells how many writes were given up', async () => {
      const disk = createDisk();
      disk.isFull = true;
      add(disk.batch, 'a');
      add(disk.batch, 'b');
      expect(await disk.batch.close()).toBe(2);
    });
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
    onRecovery: () => undefined,
  });
  return { batch, batches, finish: () => finish() };
}

/** A batch over a disk that can be full. */
function createDisk() {
  const disk = {
    isFull: false,
    attempts: 0,
    recoveries: 0,
    failures: [] as unknown[],
    written: [] as string[],
    batch: new WriteBatch({
      write: async (writes) => {
        disk.attempts += 1;
        await turn();
        if (disk.isFull) throw new Error('disk full');
        for (const write of writes) write.perform();
      },
      onFailure: (error) => disk.failures.push(error),
      onRecovery: () => {
        disk.recoveries += 1;
      },
      retryDelayMs: 1,
    }),
  };
  return disk;
}

function add(batch: WriteBatch, key: string, written: string[] = []): void {
  batch.add(key, { bytes: 10, perform: () => written.push(key) });
}
