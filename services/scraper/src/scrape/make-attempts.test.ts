import { AppError, type ScrapeCommand } from '@gleaner/contracts';
import type { ProxyPools } from '@gleaner/egress';
import { describe, expect, it } from '@jest/globals';
import { type AttemptOnce, makeAttempts } from './make-attempts.ts';

const COMMAND: ScrapeCommand = {
  ...{ requestId: 'req_1', accountId: 'acc_1', deadlineMs: 0, timeoutMs: 1000 },
  request: { url: 'http://a.test/' },
};

/** What an attempt that fails so comes to, and what is logged of it. */
async function attempt(once: AttemptOnce) {
  const logged: unknown[] = [];
  const finding = await makeAttempts(
    COMMAND,
    {
      engine: 'http',
      proxyPools: {} as ProxyPools,
      proxies: { except: [] },
      logger: { error: (fields: object) => void logged.push(fields) },
    },
    once,
  );
  return { finding, logged };
}

describe('an attempt that fails', () => {
  it('for a fault of ours says so, and leaves the whole of it in the log, under its request', async () => {
    const fault = new TypeError('nobody thought of this');
    const { finding, logged } = await attempt(() => Promise.reject(fault));
    expect(finding).toMatchObject({ ok: false, failure: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(finding)).not.toContain('nobody thought');
    expect(logged).toEqual([{ err: fault, requestId: 'req_1' }]);
  });

  it('for a reason that the caller is told of is not logged', async () => {
    const { finding, logged } = await attempt(() => Promise.reject(new AppError('NOT_FOUND')));
    expect(finding).toMatchObject({ ok: false, failure: { code: 'NOT_FOUND' } });
    expect(logged).toEqual([]);
  });
});
