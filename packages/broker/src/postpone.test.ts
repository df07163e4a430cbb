import { QUEUES, type QueueDefinition } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { longestWithin } from './postpone.ts';

const queue: QueueDefinition = QUEUES['webhooks.deliveries'];

describe('the delay that work is put off by', () => {
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
    expect(longestWithin(wantedMs, queue)).toBe(delayMs);
  });

  it('does not exist for a queue without delays', () => {
    expect(() => longestWithin(1000, QUEUES['pages.http'])).toThrow('has no delays');
  });
});
