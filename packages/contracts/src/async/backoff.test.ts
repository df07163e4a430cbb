import { describe, expect, it } from '@jest/globals';
import { type Backoff, backoffMs } from './backoff.ts';

const RECONNECTING: Backoff = { firstMs: 100, longestMs: 5000, jitter: 'half' };

describe('backoffMs', () => {
  it('doubles from the first delay to the longest and stays there', () => {
    expect([0, 1, 2, 5, 6, 5000].map((doublings) => backoffMs(RECONNECTING, doublings))).toEqual([
      100, 200, 400, 3200, 5000, 5000,
    ]);
  });

  it('takes off up to half', () => {
    expect([0, 0.5, 1].map((random) => backoffMs(RECONNECTING, 1, random))).toEqual([200, 150, 100]);
  });

  it('takes off up to a quarter, also of the longest delay', () => {
    const backoff: Backoff = { ...RECONNECTING, jitter: 'quarter' };
    expect([0, 1].map((random) => backoffMs(backoff, 1, random))).toEqual([200, 150]);
    expect(backoffMs(backoff, 100, 1)).toBe(3750);
  });

  it('takes nothing off without jitter', () => {
    expect(backoffMs({ ...RECONNECTING, jitter: 'none' }, 1, 1)).toBe(200);
  });

  it('stays zero for a first delay of zero, and finite without a bound', () => {
    expect(backoffMs({ firstMs: 0, jitter: 'none' }, 5000)).toBe(0);
    expect(backoffMs({ firstMs: 1, jitter: 'none' }, 5000)).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });
});
