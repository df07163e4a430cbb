import type { ScrapeReply } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { mentionWait } from './handle-scrape.ts';

function failed(code: 'TIMEOUT' | 'BLOCKED'): ScrapeReply {
  const failure = { code, message: 'It failed.', suggestion: '', source: 'api' as const };
  return { ok: false, failure, attempts: [] };
}

describe('mentionWait', () => {
  it('tells how long a request that timed out had waited for a worker', () => {
    expect(mentionWait(failed('TIMEOUT'), 24_040)).toMatchObject({
      failure: { message: 'It failed. Before that, the request waited 24.0 s for a free worker.' },
    });
  });

  it.each([
    ['a TIMEOUT after a short wait', failed('TIMEOUT'), 999],
    ['another error', failed('BLOCKED'), 24_000],
  ])('leaves %s as it is', (_, reply, waitedMs) => {
    expect(mentionWait(reply, waitedMs)).toBe(reply);
  });
});
