import { describe, expect, it } from '@jest/globals';
import { afterAttempt, allowance, HEALTHY } from './breaker.ts';

const failed = { isHealthy: false, retryAfterMs: 0, nowMs: 0 };

function afterFailures(count: number) {
  return Array.from({ length: count }).reduce<typeof HEALTHY>(
    (state) => afterAttempt(state, failed),
    HEALTHY,
  );
}

describe('an endpoint', () => {
  it('has its usual number of attempts while healthy, and after a few failures', () => {
    expect(allowance(HEALTHY, 0, 5)).toBe(5);
    expect(allowance(afterFailures(4), 0, 5)).toBe(5);
  });

  it('is paused after five failures in a row, then probed by one attempt', () => {
    const state = afterFailures(5);
    expect(allowance(state, 999, 5)).toBe(0);
    expect(allowance(state, 1000, 5)).toBe(1);
  });

  it('is paused longer each time, up to a minute', () => {
    const pauses = [5, 6, 7, 10, 11, 50].map((count) => afterFailures(count).pausedUntilMs);
    expect(pauses).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
  });

  it('is healthy again after one success', () => {
    expect(afterAttempt(afterFailures(20), { ...failed, isHealthy: true })).toEqual(HEALTHY);
  });

  it('is paused at once by a Retry-After, at most for a minute', () => {
    const asked = afterAttempt(HEALTHY, { ...failed, retryAfterMs: 3_600_000 });
    expect([allowance(asked, 59_999, 5), allowance(asked, 60_000, 5)]).toEqual([0, 5]);
  });
});
