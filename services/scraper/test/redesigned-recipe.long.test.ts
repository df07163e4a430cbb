import { fuzzSeeds, REDESIGNS } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { testRedesigns } from './redesigned-recipe.ts';

const RECIPES = 200;

describe('tests of recipes', () => {
  const [seed = 0] = fuzzSeeds(1);
  it(`are red after every redesign, and green with every suggestion that is accepted (seed ${seed})`, () => {
    const cases = Array.from({ length: RECIPES }, (_, index) => ({
      kind: REDESIGNS[index % REDESIGNS.length] ?? 'renamed',
      seed: seed * 1000 + index,
    }));
    const report = testRedesigns(cases);
    expect(report.wrong).toEqual([]);
    expect(report.red).toBeGreaterThanOrEqual(0.99 * RECIPES);
    expect(report.repaired).toBeGreaterThan(RECIPES);
  }, 600_000);
});
