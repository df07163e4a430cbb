import { fuzzSeeds, REDESIGNS } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { watchEdits, watchRedesigns } from './watched-shop.ts';

const SCHEDULES = 40;

describe('schedules of pages that are redesigned', () => {
  const [seed = 0] = fuzzSeeds(1);
  it(`fall within two runs, and have selectors proposed of which nine in ten are right (seed ${seed})`, () => {
    const cases = Array.from({ length: SCHEDULES }, (_, index) => ({
      kind: REDESIGNS[index % REDESIGNS.length] ?? 'renamed',
      seed: seed * 100 + index,
    }));
    const report = watchRedesigns(cases);
    expect(report).toMatchObject({ late: [], wrong: [] });
    expect(report.there).toBeGreaterThanOrEqual(SCHEDULES);
    expect(report.right).toBeGreaterThanOrEqual(0.9 * report.there);
  }, 300_000);

  it('raise no alarm in a thousand runs of pages that stay as they are or are edited', () => {
    expect(watchEdits(SCHEDULES, 25)).toEqual([]);
  }, 300_000);
});
