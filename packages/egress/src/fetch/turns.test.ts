import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

const { signal } = new AbortController();

/** Whether it is over by the time that everything which could end it has. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise((done) => setImmediate(done, 'pending'));
  return (await Promise.race([promise, later])) !== 'pending';
}

describe('Turns', () => {
  it('gives a turn to who waits longest when one ends', async () => {
    const turns = new Turns(1);
    const first = await turns.take(signal);
    const second = turns.take(signal);
    const third = turns.take(signal);
    expect(await isOver(second)).toBe(false);
    first[Symbol.dispose]();
    expect(await isOver(second)).toBe(true);
    expect(await isOver(third)).toBe(false);
    (await second)[Symbol.dispose]();
    expect(await isOver(third)).toBe(true);
  });

  it('keeps no turn for who leaves', async () => {
    const turns = new Turns(1);
    const first = await turns.take(signal);
    const leaving = new AbortController();
    const second = turns.take(leaving.signal);
    leaving.abort(new Error('the caller left'));
    await expect(second).rejects.toThrow('the caller left');
    first[Symbol.dispose]();
    expect(await isOver(turns.take(signal))).toBe(true);
  });
});
