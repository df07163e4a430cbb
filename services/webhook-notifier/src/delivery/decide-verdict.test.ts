import { describe, expect, it } from '@jest/globals';
import { type AttemptOutcome, decideVerdict, RETRY_DELAYS_MS } from './decide-verdict.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');

function decide(outcome: AttemptOutcome, attemptsInRound = 1, random = 0) {
  return decideVerdict({ outcome, attemptsInRound, retryDelaysMs: RETRY_DELAYS_MS, random, now: NOW });
}

function waitAfter(outcome: AttemptOutcome, attemptsInRound = 1, random = 0): number {
  const verdict = decide(outcome, attemptsInRound, random);
  if (verdict.status !== 'pending') throw new Error(`It is ${verdict.status}.`);
  return verdict.nextAttemptAt.getTime() - NOW.getTime();
}

const answer = (statusCode: number, retryAfterSeconds?: number) => ({ statusCode, retryAfterSeconds });
const noAnswer = { statusCode: undefined };

describe('after an attempt', () => {
  it.each([200, 201, 202, 204, 299])('status %d means delivered', (status) => {
    expect(decide(answer(status))).toEqual({ status: 'delivered' });
  });

  it.each([199, 300, 301, 302, 307, 400, 401, 404, 429, 500, 503, 599])(
    'with %d there is another',
    (status) => {
      expect(decide(answer(status)).status).toBe('pending');
    },
  );

  it('status 410 ends the delivery', () => {
    expect(decide(answer(410))).toMatchObject({ status: 'gone', reason: expect.stringContaining('410') });
  });

  it('the delays are 10 s, 1 min, 5 min, 30 min, 2 h, 6 h and 12 h, and then the delivery fails', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => waitAfter(noAnswer, tries) / 1000);
    expect(waits).toEqual([10, 60, 300, 1800, 7200, 21_600, 43_200]);
    expect(decide(noAnswer, 8)).toEqual({ status: 'failed', reason: 'All 8 attempts failed.' });
  });

  it('jitter adds up to a tenth to a delay', () => {
    expect(waitAfter(noAnswer, 2, 0.5)).toBe(63_000);
    expect(waitAfter(noAnswer, 2, 0.999)).toBeLessThanOrEqual(66_000);
  });

  it('a Retry-After lengthens the delay up to a day, and never shortens it', () => {
    expect(waitAfter(answer(429, 120))).toBe(120_000);
    expect(waitAfter(answer(503, 1))).toBe(10_000);
    expect(waitAfter(answer(503, 9_999_999_999))).toBe(86_400_000);
  });
});
