import { type Climb, type RungName, type ScrapeResult, totalCredits } from '@gleaner/contracts';
import { BLOCK_PAGE_VENDORS, eventually, startHttpProxy } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserIn } from './browser-processes.ts';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { html } from './page-path.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const CHALLENGE = 'cloudflare-challenge';

/** What each rung is seen to be by its engine, and what it costs a request that asks for no rendering. */
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

/** What the scripts of walls found out. */
function faultsSeen({ origin }: TestScraper): string[] {
  return origin
    .requestsTo('/wall-report')
    .map(({ url }) => new URL(url, origin.url).searchParams.get('faults') ?? '');
}

describe('without antiBot', () => {
  it.each(['headers', 'script'])(
    'a wall that checks %s is a refusal, with the advice to enable it',
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
    // Its browsers are warm: a rung's share of the time is for the site.
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
  ])('%s is got by the rung %s, at its price, and nothing above it is tried', async (url, rung) => {
    const reply = await scraper.scrape({ url, antiBot: true, selectors: { h: 'h1' } }, { timeoutMs: 60_000 });
    if (!reply.ok) throw new Error(`${reply.failure.message} ${faultsSeen(scraper).join(' | ')}`);
    const { attempts = [], credits } = RUNGS[rung] ?? {};
    expect(shown(reply.result)).toEqual(attempts);
    expect(totalCredits(reply.result.price)).toBe(credits);
    if (url.startsWith('/wall')) expect(JSON.parse(reply.result.dataJson)).toEqual({ h: 'Behind the wall' });
  });

  it.each(BLOCK_PAGE_VENDORS)(
    'the wall of %s is never the page, in either engine, and gives way to who passes its check',
    async (vendor) => {
      const url = `/wall/${vendor}/script`;
      for (const render of [true, false]) {
        const query = vendor === 'generic-captcha' ? '' : '?status=200';
        const refused = await scraper.scrape({ url: `/blocked/${vendor}${query}`, render });
        expect(refused).toMatchObject({ ok: false, failure: { code: 'BLOCKED' } });
      }
      const reply = await scraper.scrape(
        { url, antiBot: true, selectors: { h: 'h1' } },
        { timeoutMs: 60_000 },
      );
      if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
      expect(reply.result).toMatchObject({ engine: 'browser', statusCode: 200 });
      expect(JSON.parse(reply.result.dataJson)).toEqual({ h: 'Behind the wall' });
    },
  );

  it('never climbs for what every rung would be told alike', async () => {
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

  it('says so when the site refuses every rung, and has no advice that was followed already', async () => {
    const url = `/wall/akamai/address?from=192.0.2.1`;
    const reply = await scraper.scrape({ url, antiBot: true }, { timeoutMs: 60_000 });
    if (reply.ok) throw new Error('It got through.');
    expect(shown(reply)).toEqual([...['http BLOCKED', 'http BLOCKED', 'browser BLOCKED', 'browser BLOCKED']]);
    expect(reply.failure.message).toMatch(/^Akamai .* 4 attempts were made\.$/);
    expect(reply.failure.suggestion).toContain('has tried all that it knows');
  });

  it('begins in the browser where the page must be rendered, and waits for the page behind the wall', async () => {
    const url = `/wall/${CHALLENGE}/webdriver`;
    const request = { url, antiBot: true, waitFor: '.price', screenshot: true, selectors: { p: '.price' } };
    const reply = await scraper.scrape(request, { timeoutMs: 60_000 });
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(shown(reply.result)).toEqual(['browser BLOCKED', 'browser success']);
    expect(reply.result.price).toEqual({ base: 1, render: 4, screenshot: 1, antiBot: 10 });
    expect(JSON.parse(reply.result.dataJson)).toEqual({ p: '19.90' });
    expect(Buffer.from(reply.result.screenshot ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  it('charges for antiBot nothing where the browser that was asked for did', async () => {
    const url = `/wall/${CHALLENGE}/script`;
    const reply = await scraper.scrape({ url, antiBot: true, render: true }, { timeoutMs: 60_000 });
    expect(reply).toMatchObject({ ok: true, result: { price: { base: 1, render: 4 } } });
  });

  it('has time for the browser although the site lets fetches wait for ever', async () => {
    const reply = await scraper.scrape(
      { url: '/stall/before-headers', antiBot: true },
      { timeoutMs: 10_000 },
    );
    if (reply.ok) throw new Error('It got through.');
    expect(shown(reply)).toEqual(expect.arrayContaining(['http TIMEOUT', 'browser TIMEOUT']));
  });

  it('extracts what the document holds, whatever a page makes of the disguise', async () => {
    const script = `navigator.__proto__.constructor.prototype = {}; Function.prototype.toString = () => 'forged';
      WeakMap.prototype.get = () => 'forged'; Reflect.apply = () => 'forged';
      Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<h1>forged</h1>' })`;
    const url = html(`<h1>true</h1><script>${script}</script>`);
    const climb: Climb = { rung: 'disguised', attempts: [] };
    const reply = await scraper.scrape(
      { url, render: true, antiBot: true, selectors: { h: 'h1' } },
      { climb },
    );
    expect(reply.ok && JSON.parse(reply.result.dataJson)).toEqual({ h: 'true' });
  });
});

await describeWithBrowser('a browser that is killed behind a wall', (settings) => {
  it('is replaced on the same rung, and the caller sees nothing of it', async () => {
    const folder = await makeBrowserFolder();
    await using scraper = await startTestScraper({ ...settings, BROWSER_DIR: folder });
    const climb: Climb = {
      rung: 'disguised',
      attempts: [{ engine: 'browser', statusCode: 403, outcome: 'BLOCKED', durationMs: 10 }],
    };
    const request = { url: '/slow/1500', render: true, antiBot: true, selectors: { title: 'title' } };
    const climbing = scraper.scrape(request, { climb, timeoutMs: 60_000 });
    await eventually(() => expect(scraper.origin.requestsTo('/slow/1500')).toHaveLength(1));
    const [browser] = await browserIn(folder);
    process.kill(-(browser?.group ?? 0), 'SIGKILL');
    const reply = await climbing;
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(shown(reply.result)).toEqual(['browser BLOCKED', 'browser success']);
    expect(reply.result.price).toEqual({ base: 1, render: 4, antiBot: 10 });
    expect(scraper.origin.requestsTo('/slow/1500')).toHaveLength(2);
  });
});

await describeWithBrowser('what got through to a host', (settings) => {
  const url = `/wall/${CHALLENGE}/webdriver`;

  it('is tried first the next time, with the cookies of the check that was passed', async () => {
    await using scraper = await startTestScraper(settings);
    const first = await scraper.scrape({ url, antiBot: true }, { timeoutMs: 60_000 });
    const asked = scraper.origin.requestsTo(url).length;
    const second = await scraper.scrape({ url, antiBot: true }, { timeoutMs: 60_000 });
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(second.ok && shown(second.result)).toEqual(['browser success']);
    expect(second.ok && second.result.price).toEqual({ base: 1, render: 4, antiBot: 10 });
    const [request, ...more] = scraper.origin.requestsTo(url).slice(asked);
    expect(request?.headers.cookie).toBe('wall-proof=revirdbew');
    expect(more).toEqual([]);
  });

  it('is not mixed with the session of a caller', async () => {
    await using scraper = await startTestScraper(settings);
    const cookies = [{ name: 'session', value: 'mine' }];
    const first = await scraper.scrape({ url, antiBot: true, cookies }, { timeoutMs: 60_000 });
    const asked = scraper.origin.requestsTo(url).length;
    const second = await scraper.scrape({ url, antiBot: true }, { timeoutMs: 60_000 });
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(scraper.origin.requestsTo(url)[asked]?.headers.cookie).toBeUndefined();
  });
});

await describeWithBrowser('scrapers for one engine each', (settings) => {
  const ENGINES = [{ ENGINES: 'http' }, { ...settings, ENGINES: 'browser' }];
  const url = `/wall/${CHALLENGE}/script`;

  it('pass a scrape on, with what was tried, and the caller gets one reply', async () => {
    await using scraper = await startTestScraper(...ENGINES);
    const reply = await scraper.scrape({ url, antiBot: true, selectors: { h: 'h1' } }, { timeoutMs: 60_000 });
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(shown(reply.result)).toEqual(['http BLOCKED', 'http BLOCKED', 'browser success']);
    expect(reply.result.price).toEqual({ base: 1, render: 4, antiBot: 10 });
    const again = await scraper.scrape({ url, antiBot: true }, { timeoutMs: 60_000 });
    expect(again.ok && shown(again.result)).toEqual(['browser success']);
  });

  it('pass a page of a job on, as the same try, and one outcome is reported', async () => {
    await using scraper = await startTestScraper(...ENGINES);
    await scraper.sendPage({ url, antiBot: true, selectors: { h: 'h1' } }, { attempt: 3 });
    const [outcome] = await eventually(
      () => {
        expect(scraper.outcomes).toHaveLength(1);
        return scraper.outcomes;
      },
      { timeoutMs: 30_000 },
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
});

await describeWithBrowser('through proxies', (settings) => {
  const url = '/wall/akamai/address?from=127.0.0.3';
  const request = { url, antiBot: true, proxy: 'us', selectors: { h: 'h1' } };

  it('keeps to one from rung to rung, and takes another where the site refuses its address', async () => {
    await using refused = await startHttpProxy();
    await using welcome = await startHttpProxy({ localAddress: '127.0.0.3' });
    const PROXIES = JSON.stringify({ us: [refused.url, welcome.url] });
    await using scraper = await startTestScraper({ ...settings, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const reply = await scraper.scrape(request, { timeoutMs: 60_000 });
    if (!reply.ok) throw new Error(reply.failure.message);
    expect(reply.result.attempts.map(({ proxy, outcome }) => `${proxy} ${outcome}`)).toEqual([
      ...['us-1 BLOCKED', 'us-1 BLOCKED', 'us-1 BLOCKED', 'us-1 BLOCKED', 'us-2 success'],
    ]);
    expect(reply.result.price).toEqual({ base: 1, render: 4, proxy: 5, antiBot: 10 });
    expect(JSON.parse(reply.result.dataJson)).toEqual({ h: 'Behind the wall' });
    const again = await scraper.scrape(request, { timeoutMs: 60_000 });
    expect(again.ok && again.result.attempts).toMatchObject([{ proxy: 'us-2', outcome: 'success' }]);
  });

  it('ends where no other is left, and never goes out without', async () => {
    await using only = await startHttpProxy();
    const PROXIES = JSON.stringify({ us: [only.url] });
    await using scraper = await startTestScraper({ ...settings, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const reply = await scraper.scrape(request, { timeoutMs: 60_000 });
    if (reply.ok) throw new Error('It got through.');
    expect(reply.failure.code).toBe('BLOCKED');
    expect(reply.attempts.map(({ proxy }) => proxy)).toEqual(['us-1', 'us-1', 'us-1', 'us-1']);
  });

  it('is at home where it comes out', async () => {
    await using proxy = await startHttpProxy();
    const PROXIES = JSON.stringify({ jp: [proxy.url] });
    await using scraper = await startTestScraper({ ...settings, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const page = html(`<p id=out></p><script>
      out.textContent = [navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone].join(' ')</script>`);
    const climb: Climb = { rung: 'disguised', attempts: [] };
    const options = { antiBot: true, render: true, proxy: 'jp', selectors: { out: '#out' } };
    const reply = await scraper.scrape({ url: page, ...options }, { timeoutMs: 30_000, climb });
    expect(reply.ok && JSON.parse(reply.result.dataJson)).toEqual({ out: 'ja-JP,ja,en-US,en Asia/Tokyo' });
    const [asked] = scraper.origin.requestsTo('/type');
    expect(asked?.headers['accept-language']).toMatch(/^ja-JP,ja;q=0\.9,en-US;q=0\.8,en;q=0\.7$/);
  });
});

describe('a scraper without any browser beside it', () => {
  it('tries what it can, and says what is missing', async () => {
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
