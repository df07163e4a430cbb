import { gzipSync } from 'node:zlib';
import { type Origin, routesOf, type SiteDocument, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawlPage, outcomeOf } from './crawled-page.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const headers = { 'content-type': 'application/xml' };

/** A sitemap of that many pages of its own site. */
const sitemapOf = (count: number, pageOf: (index: number) => string): SiteDocument => ({
  headers,
  body: () => {
    const pages = Array.from({ length: count }, (_none, index) => `${site.url}/${pageOf(index)}`);
    return `<urlset>${pages.map((page) => `<url><loc>${page}</loc></url>`).join('')}</urlset>`;
  },
});

let scraper: TestScraper;
let site: Origin;

beforeAll(async () => {
  site = await startOrigin({
    routes: routesOf({
      '/bomb.xml.gz': { body: gzipSync(Buffer.alloc(200 * 1024 * 1024, ' ')), headers },
      '/huge.xml.gz': {
        body: gzipSync(`<urlset>${`<url><title>${'y'.repeat(500)}</title></url>\n`.repeat(100_000)}`),
        headers,
      },
      '/large.xml': sitemapOf(50_001, (index) => `products/category/item-${index}`),
      '/wide.xml': sitemapOf(10_000, (index) => `${index}?${'y'.repeat(1500)}`),
    }),
  });
  scraper = await startTestScraper({ EGRESS_ALLOW: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
  await site.close();
});

const fetchSitemap = (path: string) => crawlPage(scraper, site, path, { purpose: 'sitemap' });

describe('a large sitemap', () => {
  it('brings at most 50,000 pages, and what fits into a message', async () => {
    const large = outcomeOf('sitemap', await fetchSitemap('/large.xml'));
    expect(large.links).toHaveLength(50_000);
    expect(large.cutBecause).toBe('it lists more than 50000 URLs');
    expect(scraper.largeOutcomes.map(({ outcome }) => outcome.kind)).toContain('sitemap');
    const wide = outcomeOf('sitemap', await fetchSitemap('/wide.xml'));
    expect(wide.links.length).toBeGreaterThan(5000);
    expect(wide.cutBecause).toContain('characters');
  });

  it('is read up to 50 MiB after decompression, without holding up a scrape', async () => {
    const reading = fetchSitemap('/huge.xml.gz');
    const reply = await scraper.scrape({ url: `${site.url}/product/1` });
    expect(reply.ok).toBe(true);
    expect(await reading).toEqual({
      kind: 'sitemap',
      links: [],
      dropped: {},
      sitemaps: [],
      cutBecause: 'it is larger than 50 MiB',
    });
  });

  it('fails for good if it is nothing but spaces after decompression', async () => {
    expect(await fetchSitemap('/bomb.xml.gz')).toMatchObject({
      kind: 'failed',
      failure: { code: 'UNSUPPORTED_CONTENT' },
    });
  });
});
