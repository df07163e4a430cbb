import { describe, expect, it } from '@jest/globals';
import { daysBetween } from './days-between.ts';

describe('daysBetween', () => {
  it('fills the days without use', () => {
    const known = [{ day: '2026-03-01', credits: 3, requests: 2 }];
    expect(daysBetween('2026-02-28', '2026-03-02', known)).toEqual([
      { day: '2026-02-28', credits: 0, requests: 0 },
      { day: '2026-03-01', credits: 3, requests: 2 },
      { day: '2026-03-02', credits: 0, requests: 0 },
    ]);
  });
});
