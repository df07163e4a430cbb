import { type Climb, type RungName, type ScrapeResult, totalCredits } from '@gleaner/contracts';
import { eventually, htmlPath, startHttpProxy } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserIn } from './browser-processes.ts';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { checkWall, WALL_IS_NO_PAGE } from './check-wall.ts';
import { scrapeBriefly } from './scrape-briefly.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const CHALLENGE = 'cloudflare-challenge';

/** Attempts up to each rung, and its price for a request without rendering. */
const RUNGS: Readonly<Partial<Record<RungName, { attempts: string[]; credits: number }>>> = {
  plain: { attempts: ['http success'], credits: 1 },
  chrome: { attempts: ['http BLOCKED', 'http success'], credits: 11 },
  browser: { attempts: ['http BLOCKED', 'http BLOCKED', 'browser success'], credits: 15 },
  disguised: {
    attempts: ['http BLOCKED', 'http BLOCKED', 'browser BLOCKED', 'browser success'],
    credits: 15,
  },
};

function shown({ attempts }: { attempts: ScrapeResult['attempts'] }): string[] {
  return attempts.map(({ engine, outcome }) => `${engine} ${outcome}`);
}

/** Returns the problems that the scripts of walls reported. */
function faultsSeen({ origin }: TestScraper): string[] {
  return origin
    .requestsTo('/wall-report')
    .map(({ url }) => new URL(url, origin.url).searchParams.get('faults') ?? '');
}

describe('without antiBot', () => {
  it.each(['headers', 'script'])(
    'a wall that checks %s is BLOCKED, and antiBot is suggested',
    async (check) => {
      await using scraper = await startTestScraper({ ENGINES: 'http' });
      const reply = await scraper.scrape({ url: `/wall/${CHALLENGE}/${check}` });
      expect(reply).toMatchObject({
        ok: false,
        failure: { code: 'BLOCKED', suggestion: expect.stringContaining('Enable antiBot') },
        attempts: [{ engine: 'http', outcome: 'BLOCKED' }],
      });
    },
  );
});

