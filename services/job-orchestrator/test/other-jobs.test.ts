import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelJob } from '../src/commands/cancel-job.ts';
import { MAX_SMALL_JOB } from '../src/finish/finisher.ts';
import { finishAnother, pausing, untilCompleted } from './pausing.ts';
import type { ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

it('a large job is cancelled before its pages are', async () => {
  const jobId = await bed.storeJob(MAX_SMALL_JOB + 1);
  const paused = pausing(bed.stores, 'pages', 'cancelSome');
  const finisher = bed.finisher(paused);
  const command = { type: 'cancel', jobId, accountId: bed.accountId } as const;
  const job = await cancelJob(command, { ...bed, finisher });
  expect(job).toMatchObject({ status: 'cancelled' });
  expect(job.completedAt).toBeUndefined();
  paused.resume();
  await untilCompleted(bed, jobId);
  expect(await bed.stores.pages.countPages(jobId)).toMatchObject({ waiting: 0, cancelled: job.totalUrls });
});

describe('no other job waits while a crawl', () => {
  it('that may start no further page skips those that wait', async () => {
    const urls = urlsOf(6);
    const pages = Object.fromEntries(urls.map((url) => [new URL(url).pathname, { links: [] }]));
    scraper.follow(crawling({ pages, sitemaps: { '/sitemap.xml': { urls } } }));
    const paused = pausing(bed.stores, 'pages', 'skipSome');
    await bed.startOrchestrator({}, paused.stores);
    const crawl = { sitemap: 'only' as const, limit: 2, robots: 'ignore' as const };
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl });
    await paused.reached;
    await finishAnother(bed);
    paused.resume();
    const job = await untilCompleted(bed, id);
    expect(job).toMatchObject({
      crawl: { stoppedBy: 'limit', fetched: 2, skipped: { limit: (job?.totalUrls ?? 0) - 2 } },
    });
  });

  it('stores the links of a page', async () => {
    const paused = pausing(bed.stores, 'pages', 'insertCrawlPages');
    scraper.follow(crawling({ pages: { '/': { links: ['/a'] }, '/a': { links: [] } } }));
    await bed.startOrchestrator({}, paused.stores);
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
    await paused.reached;
    await finishAnother(bed);
    paused.resume();
    expect(await untilCompleted(bed, id)).toMatchObject({ status: 'completed', completedUrls: 2 });
  });

  it('looks for pages that nothing leads to any more, which another process continues after a crash', async () => {
    const pages = { '/a': { links: [] }, '/b': { links: [] } };
    scraper.follow(crawling({ pages: { '/': { links: ['/a', '/b'] }, ...pages } }));
    const first = await bed.startOrchestrator();
    const crawl = { sitemap: 'skip' as const };
    const before = await bed.create({ urls: ['http://a.test/'], crawl });
    await untilCompleted(bed, before.id);
    await first.stop(AbortSignal.timeout(30_000));
    scraper.follow(crawling({ pages: { '/': { links: [] }, '/a': pages['/a'] } }));
    const paused = pausing(bed.stores, 'jobs', 'noteSweep');
    const dying = await bed.startOrchestrator({}, paused.stores);
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { ...crawl, since: before.id } });
    await paused.reached;
    await finishAnother(bed);
    const stopping = dying.stop(AbortSignal.timeout(30_000));
    paused.resume();
    await stopping;
    await bed.startOrchestrator();
    const changes = { new: 0, changed: 0, unchanged: 2, gone: 1, unlinked: 1 };
    expect(await untilCompleted(bed, id)).toMatchObject({ totalUrls: 3, crawl: { isSwept: true, changes } });
  });
});
