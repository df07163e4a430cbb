import type { CrawlOptions } from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedScraper } from './scripted-scraper.ts';
import { crawling, type ScriptedSite, type SitePage } from './scripted-site.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  await bed.startOrchestrator();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Crawls a site whose home page is a list until the job has finished. */
async function crawl(
  pages: ScriptedSite['pages'],
  options: CrawlOptions = {},
  status: 'completed' | 'failed' = 'completed',
) {
  scraper.follow(crawling({ pages }));
  const { id } = await bed.create({
    urls: ['http://a.test/'],
    crawl: { sitemap: 'skip', rules: [{ match: '/', next: 'a.next' }], ...options },
  });
  return await bed.untilJob(id, status);
}

/** Returns the hosts that pages were fetched from. */
function fetchedHosts(): string[] {
  return [...new Set(scraper.commands.map(({ request }) => new URL(request.url).host))];
}

describe('the next page of a start URL', () => {
  it('is not followed to another host that it redirects to, and leaves the scope as it is', async () => {
    const job = await crawl({
      '/': { links: ['>/2'] },
      '/2': { redirect: 'http://b.test/3' },
      '/3': { links: ['http://b.test/4'] },
    });
    expect(job).toMatchObject({
      totalUrls: 2,
      crawl: { fetched: 1, hosts: 1, skipped: { redirect: 1 }, dropped: { outOfScope: 1 } },
    });
    expect(fetchedHosts()).toEqual(['a.test']);
  });

  it('is not followed to a page that is excluded', async () => {
    const pages = { '/': { links: ['>/2'] }, '/2': { redirect: '/login' }, '/login': { links: [] } };
    const job = await crawl(pages, { exclude: ['/login'] });
    expect(job.crawl).toMatchObject({ fetched: 1, skipped: { redirect: 1 }, dropped: { excluded: 1 } });
  });

  it('does not make the job partial if it does not exist', async () => {
    const job = await crawl({ '/': { links: ['>/2'] } });
    expect(job).toMatchObject({ failedUrls: 0, creditsUsed: 1, crawl: { notFound: 1, fetched: 2 } });
  });

  it('is skipped if it is not a document', async () => {
    const job = await crawl({ '/': { links: ['>/2.png'] }, '/2.png': { file: 'image/png' } });
    expect(job).toMatchObject({ failedUrls: 0, crawl: { fetched: 1, skipped: { notDocument: 1 } } });
  });

  it('is a duplicate if the page that it names as canonical has the same text', async () => {
    const job = await crawl({
      '/': { links: ['>/?page=2'], text: 'List' },
      '/?page=2': { links: [], text: 'List', canonical: '/' },
    });
    expect(job).toMatchObject({ creditsUsed: 1, crawl: { fetched: 1, skipped: { duplicate: 1 } } });
  });

  it('is a duplicate if the page that it names as canonical comes in the same batch', async () => {
    const items = Array.from({ length: 10 }, (_, index) => `/${index}`);
    const pages: Record<string, SitePage> = {
      '/': { links: items.flatMap((item) => [`${item}?view=1`, item]) },
    };
    for (const item of items) {
      pages[item] = { links: [], text: item, canonical: `${item}?view=1` };
      pages[`${item}?view=1`] = { links: [], text: item, canonical: item };
    }
    // Each names the other, so that the later one is left out, or the second of those that come together.
    const job = await crawl(pages);
    expect(job).toMatchObject({ creditsUsed: 11, crawl: { fetched: 11, skipped: { duplicate: 10 } } });
  });

  it('closes its pattern if the pages of the list show the same text again', async () => {
    const list = Array.from({ length: 80 }, (_, index) => [
      `/list/${index}`,
      { links: [`>/list/${index + 1}`], text: 'Nothing here' },
    ]);
    const pages = { '/': { links: ['>/list/0'] }, ...Object.fromEntries(list) };
    const job = await crawl(pages, { maxPerPattern: 500 });
    expect(job.crawl?.warnings?.map(({ code }) => code)).toEqual(['PATTERN_CLOSED']);
    expect(job.crawl?.fetched).toBeLessThan(60);
  });
});

describe('the page that a start URL redirects to', () => {
  it('is followed as the start URL is, over several hosts', async () => {
    const job = await crawl({
      '/': { redirect: 'http://b.test/2' },
      '/2': { redirect: 'http://c.test/3' },
      '/3': { links: ['http://c.test/4'] },
      '/4': { links: [] },
    });
    expect(job.crawl).toMatchObject({ fetched: 2, hosts: 3, skipped: { redirect: 2 } });
    expect(fetchedHosts()).toEqual(['a.test', 'b.test', 'c.test']);
  });

  it.each([
    ['does not exist', { error: 'NOT_FOUND' }],
    ['is not a document', { file: 'image/png' }],
  ] as const)('fails the job if it %s', async (_, target) => {
    const job = await crawl({ '/': { redirect: '/home' }, '/home': target }, {}, 'failed');
    expect(job).toMatchObject({ failedUrls: 1, crawl: { skipped: { redirect: 1 } } });
  });
});
