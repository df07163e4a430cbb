import { describe, expect, it } from '@jest/globals';
import { PageMemory } from './page-memory.ts';

const { signal } = new AbortController();
const MIB = 1024 * 1024;

/** Tells whether the promise is still pending after all other work has run. */
async function isPending(promise: Promise<unknown> | undefined): Promise<boolean> {
  const later = new Promise((done) => setImmediate(done, 'pending'));
  return (await Promise.race([promise, later])) === 'pending';
}

/** Opens as many pages of that size as fit at once. */
async function fill(memory: PageMemory, bytes: number) {
  const rooms = [];
  for (;;) {
    const room = memory.open('acc_1');
    const growth = room.grow(bytes, signal);
    if (await isPending(growth)) return { rooms, waiting: { room, growth } };
    rooms.push(room);
  }
}

describe('PageMemory', () => {
  it('admits any number of small pages without waiting', () => {
    const memory = new PageMemory();
    for (let page = 0; page < 1000; page++)
      expect(memory.open('acc_1').grow(200_000, signal)).toBeUndefined();
  });

  it('holds few of the largest pages at once, and admits the next when one is disposed of', async () => {
    const { rooms, waiting } = await fill(new PageMemory(), 10 * MIB);
    expect(rooms.length).toBeLessThan(5);
    rooms[0]?.[Symbol.dispose]();
    expect(await waiting.growth).toBeUndefined();
  });

  it('admits medium pages while the largest wait', async () => {
    const memory = new PageMemory();
    await fill(memory, 10 * MIB);
    expect(await isPending(memory.open('acc_1').grow(MIB, signal))).toBe(false);
  });

  it('reserves room for the largest page of another account', async () => {
    const memory = new PageMemory();
    await fill(memory, 10 * MIB);
    expect(await isPending(memory.open('acc_2').grow(10 * MIB, signal))).toBe(false);
  });

  it('stops waiting when the signal aborts, and keeps no place', async () => {
    const memory = new PageMemory();
    const { rooms } = await fill(memory, 10 * MIB);
    const leaving = new AbortController();
    const growth = memory.open('acc_1').grow(10 * MIB, leaving.signal);
    leaving.abort(new Error('the caller left'));
    await expect(growth).rejects.toThrow('the caller left');
    for (const room of rooms) room[Symbol.dispose]();
    expect((await fill(memory, 10 * MIB)).rooms.length).toBeLessThanOrEqual(rooms.length);
  });

  it('does not make a page wait for places that it has', async () => {
    const room = new PageMemory().open('acc_1');
    await room.grow(10 * MIB, signal);
    expect(room.grow(10 * MIB, signal)).toBeUndefined();
  });
});
