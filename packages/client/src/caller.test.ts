import { describe, expect, it } from '@jest/globals';
import { decideRetry, type FailedAttempt, systemCodeOf } from './caller.ts';

type Fields = FailedAttempt['error'];

const OURS = (status: number, code: Fields['code'] = 'SERVICE_UNAVAILABLE'): Fields => ({
  ...{ code, source: 'api', status, retryAfterMs: undefined, cause: undefined },
});
const lost = (systemCode: string): Fields => ({
  ...{ code: 'CONNECTION_FAILED', source: 'client', status: undefined, retryAfterMs: undefined },
  cause: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: systemCode }) }),
});

function decide(error: Fields, rest: Partial<FailedAttempt> = {}): number | undefined {
  const usual = {
    repeatability: 'safe',
    retries: 0,
    maxRetries: 2,
    remainingMs: 60_000,
    random: 0.5,
  } as const;
  return decideRetry({ ...usual, error, ...rest });
}

describe('decideRetry', () => {
  it.each([429, 502, 503])('repeats a safe call that our side answered with %d', (status) => {
    expect(decide(OURS(status))).toBe(150);
  });

  it.each([400, 401, 404, 409, 422, 500])('repeats nothing that was answered with %d', (status) => {
    expect(decide(OURS(status))).toBeUndefined();
  });

  it.each([429, 502, 503])('never repeats an error of the target, such as its %d', (status) => {
    expect(decide({ ...OURS(status), source: 'target' })).toBeUndefined();
  });

  it('repeats a scrape only when it surely did not run', () => {
    const scrape = { repeatability: 'scrape' } as const;
    expect(decide(OURS(429), scrape)).toBeDefined();
    expect(decide(OURS(503), scrape)).toBeDefined();
    expect(decide(lost('ECONNREFUSED'), scrape)).toBeDefined();
    expect(decide(OURS(502), scrape)).toBeUndefined();
    expect(decide(lost('ECONNRESET'), scrape)).toBeUndefined();
  });

  it('repeats what creates something without a key only before it can have begun', () => {
    const once = { repeatability: 'once' } as const;
    expect(decide(OURS(429), once)).toBeDefined();
    expect(decide(lost('ENOTFOUND'), once)).toBeDefined();
    expect(decide(OURS(503), once)).toBeUndefined();
    expect(decide(lost('ECONNRESET'), once)).toBeUndefined();
  });

  it('waits at least as long as Retry-After says, and longer after each retry', () => {
    expect(decide({ ...OURS(429), retryAfterMs: 5000 })).toBe(5150);
    expect(decide(OURS(503), { retries: 3, maxRetries: 5 })).toBe(1200);
    expect(decide(OURS(503), { retries: 30, maxRetries: 50 })).toBe(5000);
  });

  it('gives up after the last retry, and where the wait is longer than the time that is left', () => {
    expect(decide(OURS(503), { retries: 2 })).toBeUndefined();
    expect(decide({ ...OURS(429), retryAfterMs: 5000 }, { remainingMs: 5000 })).toBeUndefined();
  });
});

describe('systemCodeOf', () => {
  it('finds the code below the error of fetch, also among those of several addresses', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(systemCodeOf(new TypeError('fetch failed', { cause: new AggregateError([refused]) }))).toBe(
      'ECONNREFUSED',
    );
    expect(systemCodeOf(new TypeError('fetch failed'))).toBeUndefined();
  });
});
