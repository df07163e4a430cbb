import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore.ts';

const { signal } = new AbortController();

/** Whether it is over by the time that everything which could end it has. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise((done) => setImmediate(done, 'pending'));
  return (await Promise.race([promise, later])) !== 'pending';
}

describe('Semaphore', () => {
  it('lets so many in at once', async () => {
    const semaphore = new Semaphore(2);
    await semaphore.acquire(signal);
    await semaphore.acquire(signal);
    expect(await isOver(semaphore.acquire(signal))).toBe(false);
  });

  it('gives a place to who waits longest when one is free', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.acquire(signal);
    const second = semaphore.acquire(signal);
    const third = semaphore.acquire(signal);
    expect(await isOver(second)).toBe(false);
    first[Symbol.dispose]();
    expect(await isOver(second)).toBe(true);
    expect(await isOver(third)).toBe(false);
    (await second)[Symbol.dispose]();
    expect(await isOver(third)).toBe(true);
  });

  it('takes a place back once, however often it is given back', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.acquire(signal);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await semaphore.acquire(signal);
    expect(await isOver(semaphore.acquire(signal))).toBe(false);
  });

  it('keeps no place for who leaves', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.acquire(signal);
    const leaving = new AbortController();
    const second = semaphore.acquire(leaving.signal);
    leaving.abort(new Error('the caller left'));
    await expect(second).rejects.toThrow('the caller left');
    first[Symbol.dispose]();
    expect(await isOver(semaphore.acquire(signal))).toBe(true);
  });

  it('lets nobody in who has left before', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await isOver(semaphore.acquire(signal))).toBe(true);
  });
});
