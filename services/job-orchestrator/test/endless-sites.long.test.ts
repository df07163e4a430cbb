import type { CrawlOptions } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PageScript, ScriptedScraper } from './scripted-scraper.ts';
import { crawling, type SitePage } from './scripted-site.ts';
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

/** Answers as a site does whose pages depend on their path alone. */
function endless(pageOf: (path: string) => SitePage): PageScript {
  return (work) => {
    const { pathname, search } = new URL(work.body.request.url);
    return crawling({ pages: { [pathname + search]: pageOf(pathname + search) } })(work);
  };
}

async function crawl(script: PageScript, options: CrawlOptions = {}) {
  scraper.follow(script);
  const { id } = await bed.create({
    urls: ['http://a.test/'],
    crawl: { sitemap: 'skip', maxDepth: 100, concurrency: 32, ...options },
  });
  return await bed.untilJob(id, 'completed');
}

async function untilSkipped(jobId: string): Promise<void> {
  await eventually(async () => {
    const [job] = await bed.stores.jobs.findProgress([jobId]);
    expect(job?.crawl?.skipped.trap).toBeGreaterThan(0);
  });
}

const numberOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0);

describe('a site without end', () => {
  it('is left when a pattern of URLs has as many pages as it may have', async () => {
    const site = endless((path) => ({
      links: [1, 2, 3].map((step) => `/day/${numberOf(path) + step}`),
    }));
    const job = await crawl(site, { limit: 500, maxPerPattern: 30 });
    expect(job.crawl).toMatchObject({ fetched: 31, dropped: { trap: expect.any(Number) } });
    expect(job.crawl?.stoppedBy).toBeUndefined();
    expect(job.crawl?.warnings).toEqual([
      {
        code: 'PATTERN_FULL',
        message: expect.stringContaining('More than 30 pages have URLs like a.test/day/{number}'),
      },
    ]);
  });

  it('is crawled up to the limit where a rule asks for its pages', async () => {
    const site = endless((path) => ({ links: [1, 2, 3].map((step) => `/day/${numberOf(path) + step}`) }));
    const job = await crawl(site, { limit: 110, rules: [{ match: '/day/*' }] });
    expect(job.crawl).toMatchObject({ fetched: 110, stoppedBy: 'limit' });
  });

  it('is left when the pages of a pattern show the same texts again', async () => {
    const site = endless((path) => ({
      links: Array.from({ length: 9 }, (_, index) => `/old/${numberOf(path) * 9 + index + 1}?x=${index}`),
      text: path.startsWith('/old') ? 'Not found' : path,
    }));
    const answered = { count: 0 };
    const job = await crawl(
      async (work) => {
        answered.count += 1;
        // As many as close the pattern; the others wait in the queue until those behind them are skipped.
        if (answered.count > 60) await untilSkipped(work.body.jobId);
        return await site(work);
      },
      { limit: 1000 },
    );
    expect(job.crawl?.fetched).toBeLessThan(500);
    expect(job.crawl?.skipped.trap).toBeGreaterThan(0);
    expect(job.crawl?.warnings?.map(({ code }) => code)).toContain('PATTERN_CLOSED');
    expect(job.totalUrls).toBe(job.completedUrls);
    const [trapped] = await bed.stores.pages.findInOrder(job.id, { states: ['skipped'], limit: 1 });
    expect(trapped?.crawled?.skip).toBe('trap');
  });
});

describe('a page that names another as canonical', () => {
  const pages = (text: string): Readonly<Record<string, SitePage>> => ({
    '/': { links: ['/item'] },
    '/item': { links: ['/item?view=1'], text: 'Item' },
    '/item?view=1': { links: ['/next'], text, canonical: '/item' },
    '/next': { links: [] },
  });

  it('is a duplicate if it has the same text, costs nothing, and leads on', async () => {
    const job = await crawl(crawling({ pages: pages('Item') }));
    expect(job).toMatchObject({
      totalUrls: 4,
      completedUrls: 4,
      creditsUsed: 3,
      crawl: { fetched: 3, skipped: { duplicate: 1 } },
    });
  });

  it('is a page of its own if it has another text', async () => {
    const job = await crawl(crawling({ pages: pages('Another item') }));
    expect(job).toMatchObject({ creditsUsed: 4, crawl: { fetched: 4, skipped: { duplicate: 0 } } });
  });
});
