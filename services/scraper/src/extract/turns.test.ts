import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

const turnOfEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets so many pages take turns; what has been read so far, in order. */
function readPages(turns: Turns, count: number): number[] {
  const read: number[] = [];
  for (let page = 0; page < count; page++) void turns.take().then(() => read.push(page));
  return read;
}

describe('Turns', () => {
  it('gives pages a turn of the event loop each, in their order', async () => {
    const read = readPages(new Turns(), 3);
    const sizes: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await turnOfEventLoop();
      sizes.push(read.length);
    }
    expect(read).toEqual([0, 1, 2]);
    expect(new Set(sizes).size).toBeGreaterThan(2);
  });

  it('lets pages wait while a scrape is under way, and goes on after it', async () => {
    const turns = new Turns();
    const hurry = turns.hurry();
    const read = readPages(turns, 2);
    await turnOfEventLoop();
    expect(read).toEqual([]);
    hurry[Symbol.dispose]();
    await turns.take();
    expect(read).toEqual([0, 1]);
  });
});
