import { AppError, type ScrapeCommand } from '@gleaner/contracts';
import type { ProxyPools } from '@gleaner/egress';
import { describe, expect, it } from '@jest/globals';
import { Attempts } from './attempts.ts';
import { findingOf } from './finding-of.ts';
import type { ScrapedPage } from './scrape.ts';

const COMMAND: ScrapeCommand = {
  requestId: 'req_1',
  accountId: 'acc_1',
  deadlineMs: 0,
  timeoutMs: 1000,
  request: { url: 'http://a.test/' },
};

/** Returns the finding of attempts that end like this one, with the number of attempts and all log entries. */
function attemptAll(run: () => ScrapedPage) {
  const logged: unknown[] = [];
  const attempts = new Attempts<ScrapedPage>(COMMAND, {
    engine: 'http',
    proxyPools: {} as ProxyPools,
    proxies: { except: [] },
    logger: { error: (fields: object) => void logged.push(fields) },
  });
  let count = 0;
  for (const { route, clock } of attempts) {
    expect(route).toBeUndefined();
    count += 1;
    try {
      clock.enter('extract');
      const scraped = run();
      attempts.succeeded(scraped, scraped.page.statusCode);
    } catch (error) {
      attempts.failed(error);
    }
  }
  return { finding: findingOf(attempts.outcome, COMMAND), count, logged };
}

describe('attempts without a proxy', () => {
  it('are one direct attempt, recorded with its status', () => {
    const page: ScrapedPage['page'] = {
      dataJson: '{}',
      warnings: [],
      finalUrl: 'http://a.test/',
      statusCode: 203,
      timestamp: '2026-01-01T00:00:00.000Z',
      engine: 'http',
    };
    const { finding, count } = attemptAll(() => ({ page }));
    expect(count).toBe(1);
    expect(finding).toEqual({
      ok: true,
      result: {
        ...page,
        attempts: [
          {
            engine: 'http',
            statusCode: 203,
            outcome: 'success',
            durationMs: expect.any(Number),
            startedAtMs: expect.any(Number),
            stages: { extract: expect.any(Number) },
          },
        ],
      },
    });
  });

  it('report an internal error without its details, and log it with the id of the request', () => {
    const bug = new TypeError('x is not a function');
    const { finding, count, logged } = attemptAll(() => {
      throw bug;
    });
    expect(count).toBe(1);
    expect(finding).toMatchObject({ ok: false, failure: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(finding)).not.toContain('not a function');
    expect(logged).toEqual([{ err: bug, requestId: 'req_1' }]);
  });

  it('do not log an error that the caller is told', () => {
    const { finding, logged } = attemptAll(() => {
      throw new AppError('NOT_FOUND');
    });
    expect(finding).toMatchObject({ ok: false, failure: { code: 'NOT_FOUND' } });
    expect(logged).toEqual([]);
  });
});
