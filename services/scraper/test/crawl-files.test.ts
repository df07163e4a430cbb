import { gzipSync } from 'node:zlib';
import { type Origin, routesOf, type SiteDocument, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawlPage, outcomeOf } from './crawled-page.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const XML = { 'content-type': 'application/xml' };
const ROBOTS = `# A comment
User-agent: otherbot
Disallow: /

User-agent: Gleaner
Disallow: /private
Allow: /private/open
Crawl-delay: 2.5
Sitemap: /map.xml
Sitemap: https://elsewhere.example/map.xml
Sitemap: /map.xml
Sitemap: ftp://elsewhere.example/map.xml
`;

const urlset = (...locations: readonly string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((loc) => `<url><loc>${loc}</loc></url>`)
    .join('')}</urlset>`;

let scraper: TestScraper;
let site: Origin;

/** Lets files refer to their own site, whose port is not known before it runs. */
const withSite = (make: (url: string) => string | Uint8Array, headers = XML): SiteDocument => ({
  body: () => make(site.url),
  headers,
});

const FILES = {
  '/robots.txt': { body: ROBOTS, headers: { 'content-type': 'text/plain' } },
  '/html/robots.txt': '<!doctype html><h1>Welcome</h1><p>Disallow: nothing</p>',
  '/long/robots.txt': {
    body: `User-agent: *\nDisallow: /first\n${'# filler\n'.repeat(58_250)}Disallow: /on-the-edge\n${'Disallow: /late\n'.repeat(100_000)}`,
  },
  '/hostile/robots.txt': {
    body: `User-agent: *\n${Array.from({ length: 20_000 }, (_none, index) => `Disallow: /*a*a*b${index}$`).join('\n')}`,
  },
  '/to-robots': { body: '', status: 301, headers: { location: '/robots.txt' } },
  '/html-map.xml': '<!DOCTYPE html><title>Not found</title>',
  '/text-map.txt': { body: 'There is nothing here.', headers: { 'content-type': 'text/plain' } },
  '/broken-map.xml': { body: '{"not": "xml"', headers: XML },
  '/self-map.xml': { body: '', status: 302, headers: { location: '/map.xml' } },
  '/away-map.xml': { body: '', status: 302, headers: { location: 'http://elsewhere.example/map.xml' } },
  '/map.xml': withSite((url) =>
    urlset(
      `${url}/a#part`,
      `${url}/b`,
      `${url}/a?utm_source=x`,
      'http://elsewhere.example/',
      `${url}/x/cart`,
    ),
  ),
  '/map.xml.gz': withSite((url) => gzipSync(urlset(`${url}/zipped`))),
  '/index.xml': withSite(
    (url) =>
      `<sitemapindex><sitemap><loc>${url}/map.xml</loc></sitemap><sitemap><loc>${url}/index.xml</loc></sitemap></sitemapindex>`,
  ),
  '/feed': withSite((url) => `<rss><channel><item><link>${url}/news</link></item></channel></rss>`),
  '/list.txt': withSite((url) => `\ufeff${url}/one\n${url}/two\n`, { 'content-type': 'text/plain' }),
  '/cut.xml': withSite((url) => `<urlset><url><loc>${url}/before</loc></url><url><loc>${url}/aft`),
  '/latin.xml': withSite((url) =>
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${urlset(`${url}/caf\xe9`).slice(21)}`, 'latin1'),
  ),
};

beforeAll(async () => {
  site = await startOrigin({ routes: routesOf(FILES) });
  scraper = await startTestScraper({ EGRESS_ALLOW: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
  await site.close();
});

type CrawlOptions = Parameters<typeof crawlPage>[3];

const fetchRobots = (path: string, options: CrawlOptions = {}) =>
  crawlPage(scraper, site, path, { purpose: 'robots', ...options });
const fetchSitemap = (path: string, options: CrawlOptions = {}) =>
  crawlPage(scraper, site, path, { purpose: 'sitemap', ...options });

async function robotsAt(path: string) {
  return outcomeOf('robots', await fetchRobots(path));
}

async function sitemapAt(path: string, options?: CrawlOptions) {
  const found = outcomeOf('sitemap', await fetchSitemap(path, options));
  return { ...found, paths: found.links.map(({ url }) => url.slice(site.url.length)) };
}

describe('a robots.txt', () => {
  it('brings the rules for Gleaner, its delay, and the absolute URLs of its sitemaps', async () => {
    expect(await robotsAt('/robots.txt')).toEqual({
      kind: 'robots',
      rules: [
        { isAllowed: false, pattern: '/private' },
        { isAllowed: true, pattern: '/private/open' },
      ],
      crawlDelayMs: 2500,
      sitemaps: [`${site.url}/map.xml`, 'https://elsewhere.example/map.xml'],
    });
  });

  it('is found behind redirects, of which it follows five', async () => {
    expect((await robotsAt('/to-robots')).rules).toHaveLength(2);
    expect((await robotsAt('/redirect-times/5')).rules).toEqual([]);
    expect(await fetchRobots('/redirect-times/6')).toMatchObject({ failure: { code: 'UPSTREAM_ERROR' } });
  });

  it.each(['/missing/robots.txt', '/status/401', '/status/403', '/status/410', '/failing/403/endless'])(
    'allows everything where there is none: %s',
    async (path) => {
      expect(await fetchRobots(path)).toEqual({ kind: 'robots', rules: [], sitemaps: [] });
    },
  );

  it.each([
    ['/status/503', 'UPSTREAM_ERROR'],
    ['/status/304', 'UPSTREAM_ERROR'],
    ['/rate-limited', 'RATE_LIMITED'],
    ['/redirect-loop', 'UPSTREAM_ERROR'],
    ['/reset/mid-body', 'UPSTREAM_ERROR'],
    ['/compressed-badly/gzip', 'UPSTREAM_ERROR'],
  ])('fails where it cannot be read, so that nothing is allowed: %s', async (path, code) => {
    expect(await fetchRobots(path)).toMatchObject({
      kind: 'failed',
      failure: { code, attempts: [{ engine: 'http', outcome: code }] },
    });
  });

  it('has no rules if it is a page', async () => {
    expect(await robotsAt('/html/robots.txt')).toEqual({ kind: 'robots', rules: [], sitemaps: [] });
  });

  it('is read up to 512 KiB, and no half a line', async () => {
    const { rules } = await robotsAt('/long/robots.txt');
    expect(rules[0]?.pattern).toBe('/first');
    expect(new Set(rules.map(({ pattern }) => pattern))).not.toContain('/on-the-e');
    expect(rules.length).toBeLessThan(3);
    expect(await robotsAt('/endless')).toMatchObject({ rules: [] });
  });

  it('of 20,000 wildcard rules holds up no scrape', async () => {
    const reading = robotsAt('/hostile/robots.txt');
    const reply = await scraper.scrape({ url: `${site.url}/product/1` });
    expect(reply.ok).toBe(true);
    expect((await reading).rules).toHaveLength(20_000);
  });

  it('ends at its deadline', async () => {
    const options = { options: { command: { timeoutMs: 500 } } };
    expect(await fetchRobots('/stall/mid-body', options)).toMatchObject({ failure: { code: 'TIMEOUT' } });
  });
});

describe('a sitemap', () => {
  it('brings its pages that belong to the crawl, each once, and counts the others', async () => {
    const { paths, dropped, sitemaps } = await sitemapAt('/map.xml', { filter: { exclude: ['**cart'] } });
    expect(paths).toEqual(['/a', '/b']);
    expect(dropped).toEqual({ outOfScope: 1, excluded: 1 });
    expect(sitemaps).toEqual([]);
  });

  it('brings the sitemaps of an index', async () => {
    expect(await sitemapAt('/index.xml')).toMatchObject({
      links: [],
      sitemaps: [`${site.url}/map.xml`, `${site.url}/index.xml`],
    });
  });

  it.each([
    ['/map.xml.gz', '/zipped'],
    ['/feed', '/news'],
    ['/list.txt', '/one'],
    ['/latin.xml', '/caf%C3%A9'],
  ])('is read in every form: %s', async (path, page) => {
    expect((await sitemapAt(path)).paths).toContain(page);
  });

  it('brings what comes before an error', async () => {
    const { paths, cutBecause } = await sitemapAt('/cut.xml');
    expect(paths).toEqual(['/before']);
    expect(cutBecause).toContain('the XML has an error');
  });

  it.each(['/html-map.xml', '/text-map.txt', '/broken-map.xml', '/away-map.xml'])(
    'fails for good if it is something else: %s',
    async (path) => {
      expect(await fetchSitemap(path)).toMatchObject({
        kind: 'failed',
        failure: { code: 'UNSUPPORTED_CONTENT' },
      });
    },
  );

  it('is followed to another place of the crawl', async () => {
    expect((await sitemapAt('/self-map.xml')).paths).toContain('/a');
  });

  it.each([
    ['/nowhere.xml', 'NOT_FOUND'],
    ['/status/500', 'UPSTREAM_ERROR'],
  ])('fails as pages do: %s', async (path, code) => {
    expect(await fetchSitemap(path)).toMatchObject({ kind: 'failed', failure: { code } });
  });
});
