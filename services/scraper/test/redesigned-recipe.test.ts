import { REDESIGNS } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { testRedesigns } from './redesigned-recipe.ts';

describe('the test of a recipe', () => {
  it('is red after each kind of redesign, and green with the selectors that are proposed then', () => {
    const report = testRedesigns(REDESIGNS.map((kind, index) => ({ kind, seed: 7000 + index })));
    expect(report.wrong).toEqual([]);
    expect(report.red).toBe(REDESIGNS.length);
    expect(report.repaired).toBeGreaterThan(REDESIGNS.length);
  });
});
