import { QUEUES, type QueueDefinition } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { longestDelayWithin } from './delay-queues.ts';

const queue: QueueDefinition = QUEUES['webhooks.deliveries'];

describe('longestDelayWithin', () => {
  it.each([
    [-5, 100],
    [0, 100],
    [100, 100],
    [999, 100],
    [1000, 1000],
    [59_999, 10_000],
    [43_200_000, 21_600_000],
    [Number.MAX_SAFE_INTEGER, 21_600_000],
  ])('for %d ms is %d ms', (wantedMs, delayMs) => {
    expect(longestDelayWithin(wantedMs, queue)).toBe(delayMs);
  });

  it('throws for a queue without delays', () => {
    expect(() => longestDelayWithin(1000, QUEUES['pages.http'])).toThrow('has no delays');
  });
});