await describeWithBrowser('with antiBot', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper({ ...settings, ANTIBOT_REMEMBER_MS: '0' });
    // Warms up the browsers, so that their start does not use up a rung's share of the time.
    for (const request of [{ render: true }, { antiBot: true, url: `/wall/${CHALLENGE}/webdriver` }]) {
      await scraper.scrape({ url: '/', ...request }, { timeoutMs: 120_000 });
    }
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it.each<[string, RungName]>([
    ['/', 'plain'],
    ['/protected-but-open', 'plain'],
    ['/talks-about-blocking', 'plain'],
    [`/wall/${CHALLENGE}/headers`, 'chrome'],
    [`/wall/${CHALLENGE}/header-order`, 'chrome'],
    [`/wall/${CHALLENGE}/coherence`, 'chrome'],
    [`/wall/${CHALLENGE}/script`, 'browser'],
    [`/wall/${CHALLENGE}/webdriver`, 'disguised'],
    [`/wall/${CHALLENGE}/fingerprint`, 'disguised'],
  ])('gets %s on the rung %s, for its price, and tries no higher rung', async (url, rung) => {
    const reply = await scraper.scrape({ url, antiBot: true, selectors: { h: 'h1' } });
    if (!reply.ok) throw new Error(`${reply.failure.message} ${faultsSeen(scraper).join(' | ')}`);
    const { attempts = [], credits } = RUNGS[rung] ?? {};
    expect(shown(reply.result)).toEqual(attempts);
    expect(totalCredits(reply.result.price)).toBe(credits);
    if (url.startsWith('/wall'))
      expect(JSON.parse(reply.result.dataJson ?? '')).toEqual({ h: 'Behind the wall' });
  });

  // The walls of all vendors are tried by the long suite, and told from pages by classify-response.test.ts.
  it.each([CHALLENGE, 'akamai', 'generic-captcha'])(WALL_IS_NO_PAGE, (vendor) => checkWall(scraper, vendor));

  it('waits for a wall that reloads itself after a few seconds', async () => {
    const url = '/blocked/akamai-interstitial';
    const reply = await scraper.scrape({ url, antiBot: true, selectors: { title: 'title' } });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    expect(shown(reply.result)).toEqual(['http BLOCKED', 'http BLOCKED', 'browser success']);
    expect(reply.result.finalUrl).toContain('bm-verify=');
  });

  it('does not climb for errors that every rung would meet', async () => {
    for (const [url, code] of [
      ['/status/404', 'NOT_FOUND'],
      ['/status/500', 'UPSTREAM_ERROR'],
      ['/rate-limited', 'RATE_LIMITED'],
      ['/type?as=application/zip&hex=504b0304', 'UNSUPPORTED_CONTENT'],
    ] as const) {
      const reply = await scraper.scrape({ url, antiBot: true });
      expect(reply).toMatchObject({ ok: false, failure: { code }, attempts: [{ outcome: code }] });
      expect(!reply.ok && reply.attempts.length).toBe(1);
    }
  });

  it('reports a site that refuses every rung, and does not suggest antiBot again', async () => {
    const url = `/wall/akamai/address?from=192.0.2.1`;
    const reply = await scraper.scrape({ url, antiBot: true });
    if (reply.ok) throw new Error('It got through.');
    expect(shown(reply)).toEqual([...['http BLOCKED', 'http BLOCKED', 'browser BLOCKED', 'browser BLOCKED']]);
    expect(reply.failure.message).toMatch(/^Akamai .* 4 attempts were made\.$/);
    expect(reply.failure.suggestion).toContain('has tried every method');
  });

  it('tries no rung that costs more than maxCredits, and says how much the next one costs', async () => {
    const url = `/wall/${CHALLENGE}/webdriver`;
    const reply = await scraper.scrape({ url, antiBot: true, maxCredits: 12 });
    if (reply.ok) throw new Error('It got through.');
    expect(shown(reply)).toEqual(['http BLOCKED', 'http BLOCKED']);
    expect(reply.failure.suggestion).toContain('Set it to 15 or more');
  });

  it('begins in the browser when the page must be rendered, and waits for the page behind the wall', async () => {
    const url = `/wall/${CHALLENGE}/webdriver`;
    const request = { url, antiBot: true, waitFor: '.price', screenshot: true, selectors: { p: '.price' } };
    const reply = await scraper.scrape(request);
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(shown(reply.result)).toEqual(['browser BLOCKED', 'browser success']);
    expect(reply.result.price).toEqual({ base: 1, render: 4, screenshot: 1, antiBot: 10 });
    expect(JSON.parse(reply.result.dataJson ?? '')).toEqual({ p: '19.90' });
    expect(Buffer.from(reply.result.screenshot ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  it('charges nothing for antiBot when the requested browser was enough', async () => {
    const url = `/wall/${CHALLENGE}/script`;
    const reply = await scraper.scrape({ url, antiBot: true, render: true });
    expect(reply).toMatchObject({ ok: true, result: { price: { base: 1, render: 4 } } });
  });

  it('leaves time for the browser when the site never answers plain fetches', async () => {
    const reply = await scrapeBriefly(
      (timeoutMs) => scraper.scrape({ url: '/stall/before-headers', antiBot: true }, { timeoutMs }),
      10_000,
      (failed) => shown(failed).includes('browser TIMEOUT'),
    );
    if (reply.ok) throw new Error('It got through.');
    expect(shown(reply)).toEqual(expect.arrayContaining(['http TIMEOUT', 'browser TIMEOUT']));
  });

  it('extracts the document itself, even if the page tampers with the disguise', async () => {
    const script = `navigator.__proto__.constructor.prototype = {}; Function.prototype.toString = () => 'forged';
      WeakMap.prototype.get = () => 'forged'; Reflect.apply = () => 'forged';
      Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<h1>forged</h1>' })`;
    const url = htmlPath(`<h1>true</h1><script>${script}</script>`);
    const climb: Climb = { rung: 'disguised', attempts: [] };
    const reply = await scraper.scrape(
      { url, render: true, antiBot: true, selectors: { h: 'h1' } },
      { climb },
    );
    expect(reply.ok && JSON.parse(reply.result.dataJson ?? '')).toEqual({ h: 'true' });
  });
});

await describeWithBrowser('a browser that is killed behind a wall', (settings) => {
  it('is replaced on the same rung, without an attempt that the caller sees', async () => {
    const folder = await makeBrowserFolder();
    await using scraper = await startTestScraper({ ...settings, BROWSER_DIR: folder });
    const climb: Climb = {
      rung: 'disguised',
      attempts: [{ engine: 'browser', statusCode: 403, outcome: 'BLOCKED', durationMs: 10 }],
    };
    // The first visit never ends.
    const url = '/stall/first-visit/killed';
    const request = { url, render: true, antiBot: true, selectors: { title: 'title' } };
    const climbing = scraper.scrape(request, { climb });
    await eventually(() => expect(scraper.origin.requestsTo(url)).toHaveLength(1));
    const [browser] = await browserIn(folder);
    process.kill(-(browser?.group ?? 0), 'SIGKILL');
    const reply = await climbing;
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(shown(reply.result)).toEqual(['browser BLOCKED', 'browser success']);
    expect(reply.result.price).toEqual({ base: 1, render: 4, antiBot: 10 });
    expect(scraper.origin.requestsTo(url)).toHaveLength(2);
  });
});

await describeWithBrowser('the rung that worked for a host', (settings) => {
  const url = `/wall/${CHALLENGE}/webdriver`;

  it('is tried first the next time, with the cookies of the passed check', async () => {
    await using scraper = await startTestScraper(settings);
    const first = await scraper.scrape({ url, antiBot: true });
    const asked = scraper.origin.requestsTo(url).length;
    const second = await scraper.scrape({ url, antiBot: true });
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(second.ok && shown(second.result)).toEqual(['browser success']);
    expect(second.ok && second.result.price).toEqual({ base: 1, render: 4, antiBot: 10 });
    const [request, ...more] = scraper.origin.requestsTo(url).slice(asked);
    expect(request?.headers.cookie).toBe('wall-proof=revirdbew');
    expect(more).toEqual([]);
  });

  it('is not mixed with a session of the caller', async () => {
    await using scraper = await startTestScraper(settings);
    const cookies = [{ name: 'session', value: 'mine' }];
    const first = await scraper.scrape({ url, antiBot: true, cookies });
    const asked = scraper.origin.requestsTo(url).length;
    const second = await scraper.scrape({ url, antiBot: true });
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(scraper.origin.requestsTo(url)[asked]?.headers.cookie).toBeUndefined();
  });
});

await describeWithBrowser('scrapers for one engine each', (settings) => {
  const ENGINES = [{ ENGINES: 'http' }, { ...settings, ENGINES: 'browser' }];
  const url = `/wall/${CHALLENGE}/script`;

  it('forward a scrape with its attempts, and the caller gets one reply', async () => {
    await using scraper = await startTestScraper(...ENGINES);
    const reply = await scraper.scrape({ url, antiBot: true, selectors: { h: 'h1' } });
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(shown(reply.result)).toEqual(['http BLOCKED', 'http BLOCKED', 'browser success']);
    expect(reply.result.price).toEqual({ base: 1, render: 4, antiBot: 10 });
    const again = await scraper.scrape({ url, antiBot: true });
    expect(again.ok && shown(again.result)).toEqual(['browser success']);
  });

  it('forward a page of a job as the same attempt, and report one outcome', async () => {
    await using scraper = await startTestScraper(...ENGINES);
    await scraper.sendPage({ url, antiBot: true, selectors: { h: 'h1' } }, { attempt: 3 });
    const [outcome] = await eventually(
      () => {
        expect(scraper.outcomes).toHaveLength(1);
        return scraper.outcomes;
      },
      { timeoutMs: 240_000 },
    );
    expect(outcome).toMatchObject({
      attempt: 3,
      outcome: {
        kind: 'found',
        engine: 'browser',
        dataJson: '{"h":"Behind the wall"}',
        price: { base: 1, render: 4, antiBot: 10 },
      },
    });
    expect(outcome?.outcome.kind === 'found' && shown(outcome.outcome)).toEqual([
      ...['http BLOCKED', 'http BLOCKED', 'browser success'],
    ]);
    await scraper.sendPage({ url: '/', antiBot: true }, { pageId: 'job_1:1' });
    await eventually(() => expect(scraper.outcomes).toHaveLength(2));
  });

  it('report a failed page of a job with its attempts', async () => {
    await using scraper = await startTestScraper({ ENGINES: 'http' });
    await scraper.sendPage({ url: '/status/404' });
    await eventually(() =>
      expect(scraper.outcomes).toMatchObject([
        {
          outcome: {
            kind: 'failed',
            failure: {
              code: 'NOT_FOUND',
              targetStatusCode: 404,
              attempts: [{ engine: 'http', statusCode: 404, outcome: 'NOT_FOUND' }],
            },
          },
        },
      ]),
    );
  });
});

await describeWithBrowser('through proxies', (settings) => {
  const url = '/wall/akamai/address?from=127.0.0.3';
  const request = { url, antiBot: true, proxy: 'us', selectors: { h: 'h1' } };

  it('keeps the same proxy from rung to rung, and uses another where the site refuses its address', async () => {
    await using refused = await startHttpProxy();
    await using welcome = await startHttpProxy({ localAddress: '127.0.0.3' });
    const PROXIES = JSON.stringify({ us: [refused.url, welcome.url] });
    await using scraper = await startTestScraper({ ...settings, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const reply = await scraper.scrape(request);
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(reply.result.attempts.map(({ proxy, outcome }) => `${proxy} ${outcome}`)).toEqual([
      ...['us-1 BLOCKED', 'us-1 BLOCKED', 'us-1 BLOCKED', 'us-1 BLOCKED', 'us-2 success'],
    ]);
    expect(reply.result.price).toEqual({ base: 1, render: 4, proxy: 5, antiBot: 10 });
    expect(JSON.parse(reply.result.dataJson ?? '')).toEqual({ h: 'Behind the wall' });
    const again = await scraper.scrape(request);
    expect(again.ok && again.result.attempts).toMatchObject([{ proxy: 'us-2', outcome: 'success' }]);
  });

  it('stops when no other proxy is left, and never connects without one', async () => {
    await using only = await startHttpProxy();
    const PROXIES = JSON.stringify({ us: [only.url] });
    await using scraper = await startTestScraper({ ...settings, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const reply = await scraper.scrape(request);
    if (reply.ok) throw new Error('It got through.');
    expect(reply.failure.code).toBe('BLOCKED');
    expect(reply.attempts.map(({ proxy }) => proxy)).toEqual(['us-1', 'us-1', 'us-1', 'us-1']);
  });

  it('has the languages and the time zone of the proxy country', async () => {
    await using proxy = await startHttpProxy();
    const PROXIES = JSON.stringify({ jp: [proxy.url] });
    await using scraper = await startTestScraper({ ...settings, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const page = htmlPath(`<p id=out></p><script>
      out.textContent = [navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone].join(' ')</script>`);
    const climb: Climb = { rung: 'disguised', attempts: [] };
    const options = { antiBot: true, render: true, proxy: 'jp', selectors: { out: '#out' } };
    const reply = await scraper.scrape({ url: page, ...options }, { timeoutMs: 240_000, climb });
    expect(reply.ok && JSON.parse(reply.result.dataJson ?? '')).toEqual({
      out: 'ja-JP,ja,en-US,en Asia/Tokyo',
    });
    const [asked] = scraper.origin.requestsTo('/type');
    expect(asked?.headers['accept-language']).toMatch(/^ja-JP,ja;q=0\.9,en-US;q=0\.8,en;q=0\.7$/);
  });
});

describe('a scraper without any browser worker', () => {
  it('tries the plain rungs, and names what is missing', async () => {
    await using scraper = await startTestScraper({ ENGINES: 'http' });
    const reply = await scraper.scrape({ url: `/wall/${CHALLENGE}/script`, antiBot: true });
    if (reply.ok) throw new Error('It got through.');
    expect(shown(reply)).toEqual(['http BLOCKED', 'http BLOCKED']);
    expect(reply.failure).toMatchObject({
      code: 'BLOCKED',
      suggestion: expect.stringContaining('No browser worker is running'),
    });
  });
});
