import { AppError, type ErrorCode, toFailure } from '@gleaner/contracts';
import type { StoredPage } from '@gleaner/storage';
import { describe, expect, it } from '@jest/globals';
import { decidePageEnd } from './decide-page-end.ts';

const RULES = { maxAttempts: 3, retryDelayMs: 1000, maxPauseMs: 60_000 };
const NOW = { nowMs: 1_000_000, random: 0, hasAntiBot: true, mayRepeat: true };

function page(differences: Partial<StoredPage> = {}): StoredPage {
  const counts = { failures: 0, losses: 0, overdues: 0 };
  const place = { id: 'job_1:00007', jobId: 'job_1', index: 7, url: 'http://a.test/', host: 'a.test' };
  return { ...place, ...counts, state: 'running', attempt: 1, ...differences };
}

function failed(code: ErrorCode, retryAfterSeconds?: number) {
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { kind: 'failed' as const, failure: toFailure(new AppError(code, options)) };
}

describe('a page whose attempt failed', () => {
  it.each(['TIMEOUT', 'UPSTREAM_ERROR', 'BLOCKED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'] as const)(
    'is tried again after %s, later each time, until its attempts are used up',
    (code) => {
      const delays = [0, 1].map((failures) => {
        const end = decidePageEnd(page({ failures }), failed(code), RULES, NOW);
        return end.state === 'waiting' ? [end.because, end.notBefore.getTime() - NOW.nowMs] : end.state;
      });
      expect(delays).toEqual([
        ['failures', 1000],
        ['failures', 2000],
      ]);
      expect(decidePageEnd(page({ failures: 2 }), failed(code), RULES, NOW)).toEqual({
        id: 'job_1:00007',
        attempt: 1,
        state: 'failed',
        failure: expect.objectContaining({ code }),
      });
    },
  );

  it('waits for a new session where its own is over, after any failures, and fails with the third one', () => {
    const signedOut = { ...failed('PROFILE_EXPIRED'), signedOut: { session: 4, revision: 9 } };
    for (const sessions of [0, 1])
      expect(decidePageEnd(page({ sessions, failures: 2 }), signedOut, RULES, NOW)).toMatchObject({
        state: 'waiting',
        because: 'sessions',
        notBefore: new Date(NOW.nowMs),
        failure: { code: 'PROFILE_EXPIRED' },
      });
    const many = { ...RULES, maxAttempts: 10 };
    expect(decidePageEnd(page({ sessions: 2 }), signedOut, many, NOW)).toMatchObject({ state: 'failed' });
    expect(decidePageEnd(page(), failed('PROFILE_EXPIRED'), RULES, NOW)).toMatchObject({ state: 'failed' });
    const sent = { ...signedOut, wasSent: true };
    expect(decidePageEnd(page(), sent, RULES, NOW)).toMatchObject({ state: 'failed' });
  });

  it('is attempted again with a state that has replaced its own, which uses up none of its attempts', () => {
    const signedOut = { ...failed('PROFILE_EXPIRED'), signedOut: { session: 4, revision: 9 } };
    const replaced = { ...NOW, isReplaced: true };
    const end = decidePageEnd(page({ failures: 2 }), signedOut, RULES, replaced);
    expect(end).toMatchObject({ state: 'waiting', because: 'overdues' });
    const often = page({ sessions: 2, overdues: 9 });
    expect(decidePageEnd(often, signedOut, RULES, replaced)).toMatchObject({ state: 'failed' });
  });

  it.each([
    'NOT_FOUND',
    'INVALID_URL',
    'UNSUPPORTED_CONTENT',
    'REQUIRED_FIELD_MISSING',
    'INVALID_SELECTOR',
  ] as const)('fails at once with %s', (code) => {
    expect(decidePageEnd(page(), failed(code), RULES, NOW)).toMatchObject({ state: 'failed' });
  });

  it('fails at once with BLOCKED without antiBot: the same request would be blocked again', () => {
    const end = decidePageEnd(page(), failed('BLOCKED'), RULES, { ...NOW, hasAntiBot: false });
    expect(end).toMatchObject({ state: 'failed', failure: { code: 'BLOCKED' } });
  });

  it('waits as long as the target asks, within the bound, and never less than its back-off', () => {
    const delayOf = (seconds: number) => {
      const end = decidePageEnd(page(), failed('RATE_LIMITED', seconds), RULES, NOW);
      return end.state === 'waiting' && end.notBefore.getTime() - NOW.nowMs;
    };
    expect([30, 3600, 0].map(delayOf)).toEqual([30_000, 60_000, 1000]);
  });

  it('waits up to half as long, so that many pages do not come back at once', () => {
    const end = decidePageEnd(page(), failed('TIMEOUT'), RULES, { ...NOW, random: 1 });
    expect(end).toMatchObject({ notBefore: new Date(NOW.nowMs + 500) });
  });
});

