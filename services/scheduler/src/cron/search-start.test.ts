import { describe, expect, it } from '@jest/globals';
import { searchStart } from './search-start.ts';

describe('searchStart', () => {
  it.each([
    ['now before the first tick', '12:00', undefined, '12:00'],
    ['now after the last tick', '12:00', '11:59', '12:00'],
    ['the last tick when the clock was set back behind it', '11:58', '12:00', '12:00'],
    ['the last tick when the clock lost hours', '09:00', '12:00', '12:00'],
    ['now when the last tick came from a clock that was far ahead', '08:59', '12:00', '08:59'],
  ])('returns %s', (_case, now, lastDueAt, expected) => {
    const at = (time: string) => new Date(`2026-01-01T${time}:00Z`);
    expect(searchStart(at(now), lastDueAt === undefined ? undefined : at(lastDueAt))).toEqual(at(expected));
  });
});
