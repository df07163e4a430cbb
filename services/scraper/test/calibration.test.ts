import type { ScrapeRequest } from '@gleaner/contracts';
import { eventually, routesOf, type SiteDocument, startHttpProxy, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Starts the origin again, as a site that no scraper has asked yet. */
const startSite = (documents: Parameters<typeof routesOf>[0] = {}) =>
  startOrigin({ routes: routesOf(documents) });

const plain = (body: string, status = 200): SiteDocument => ({
  body,
  status,
  headers: { 'content-type': 'text/plain' },
});
const SORRY = '<title>Shop</title><p>Have a look at our kettles and teapots.</p>';
const CONTENT = { page: 'content', basis: 'inferred', signals: [] };
const MISSING = {
  page: 'notFound',
  basis: 'observed',
  signals: [expect.objectContaining({ code: 'UNKNOWN_PATH' })],
};
/** Options with everything of a caller that no other request may carry. */
const SECRETS = {
  headers: { authorization: 'Bearer s3cret', 'x-token': 's3cret' },
  cookies: [{ name: 'session', value: 's3cret' }],
};

describe('a page with little text', () => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper({ EGRESS_ALLOW: '127.0.0.0/8', ENGINES: 'http' });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function verdictOf(url: string, options: Omit<ScrapeRequest, 'url'> = {}) {
    const reply = await scraper.scrape({ url, ...options });
    return reply.ok ? reply.result.verdict : reply.failure;
  }

  it.each(['soft', 'echo'])('that is the answer to any path is missing: %s', async (manner) => {
    await using site = await startSite();
    expect(await verdictOf(`${site.url}/unknown-paths/${manner}/gone`)).toEqual(MISSING);
    expect(await verdictOf(`${site.url}/unknown-paths/${manner}/kettle`)).toEqual(CONTENT);
  });

  it('is missing whether all of it was parsed or what its selectors need', async () => {
    await using site = await startSite({
      '/shop/:page': `${SORRY}<img src="/sorry.png" alt=""> &amp; so on`,
    });
    for (const options of [{ selectors: { price: '.price' } }, {}]) {
      expect(await verdictOf(`${site.url}/shop/gone`, options)).toEqual(MISSING);
    }
  });

  it('is missing also if the start page has much text', async () => {
    await using site = await startSite({ '/': `<p>${'We sell kettles. '.repeat(200)}` });
    expect(await verdictOf(`${site.url}/unknown-paths/soft/gone`)).toEqual(MISSING);
  });

  it('is content if the start page cannot be read', async () => {
    await using site = await startSite({ '/': { body: 'Later', status: 503 } });
    expect(await verdictOf(`${site.url}/unknown-paths/soft/gone`)).toEqual(CONTENT);
  });

  it.each(['soft', 'echo', 'fresh', 'missing', 'blocked', 'redirects', 'stalls', 'endless'])(
    'is content on a site that answers other paths in this manner: %s',
    async (manner) => {
      await using site = await startSite();
      expect(await verdictOf(`${site.url}/unknown-paths/${manner}/kettle`)).toEqual(CONTENT);
    },
  );

  it('is content if its site answers other paths too slowly, after half of its time at most', async () => {
    // Less than the limit of one request, which would end the wait too. A busy machine needs several tries.
    const timeoutMs = 2500;
    const reply = await eventually(async () => {
      await using site = await startOrigin({ routes: [{ path: '/robots.txt', behavior: () => {} }] });
      const answer = await scraper.scrape({ url: `${site.url}/unknown-paths/soft/gone` }, { timeoutMs });
      expect(answer).not.toMatchObject({ failure: { code: 'TIMEOUT' } });
      return answer;
    });
    expect(reply).toMatchObject({ result: { verdict: CONTENT } });
  });

  it('is compared with no other path unless it is HTML', async () => {
    const json = '{"message": "Have a look at our kettles and teapots."}';
    await using site = await startSite({
      '/:page': { body: json, headers: { 'content-type': 'application/json' } },
    });
    expect(await verdictOf(`${site.url}/kettle`)).toMatchObject({ page: 'content' });
    expect(site.requests).toHaveLength(1);
  });

  it('fails with NOT_FOUND if it is missing and the request says so', async () => {
    await using site = await startSite();
    const failure = await verdictOf(`${site.url}/unknown-paths/soft/gone`, { onSuspect: 'fail' });
    expect(failure).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('UNKNOWN_PATH') });
  });

  it('is content on a site that shows the same everywhere', async () => {
    await using site = await startSite({ '/': SORRY, '/:page': SORRY });
    expect(await verdictOf(`${site.url}/`)).toEqual(CONTENT);
    expect(await verdictOf(`${site.url}/kettle`)).toEqual(CONTENT);
  });

  it('is a shell on such a site if there are scripts and next to no text', async () => {
    const loading =
      '<title>Shop</title><p>One moment, the shop is loading.</p><script src="/app.js"></script>';
    await using site = await startSite({ '/': loading, '/:page': loading });
    expect(await verdictOf(`${site.url}/kettle`)).toMatchObject({
      page: 'shell',
      basis: 'observed',
      signals: [{ code: 'SAME_EVERYWHERE' }],
    });
    expect(await verdictOf(`${site.url}/`)).toEqual(CONTENT);
  });

  it.each([
    ['forbids it', plain('User-agent: *\nDisallow: /unknown-paths/')],
    ['is longer than a scraper reads for it', plain('# \n'.repeat(100_000))],
    ['cannot be read', plain('', 503)],
  ])('is compared with no other path where robots.txt %s', async (_name, robots) => {
    await using site = await startSite({ '/robots.txt': robots });
    expect(await verdictOf(`${site.url}/unknown-paths/soft/gone`)).toEqual(CONTENT);
    const paths = new Set(site.requests.map(({ path }) => path));
    expect([...paths]).toEqual(['/unknown-paths/soft/gone', '/robots.txt']);
  });

  it('makes the site answer three more requests, for however many pages at once', async () => {
    await using site = await startSite();
    const urls = Array.from({ length: 20 }, (_, index) => `${site.url}/unknown-paths/soft/gone-${index}x`);
    const verdicts = await Promise.all(urls.map((url) => verdictOf(url)));
    expect(verdicts).toEqual(urls.map(() => MISSING));
    expect(site.requests).toHaveLength(urls.length + 3);
  });

  it('makes it answer for a few families of URLs', async () => {
    await using site = await startSite({ '/folder/:name/:page': SORRY });
    for (const folder of 'abcdefghijkl') {
      await verdictOf(`${site.url}/folder/${folder}/gone`);
    }
    expect(site.requests).toHaveLength(12 + 2 + 8);
  });

  it('is compared without the headers and cookies of the caller', async () => {
    await using site = await startSite();
    const url = `${site.url}/unknown-paths/soft/gone`;
    expect(await verdictOf(url, SECRETS)).toEqual(MISSING);
    const [page, ...others] = site.requests.map((request) =>
      JSON.stringify(request.headers).includes('s3cret'),
    );
    expect([page, others]).toEqual([true, [false, false, false]]);
  });

  it('of a job is compared after the pause that its host asks for', async () => {
    await using site = await startSite();
    const request = { url: `${site.url}/unknown-paths/soft/gone` };
    await scraper.sendPage(request, { pageId: 'job_paused_0', pauseMs: 300 });
    const outcome = await eventually(() => {
      const found = scraper.outcomes.find(({ pageId }) => pageId === 'job_paused_0');
      expect(found).toBeDefined();
      return found?.outcome;
    });
    expect(outcome).toMatchObject({ kind: 'found', verdict: MISSING, thinHash: expect.any(String) });
    const times = site.requests.map(({ receivedAt }) => receivedAt.getTime());
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.filter((pause) => pause < 290)).toEqual([]);
  });
});

