import { AppError } from '@gleaner/contracts';
import { createEgressPolicy, createHttpClient } from '@gleaner/egress';
import { createLogger, createMetrics } from '@gleaner/service-kit';
import { expect, it } from '@jest/globals';
import { BrowserPool } from '../browser/browser-pool.ts';
import { Calibrations } from '../calibrate/calibrations.ts';
import { PageReader } from '../extract/page-reader.ts';
import { openProxyPools } from '../open-proxy-pools.ts';
import { renderPage } from './scrape-page.ts';

const policy = createEgressPolicy({ allow: [] });
const logger = createLogger({ service: 'scraper', level: 'silent', format: 'json' });
const config = { PROXIES: undefined, PROXIES_FILE: undefined };

it('takes a wait for a browser for a failure of this service, not of the site', async () => {
  const pageReader = new PageReader({ maxThreads: 1 });
  const deps = {
    browserPool: new BrowserPool({
      startBrowser: () => new Promise(() => {}),
      startProxy: () => new Promise(() => {}),
      blockedUrls: [],
      limits: { maxUses: 1, idleMs: 1, maxTabMb: 1, maxBrowserMb: 1 },
      logger,
    }),
    httpClient: createHttpClient({ policy }),
    calibrations: new Calibrations(AbortSignal.timeout(60_000)),
    proxyPools: openProxyPools({ config, policy, logger, metrics: createMetrics('test') }),
    pageReader,
    policy,
    logger,
    isDisguised: false,
    sharesContexts: false,
    secretBox: undefined,
  };
  const deadline = new AbortController();
  const request = { url: 'https://shop.example/', render: true };
  const ids = { requestId: 'req_1', accountId: 'acc_1' };
  const rendering = renderPage(
    { ...ids, deadlineMs: Date.now() + 60_000, timeoutMs: 60_000, request },
    deps,
    {
      signal: deadline.signal,
      deadlineMs: Date.now() + 60_000,
      proxies: { except: [] },
    },
  );
  deadline.abort(new AppError('TIMEOUT'));
  expect(await rendering).toMatchObject({
    ok: false,
    failure: {
      code: 'TIMEOUT',
      source: 'api',
      message: expect.stringContaining('while waiting for a browser'),
    },
  });
  await pageReader.close();
});
