import { describe, expect, it } from '@jest/globals';
import { judgeMemory, type MemorySample } from './judge-memory.ts';

const PAGES = 1000;

/** A sample every 10 pages; garbage adds up to 400 bytes. */
function samplesOf(memoryAt: (pages: number) => Partial<MemorySample>): MemorySample[] {
  return Array.from({ length: PAGES / 10 }, (_, index) => (index + 1) * 10).map((pages) => {
    const { ownBytes = 0, mappedBytes = 0 } = memoryAt(pages);
    return { pages, ownBytes: ownBytes + 100 * ((pages / 10) % 5), mappedBytes };
  });
}

describe('judgeMemory', () => {
  it('calls memory flat that rises during warm-up and once more in a burst', () => {
    const ownBytes = (pages: number) => Math.min(200 + pages, 400) + (pages > 700 ? 100 : 0);
    const verdict = judgeMemory(
      samplesOf((pages) => ({ ownBytes: ownBytes(pages) })),
      PAGES,
    );
    expect(verdict).toMatchObject({ isFlat: true, peakBytes: 900 });
    expect(verdict.keptBytes.slice(1)).toEqual([400, 400, 500]);
  });

  it('calls memory growing when every page leaves a little, even less than the garbage', () => {
    const { isFlat } = judgeMemory(
      samplesOf((pages) => ({ ownBytes: 1000 + pages / 4 })),
      PAGES,
    );
    expect(isFlat).toBe(false);
  });

  it('reports mapped pages without counting them', () => {
    const { isFlat, mappedBytes } = judgeMemory(
      samplesOf((pages) => ({ mappedBytes: pages })),
      PAGES,
    );
    expect({ isFlat, mappedBytes }).toEqual({ isFlat: true, mappedBytes: [250, 500, 750, 1000] });
  });
});
