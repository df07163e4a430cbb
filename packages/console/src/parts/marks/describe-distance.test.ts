import { describe, expect, it } from '@jest/globals';
import { describeDistance, describeDuration } from './describe-distance.ts';

describe('describeDistance', () => {
  it.each([
    [-1_000, 'now'],
    [-42_000, '42 sec. ago'],
    [7_200_000, 'in 2 hr.'],
    [-86_400_000, 'yesterday'],
  ])('%p ms: %p', (ms, text) => {
    expect(describeDistance(ms)).toBe(text);
  });
});

describe('describeDuration', () => {
  it.each([
    [340.4, '340 ms'],
    [2_449, '2.4 s'],
    [200_000, '3 min 20 s'],
    [3_780_000, '1 h 3 min'],
  ])('%p ms: %p', (ms, text) => {
    expect(describeDuration(ms)).toBe(text);
  });
});
