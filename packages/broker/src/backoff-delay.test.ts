import { describe, expect, it } from '@jest/globals';
import { backoffDelayMs } from './backoff-delay.ts';

describe('backoffDelayMs', () => {
  it('doubles from 100 ms to 5 s and stays there for ever', () => {
    expect([0, 1, 2, 5, 6, 1000].map((attempt) => backoffDelayMs(attempt, 0))).toEqual([
      100, 200, 400, 3200, 5000, 5000,
    ]);
  });

  it('takes off up to half', () => {
    expect(backoffDelayMs(1, 0.5)).toBe(150);
    expect(backoffDelayMs(1, 1)).toBe(100);
  });
});
