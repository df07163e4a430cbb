import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelJob } from '../src/commands/cancel-job.ts';
import { MAX_SMALL_JOB, PAGES_PER_STEP } from '../src/finish/finisher.ts';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const PAGES = MAX_SMALL_JOB + 2 * PAGES_PER_STEP;

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

async function untilCompleted(jobId: string) {
  return await eventually(async () => {
    const [job] = await bed.stores.jobs.findJobs([jobId]);
    expect(job?.completedAt).toBeDefined();
    return job;
  });
}

/** Returns stores whose operation waits until the test lets it go on. */
function pausing(name: 'cancelSome' | 'skipSome' | 'failSome', stores = bed.stores) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const operation = stores.pages[name] as (...parameters: unknown[]) => Promise<never>;
  const paused = async (...parameters: unknown[]) => {
    reached.resolve();
    await gate.promise;
    return await operation(...parameters);
  };
  return {
    stores: { ...stores, pages: { ...stores.pages, [name]: paused } },
    reached: reached.promise,
    resume: () => gate.resolve(),
  };
}

describe('a large job', () => {
  it('is cancelled before its pages are: none starts, and counters, completion and event follow', async () => {
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (Number(pathOf(body).slice(1)) >= 2) await gate.promise;
      return found(body);
    });
    const jobId = await bed.storeJob(PAGES);
    await bed.startOrchestrator();
    await eventually(() => expect(scraper.commands).toHaveLength(10));
    const paused = pausing('cancelSome');
    const finisher = bed.finisher(paused);
    const command = { type: 'cancel', jobId, accountId: bed.accountId } as const;
    const job = await cancelJob(command, { ...bed, finisher });
    expect(job).toMatchObject({ status: 'cancelled', totalUrls: PAGES });
    expect(job.completedAt).toBeUndefined();
    expect(await bed.stores.pages.countPages(jobId)).toMatchObject({ running: 0, waiting: PAGES - 10 });
    gate.resolve();
    // The orchestrator goes on dispatching while the pages of the cancelled job still wait.
    const other = await bed.create({ urls: urlsOf(1, 'b.test') }, { accountId: await bed.addAccount() });
    await untilCompleted(other.id);
    paused.resume();
    expect(await untilCompleted(jobId)).toMatchObject({
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
    expect(await untilCompleted(jobId)).toMatchObject({ status: 'cancelled', completedUrls: 0 });
    expect(await bed.stores.pages.countPages(jobId)).toMatchObject({ waiting: 0, cancelled: PAGES });
  });

  it('whose account runs out of credits fails its other pages, however a process left them', async () => {
    await using poor = await startTestBed({ balance: 2 });
    const worker = await poor.startScraper();
    const jobId = await poor.storeJob(PAGES);
    const paused = pausing('failSome', poor.stores);
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

describe('a crawl with many waiting pages', () => {
  const LISTED = { '/sitemap.xml': { urls: urlsOf(PAGES) } };

  it('is stopped while other jobs are dispatched, and skips the rest after its process has died', async () => {
    scraper.follow(crawling({ pages: Object.fromEntries(PATHS), sitemaps: LISTED }));
    const paused = pausing('skipSome');
    const dying = await bed.startOrchestrator({}, paused.stores);
    const crawl = { sitemap: 'only' as const, limit: 5, robots: 'ignore' as const };
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl });
    await paused.reached;
    const other = await bed.create({ urls: urlsOf(1, 'b.test') }, { accountId: await bed.addAccount() });
    await untilCompleted(other.id);
    expect(await bed.stores.pages.countPages(id)).toMatchObject({ skipped: 0, running: 0 });
    const stopping = dying.stop(AbortSignal.timeout(30_000));
    paused.resume();
    await stopping;
    await bed.startOrchestrator();
    const job = await untilCompleted(id);
    expect(job).toMatchObject({ crawl: { stoppedBy: 'limit', started: 5, fetched: 5 } });
    expect(await bed.stores.pages.countPages(id)).toMatchObject({ waiting: 0, succeeded: 5 });
    expect(job?.crawl?.skipped.limit).toBe((job?.totalUrls ?? 0) - 5);
  });
});

const PATHS = ['/', ...urlsOf(PAGES).map((url) => new URL(url).pathname)].map((path) => [
  path,
  { links: [] },
]);
