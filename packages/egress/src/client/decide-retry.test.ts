import { describe, expect, it } from '@jest/globals';
import { decideRetry, parseRetryAfter, type RetrySituation } from './decide-retry.ts';

const FAILURE = { kind: 'failure', isTransient: true, isStaleConnection: false } as const;
const response = (statusCode: number, retryAfterMs?: number) =>
  ({ kind: 'response', statusCode, retryAfterMs }) as const;

function decide(situation: Partial<RetrySituation>): number | undefined {
  return decideRetry({
    outcome: FAILURE,
    attempts: 1,
    maxAttempts: 3,
    mayRepeat: true,
    remainingMs: 30_000,
    random: 1,
    ...situation,
  });
}

describe('decideRetry', () => {
  it('waits longer after each failure and stops after the last', () => {
    expect([1, 2, 3].map((attempts) => decide({ attempts }))).toEqual([200, 400, undefined]);
  });

  it('spreads the wait over its upper half', () => {
    expect([0, 0.5, 0.99].map((random) => decide({ random }))).toEqual([100, 150, 199]);
  });

  it('retries at once after a failure on a kept connection', () => {
    expect(decide({ outcome: { ...FAILURE, isStaleConnection: true } })).toBe(0);
  });

  it.each([429, 500, 502, 503, 504, 522])('retries after status %i', (statusCode) => {
    expect(decide({ outcome: response(statusCode) })).toBe(200);
  });

  it.each([200, 302, 400, 403, 404, 501, 505])('does not retry after status %i', (statusCode) => {
    expect(decide({ outcome: response(statusCode) })).toBeUndefined();
  });

  it('honors a short Retry-After only', () => {
    expect(decide({ outcome: response(503, 3_000) })).toBe(3_000);
    expect(decide({ outcome: response(503, 0) })).toBe(200);
    expect(decide({ outcome: response(429, 5_001) })).toBeUndefined();
  });

  it('never waits past the deadline', () => {
    expect(decide({ remainingMs: 200 })).toBeUndefined();
    expect(decide({ remainingMs: 201 })).toBe(200);
  });

  it('never retries requests that are not idempotent, or permanent failures', () => {
    expect(decide({ mayRepeat: false })).toBeUndefined();
    expect(decide({ outcome: { ...FAILURE, isTransient: false } })).toBeUndefined();
  });
});

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
