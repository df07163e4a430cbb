import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore.ts';

const { signal } = new AbortController();

/** Tells whether a promise has settled after all pending callbacks ran. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise((done) => setImmediate(done, 'pending'));
  return (await Promise.race([promise, later])) !== 'pending';
}

describe('Semaphore', () => {
  it('gives out as many places as it has', async () => {
    const semaphore = new Semaphore(2);
    await semaphore.acquire(signal);
    await semaphore.acquire(signal);
    expect(await isSettled(semaphore.acquire(signal))).toBe(false);
  });

  it('gives a free place to the caller that waited longest', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.acquire(signal);
    const second = semaphore.acquire(signal);
    const third = semaphore.acquire(signal);
    expect(await isSettled(second)).toBe(false);
    first[Symbol.dispose]();
    expect(await isSettled(second)).toBe(true);
    expect(await isSettled(third)).toBe(false);
    (await second)[Symbol.dispose]();
    expect(await isSettled(third)).toBe(true);
  });

  it('frees a place once, even if it is disposed twice', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.acquire(signal);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await semaphore.acquire(signal);
    expect(await isSettled(semaphore.acquire(signal))).toBe(false);
  });

  it('gives no place to a caller that has aborted', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.acquire(signal);
    const leaving = new AbortController();
    const second = semaphore.acquire(leaving.signal);
    leaving.abort(new Error('the caller left'));
    await expect(second).rejects.toThrow('the caller left');
    first[Symbol.dispose]();
    expect(await isSettled(semaphore.acquire(signal))).toBe(true);
  });

  it('rejects a caller whose signal has already aborted', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await isSettled(semaphore.acquire(signal))).toBe(true);
  });
});