describe('a page whose time went by while it waited for a worker', () => {
  const outcome = {
    kind: 'failed' as const,
    failure: toFailure(new AppError('TIMEOUT', { source: 'api' })),
  };

  it('is tried again later, without using up its attempts', () => {
    expect(decidePageEnd(page({ failures: 2, overdues: 1 }), outcome, RULES, NOW)).toMatchObject({
      state: 'waiting',
      because: 'overdues',
      notBefore: new Date(NOW.nowMs + 2000),
    });
  });

  it('fails in the end', () => {
    expect(decidePageEnd(page({ failures: 2, overdues: 9 }), outcome, RULES, NOW)).toMatchObject({
      state: 'failed',
      failure: { code: 'TIMEOUT', source: 'api' },
    });
  });
});

describe('a page whose worker died', () => {
  it('is tried again at once, twice, without using up its attempts', () => {
    for (const losses of [0, 1]) {
      expect(decidePageEnd(page({ losses, failures: 2 }), { kind: 'lost' }, RULES, NOW)).toMatchObject({
        state: 'waiting',
        because: 'losses',
        notBefore: new Date(NOW.nowMs),
      });
    }
  });

  it('fails when a third worker dies', () => {
    expect(decidePageEnd(page({ losses: 2 }), { kind: 'lost' }, RULES, NOW)).toMatchObject({
      state: 'failed',
      failure: { code: 'INTERNAL_ERROR', message: expect.stringContaining('3 workers died') },
    });
  });
});

describe('a page that no worker reported on', () => {
  it('is dispatched again without blame, but not forever', () => {
    expect(decidePageEnd(page(), { kind: 'overdue' }, RULES, NOW)).toMatchObject({ because: 'overdues' });
    expect(decidePageEnd(page({ overdues: 9 }), { kind: 'overdue' }, RULES, NOW)).toMatchObject({
      state: 'failed',
      failure: { code: 'TIMEOUT', source: 'api' },
    });
  });
});

describe('a page whose request must not be sent twice', () => {
  const once = { ...NOW, mayRepeat: false };

  it.each(['lost', 'overdue'] as const)('fails when it is %s, since it may have been sent', (kind) => {
    expect(decidePageEnd(page(), { kind }, RULES, once)).toMatchObject({
      state: 'failed',
      failure: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('was not sent again') },
    });
  });

  it('fails with any error once it was sent', () => {
    const timeout = { ...failed('TIMEOUT'), wasSent: true };
    timeout.failure.source = 'api';
    for (const outcome of [timeout, { ...failed('RATE_LIMITED', 5), wasSent: true }]) {
      expect(decidePageEnd(page(), outcome, RULES, once)).toMatchObject({ state: 'failed' });
    }
  });

  it('is sent again while nothing of it was sent', () => {
    for (const outcome of [failed('UPSTREAM_ERROR'), { kind: 'unstarted' as const }]) {
      expect(decidePageEnd(page(), outcome, RULES, once)).toMatchObject({ state: 'waiting' });
    }
  });
});
