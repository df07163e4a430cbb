import type { ScrapeRequest } from '@gleaner/contracts';
import { htmlPath, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { crawlPage, outcomeOf } from './crawled-page.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const SECRETS: Pick<ScrapeRequest, 'headers' | 'cookies'> = {
  headers: { Authorization: 'Bearer caller', 'X-Api-Key': 'caller', 'Accept-Language': 'eo' },
  cookies: [{ name: 'session', value: 'caller' }],
};

/** Returns what a request brought of the caller. */
const broughtBy = ({ headers }: Origin['requests'][number]) => ({
  authorization: headers.authorization,
  'x-api-key': headers['x-api-key'],
  cookie: headers.cookie,
  'accept-language': headers['accept-language'],
});
const ALL = {
  authorization: 'Bearer caller',
  'x-api-key': 'caller',
  cookie: 'session=caller',
  'accept-language': 'eo',
};

let scraper: TestScraper;
/** The origin that the credentials are for, and another one. */
let own: Origin;
let other: Origin;

/** Starts two sites and a scraper with these settings around the tests of a suite. */
function aroundAll(settings: Readonly<Record<string, string>>): void {
  beforeAll(async () => {
    [own, other] = await Promise.all([startOrigin(), startOrigin()]);
    const EGRESS_ALLOW = `127.0.0.1:${own.port},127.0.0.1:${other.port}`;
    scraper = await startTestScraper({ ...settings, EGRESS_ALLOW });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await Promise.all([own.close(), other.close()]);
  });
}

const away = (path: string) => `/redirect/302?to=${encodeURIComponent(other.url + path)}`;

const SHARED = [{ name: 'shared', value: 'x', domain: '127.0.0.1' }];

/** Expects that a path of the other site was requested, and never with something of the caller but plain headers. */
function expectStranger(path: string): void {
  const requests = other.requests.filter(({ url }) => url === path);
  expect([path, requests.length > 0]).toEqual([path, true]);
  for (const request of requests) {
    expect({ path, ...broughtBy(request) }).toMatchObject({
      path,
      authorization: undefined,
      'x-api-key': undefined,
      cookie: undefined,
    });
  }
}

describe('credentials of a plain scrape', () => {
  aroundAll({});

  it('go to the origin of the URL, and with no redirect to another one', async () => {
    expect((await scraper.scrape({ url: own.url + away('/product/1'), ...SECRETS })).ok).toBe(true);
    expect(own.requests.map(broughtBy)).toEqual([ALL]);
    expectStranger('/product/1');
    expect(other.requestsTo('/product/1').map(broughtBy)).toMatchObject([{ 'accept-language': 'eo' }]);
  });

  it('do not include a cookie that names a domain, which goes wherever it says', async () => {
    await scraper.scrape({ url: own.url + away('/echo?shared'), cookies: SHARED });
    expect(other.requestsTo('/echo').at(-1)?.headers.cookie).toBe('shared=x');
  });

  it('do not go to robots.txt and sitemaps', async () => {
    for (const purpose of ['robots', 'sitemap'] as const) {
      await crawlPage(scraper, own, `/echo?${purpose}`, { purpose, options: SECRETS });
      const [request] = own.requests.filter(({ url }) => url === `/echo?${purpose}`);
      expect(request && broughtBy(request)).toEqual({
        authorization: undefined,
        'x-api-key': undefined,
        cookie: undefined,
        'accept-language': expect.not.stringContaining('eo'),
      });
    }
  });
});

await describeWithBrowser('credentials of a rendered scrape', (settings) => {
  aroundAll(settings);

  it('go to the origin of the URL alone, whatever the page loads and wherever it leads', async () => {
    const path = htmlPath(`<p id=out></p>
      <link rel=stylesheet href="${other.url}/echo?style"><script src="${other.url}/echo?script"></script>
      <script src="${away('/echo?redirected-script')}"></script>
      <iframe src="${away('/echo?frame')}"></iframe>
      <script>addEventListener('load', async () => {
        const sent = { mode: 'no-cors', credentials: 'include' };
        await fetch('${other.url}/echo?fetch', sent);
        await fetch('${away('/echo?redirected-fetch')}', sent);
        await fetch('${other.url}/redirect/302?to=${encodeURIComponent(other.url)}/echo?returned', sent);
        await fetch('/echo?own', { credentials: 'include' });
        out.textContent = 'done';
      })</script>`);
    const reply = await scraper.scrape({
      url: own.url + path,
      render: true,
      waitFor: '#out:not(:empty)',
      ...SECRETS,
    });
    expect(reply).toMatchObject({ ok: true });
    for (const name of [
      'style',
      'script',
      'redirected-script',
      'frame',
      'fetch',
      'redirected-fetch',
      'returned',
    ])
      expectStranger(`/echo?${name}`);
    for (const url of [path, '/echo?own']) {
      const [request] = own.requests.filter((each) => each.url === url);
      expect(request && broughtBy(request)).toMatchObject(ALL);
    }
    expect(own.requestsTo('/echo').map(({ headers }) => headers.referer)).toEqual([own.url + path]);
    expect(new Set(other.requestsTo('/echo').map(({ headers }) => headers.referer))).toEqual(
      new Set([`${own.url}/`]),
    );
  });

  it('go with no redirect of the page to another origin', async () => {
    expect(
      (await scraper.scrape({ url: own.url + away('/echo?document'), render: true, ...SECRETS })).ok,
    ).toBe(true);
    expectStranger('/echo?document');
    const script = htmlPath(`<script>location.href = '${other.url}/echo?navigated'</script>`);
    const waitFor = 'pre, body:not(:has(script))';
    await scraper.scrape({ url: own.url + script, render: true, waitFor, ...SECRETS });
    expectStranger('/echo?navigated');
  });

  it('do not include a cookie that names a domain, which goes wherever it says', async () => {
    const url = own.url + away('/echo?shared');
    expect((await scraper.scrape({ url, cookies: SHARED, render: true })).ok).toBe(true);
    expect(other.requests.find((request) => request.url === '/echo?shared')?.headers.cookie).toBe('shared=x');
  });

  it('do not come with a page of a crawl whose command has none', async () => {
    outcomeOf('found', await crawlPage(scraper, other, '/product/7', { options: { render: true } }));
    expectStranger('/product/7');
  });
});
