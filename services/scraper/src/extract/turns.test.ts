import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

const turnOfEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets several pages take turns, and returns what has been read so far, in order. */
function readPages(turns: Turns, count: number): number[] {
  const read: number[] = [];
  for (let page = 0; page < count; page++) void turns.take('job').then(() => read.push(page));
  return read;
}

describe('Turns', () => {
  it('gives each page a turn of the event loop, in order', async () => {
    const read = readPages(new Turns(), 3);
    const sizes: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await turnOfEventLoop();
      sizes.push(read.length);
    }
    expect(read).toEqual([0, 1, 2]);
    expect(new Set(sizes).size).toBeGreaterThan(2);
  });

  it('lets jobs take turns, so that a page of a small job does not wait for all pages of a large one', async () => {
    const turns = new Turns();
    const read: string[] = [];
    const pages = ['large 0', 'large 1', 'large 2', 'small 0', 'other 0', 'other 1'].map((page) =>
      turns.take(page.slice(0, 5)).then(() => read.push(page)),
    );
    await Promise.all(pages);
    expect(read).toEqual(['large 0', 'small 0', 'other 0', 'large 1', 'other 1', 'large 2']);
  });
});
