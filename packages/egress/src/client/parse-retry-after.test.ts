import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter } from './parse-retry-after.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Thursday, 01-Jan-26 00:01:30 GMT', 90],
    ['Thu Jan  1 00:01:30 2026', undefined],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['2026', 2026],
    ['99999999999', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j seconds', (value, seconds) => {
    expect(parseRetryAfter(value, NOW)).toBe(seconds);
  });
});