it('a page that came by a proxy is compared by that proxy', async () => {
  await using proxy = await startHttpProxy();
  await using site = await startSite();
  await using scraper = await startTestScraper({
    EGRESS_ALLOW: '127.0.0.0/8',
    ENGINES: 'http',
    PROXIES: JSON.stringify({ us: [proxy.url] }),
  });
  const reply = await scraper.scrape({ url: `${site.url}/unknown-paths/soft/gone`, proxy: 'us' });
  expect(reply.ok && reply.result.verdict).toEqual(MISSING);
  expect(proxy.tunnels.length).toBe(site.connectionCount);
});

await describeWithBrowser('a rendered page with little text', (settings) => {
  it('is missing if its site shows the same at any path, and nothing of the caller goes there', async () => {
    await using site = await startSite({
      '/': `${SORRY}<p>Welcome`,
      '/app/:page':
        '<title>Shop</title><p id="p"></p><script>p.textContent = "There is nothing here yet"</script>',
    });
    await using scraper = await startTestScraper({ ...settings, EGRESS_ALLOW: '127.0.0.0/8' });
    const url = `${site.url}/app/gone`;
    const reply = await scraper.scrape({ url, render: true, ...SECRETS }, { timeoutMs: 60_000 });
    expect(reply.ok && reply.result.verdict).toEqual(MISSING);
    const others = site.requests.filter(({ path }) => path !== '/app/gone');
    expect(others.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/robots.txt', '/', expect.stringMatching(/^\/app\/[a-z]{15}$/)]),
    );
    expect(others.filter(({ headers }) => JSON.stringify(headers).includes('s3cret'))).toEqual([]);
  });
});
