import { describe, expect, it } from '@jest/globals';
import { decideRetry, type RetrySituation } from './decide-retry.ts';

const FAILURE = { kind: 'failure', isTransient: true, isStaleConnection: false } as const;
const answer = (statusCode: number, retryAfterMs?: number) =>
  ({ kind: 'answer', statusCode, retryAfterMs }) as const;

function decide(situation: Partial<RetrySituation>): number | undefined {
  return decideRetry({
    outcome: FAILURE,
    attempts: 1,
    maxAttempts: 3,
    isIdempotent: true,
    remainingMs: 30_000,
    random: 1,
    ...situation,
  });
}

describe('decideRetry', () => {
  it('waits longer after each failure, and gives up after the last', () => {
    expect([1, 2, 3].map((attempts) => decide({ attempts }))).toEqual([200, 400, undefined]);
  });

  it('spreads the wait over its upper half', () => {
    expect([0, 0.5, 0.99].map((random) => decide({ random }))).toEqual([100, 150, 199]);
  });

  it('repeats at once what failed on a kept connection', () => {
    expect(decide({ outcome: { ...FAILURE, isStaleConnection: true } })).toBe(0);
  });

  it.each([429, 500, 502, 503, 504, 522])('repeats a request that was answered %i', (statusCode) => {
    expect(decide({ outcome: answer(statusCode) })).toBe(200);
  });

  it.each([200, 302, 400, 403, 404, 501, 505])('takes the answer %i as it is', (statusCode) => {
    expect(decide({ outcome: answer(statusCode) })).toBeUndefined();
  });

  it('waits as long as the server asks, but not for long', () => {
    expect(decide({ outcome: answer(503, 3_000) })).toBe(3_000);
    expect(decide({ outcome: answer(503, 0) })).toBe(200);
    expect(decide({ outcome: answer(429, 5_001) })).toBeUndefined();
  });

  it('never waits past the deadline', () => {
    expect(decide({ remainingMs: 200 })).toBeUndefined();
    expect(decide({ remainingMs: 201 })).toBe(200);
  });

  it('never repeats what may have had an effect, or cannot end otherwise', () => {
    expect(decide({ isIdempotent: false })).toBeUndefined();
    expect(decide({ outcome: { ...FAILURE, isTransient: false } })).toBeUndefined();
  });
});
