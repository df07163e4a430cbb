import { createId } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelJob } from '../src/commands/cancel-job.ts';
import { MAX_SMALL_JOB, PAGES_PER_STEP } from '../src/finish/finisher.ts';
import { finishAnother, pausing, untilCompleted } from './pausing.ts';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const PAGES = MAX_SMALL_JOB + 1;

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a large job', () => {
  it('is cancelled before its pages are: none starts, and counters, completion and event follow', async () => {
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (Number(pathOf(body).slice(1)) >= 2) await gate.promise;
      return found(body);
    });
    const jobId = await bed.storeJob(PAGES);
    // Its reconciler leaves the job to the finisher of the test, however slow the machine is.
    await bed.startOrchestrator({ RECHECK_AFTER_MS: '60000' });
    await eventually(async () => {
      expect(scraper.commands).toHaveLength(10);
      expect((await bed.stores.jobs.findJobs([jobId]))[0]?.completedUrls).toBe(2);
    });
    const paused = pausing(bed.stores, 'pages', 'cancelSome');
    const finisher = bed.finisher(paused);
    const command = { type: 'cancel', jobId, accountId: bed.accountId } as const;
    const job = await cancelJob(command, { ...bed, finisher });
    expect(job).toMatchObject({ status: 'cancelled', totalUrls: PAGES });
    expect(job.completedAt).toBeUndefined();
    const { running, waiting } = await bed.stores.pages.countPages(jobId);
    expect(running).toBe(0);
    // How many pages wait depends on how many more were in the lanes of the ten that started.
    expect(waiting).toBeGreaterThan(PAGES / 2);
    gate.resolve();
    // The orchestrator goes on dispatching while the pages of the cancelled job still wait.
    await finishAnother(bed);
    paused.resume();
    expect(await untilCompleted(bed, jobId)).toMatchObject({
      status: 'cancelled',
      completedUrls: 2,
      creditsUsed: 2,
    });
    expect(await bed.stores.pages.countPages(jobId)).toMatchObject({ succeeded: 2, cancelled: PAGES - 2 });
    expect(scraper.commands.filter((sent) => sent.jobId === jobId)).toHaveLength(10);
    await eventually(() => {
      const types = bed.events.filter((event) => event.jobId === jobId).map(({ type }) => type);
      expect(types).toContain('job.cancelled');
    });
  });

  it('whose cancellation a process left half done is cancelled by another one', async () => {
    const jobId = await bed.storeJob(PAGES);
    await bed.stores.jobs.cancel(bed.accountId, jobId, new Date());
    await bed.stores.pages.cancelSome(jobId, PAGES_PER_STEP, new Date());
    await bed.startOrchestrator();
    expect(await untilCompleted(bed, jobId)).toMatchObject({ status: 'cancelled', completedUrls: 0 });
    expect(await bed.stores.pages.countPages(jobId)).toMatchObject({ waiting: 0, cancelled: PAGES });
  });

  it('whose account runs out of credits fails its other pages, however a process left them', async () => {
    await using poor = await startTestBed({ balance: 2 });
    const worker = await poor.startScraper();
    const jobId = await poor.storeJob(PAGES);
    const paused = pausing(poor.stores, 'pages', 'failSome');
    const dying = await poor.startOrchestrator({ MAX_PAGES_PER_HOST: '2' }, paused.stores);
    await paused.reached;
    const stopping = dying.stop(AbortSignal.timeout(30_000));
    paused.resume();
    await stopping;
    await poor.stores.accounts.addCredits(poor.accountId, PAGES);
    await poor.startOrchestrator();
    await eventually(async () => {
      const [job] = await poor.stores.jobs.findJobs([jobId]);
      expect(job).toMatchObject({
        status: 'partial',
        completedUrls: PAGES,
        failedUrls: PAGES - 2,
        creditsUsed: 2,
      });
    });
    expect(worker.commands).toHaveLength(2);
  });
});

it('no command waits for large jobs that are created, however many', async () => {
  // No page is answered, so that the stored job still runs when it is cancelled.
  scraper.follow(() => undefined);
  const jobId = await bed.storeJob(1);
  const paused = pausing(bed.stores, 'pages', 'insertPagesOfJobs');
  await bed.startOrchestrator({}, paused.stores);
  const { accountId } = bed;
  const created = Array.from({ length: 20 }, () => {
    const ids = { jobId: createId('job'), accountId, keyId: 'key_1' };
    const command = { type: 'create' as const, ...ids, request: { urls: urlsOf(PAGES) } };
    return bed.broker.request('jobs.large-commands', command, { timeoutMs: 240_000 });
  });
  await paused.reached;
  expect(await bed.cancel(jobId)).toMatchObject({ status: 'cancelled' });
  paused.resume();
  expect(await Promise.all(created)).toHaveLength(20);
});

describe('a crawl with many waiting pages', () => {
  const LISTED = { '/sitemap.xml': { urls: urlsOf(PAGES) } };

  it('is stopped while other jobs are dispatched, and skips the rest after its process has died', async () => {
    scraper.follow(crawling({ pages: Object.fromEntries(PATHS), sitemaps: LISTED }));
    const paused = pausing(bed.stores, 'pages', 'skipSome');
    const dying = await bed.startOrchestrator({}, paused.stores);
    const crawl = { sitemap: 'only' as const, limit: 5, robots: 'ignore' as const };
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl });
    await paused.reached;
    await finishAnother(bed);
    expect(await bed.stores.pages.countPages(id)).toMatchObject({ skipped: 0, running: 0 });
    const stopping = dying.stop(AbortSignal.timeout(30_000));
    paused.resume();
    await stopping;
    await bed.startOrchestrator();
    const job = await untilCompleted(bed, id);
    expect(job).toMatchObject({ crawl: { stoppedBy: 'limit', started: 5, fetched: 5 } });
    expect(await bed.stores.pages.countPages(id)).toMatchObject({ waiting: 0, succeeded: 5 });
    expect(job?.crawl?.skipped.limit).toBe((job?.totalUrls ?? 0) - 5);
  });
});

it('stores the links of pages that end together a few pages at a time', async () => {
  const paused = pausing(bed.stores, 'pages', 'insertCrawlPages');
  const ended: number[] = [];
  const pages: typeof paused.stores.pages = {
    ...paused.stores.pages,
    async end(ends, at) {
      ended.push(ends.length);
      return await bed.stores.pages.end(ends, at);
    },
  };
  await bed.startOrchestrator({}, { ...paused.stores, pages });
  const links = Array.from({ length: 3000 }, (_, index) => `/${index}`);
  scraper.follow(crawling({ pages: { '/': { links } } }));
  const urls = Array.from({ length: 6 }, (_, index) => `http://h${index}.test/`);
  const crawl = { limit: 6, sitemap: 'skip' as const, robots: 'ignore' as const };
  await bed.create({ urls, crawl });
  await paused.reached;
  await eventually(async () => {
    expect(scraper.commands).toHaveLength(6);
    expect(scraper.load.current).toBe(0);
    expect(await bed.broker.messageCount('pages.results')).toBe(0);
  });
  paused.resume();
  await eventually(() => expect(ended.slice(0, 6)).toEqual([1, 1, 1, 1, 1, 1]));
});

const PATHS = ['/', ...urlsOf(PAGES).map((url) => new URL(url).pathname)].map((path) => [
  path,
  { links: [] },
]);
