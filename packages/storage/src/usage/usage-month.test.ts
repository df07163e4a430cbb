import { describe, expect, it } from '@jest/globals';
import { monthOf, monthsBetween } from './usage-month.ts';

describe('monthOf', () => {
  it.each([
    ['2024-02-29T23:59:59.999Z', '2024-02', '2024-03-01T00:00:00.000Z'],
    ['2025-12-01T00:00:00.000Z', '2025-12', '2026-01-01T00:00:00.000Z'],
  ])('places %s in %s, which ends at %s', (moment, month, end) => {
    expect(monthOf('acc', new Date(moment))).toEqual({
      id: `acc:${month}`,
      accountId: 'acc',
      month,
      start: new Date(`${month}-01T00:00:00.000Z`),
      end: new Date(end),
    });
  });
});

describe('monthsBetween', () => {
  it.each([
    ['2025-11-30', '2026-02-01', ['2025-11', '2025-12', '2026-01']],
    ['2025-11-30', '2026-02-02', ['2025-11', '2025-12', '2026-01', '2026-02']],
    ['2025-11-30', '2025-12-01', ['2025-11']],
    ['2025-11-30', '2025-11-30', []],
  ])('returns the months from %s until %s: %j', (from, to, months) => {
    const between = monthsBetween('acc', new Date(from), new Date(to));
    expect(between.map(({ month }) => month)).toEqual(months);
  });
});
