import { REDESIGNS } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { watchEdits, watchRedesigns } from './watched-shop.ts';

describe('a schedule of pages that are redesigned', () => {
  it('falls within two runs, and has selectors proposed that are right', () => {
    const report = watchRedesigns(REDESIGNS.map((kind, index) => ({ kind, seed: 1000 + index })));
    expect(report).toMatchObject({ late: [], wrong: [] });
    expect(report.right).toBeGreaterThanOrEqual(0.9 * report.there);
  });

  it('raises no alarm while its pages are merely edited', () => {
    expect(watchEdits(4, 20)).toEqual([]);
  });
});
