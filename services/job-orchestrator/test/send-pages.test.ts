import { CacheKeeper, type Stores } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { JobTermsCache } from '../src/collect/job-terms-cache.ts';
import { RobotsGate } from '../src/crawl/robots-gate.ts';
import { ActiveJobs } from '../src/dispatch/active-jobs.ts';
import { HostPaces } from '../src/dispatch/host-pace.ts';
import type { PickedPage } from '../src/dispatch/picked-page.ts';
import { type SendDeps, sendPages } from '../src/dispatch/send-pages.ts';
import { atOnce } from '../src/steps.ts';
import { found } from './scripted-scraper.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

const BALANCE = 100;
const TIMEOUT_MS = 1000;

let bed: TestBed;

beforeEach(async () => {
  bed = await startTestBed({ balance: BALANCE });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

it('a dispatcher that was paused sends no page that another one sent, and holds and loses no credits', async () => {
  const job = await bed.storeJob(3, { timeout: TIMEOUT_MS });
  const pick = await pickOne();
  const paused = pausing(bed.stores);
  const sending = sendPages([pick], 'http', depsOf(paused.stores));
  await paused.reserving;
  const scraper = await bed.startScraper();
  scraper.follow(({ body }) => found(body));
  await bed.startOrchestrator({ QUEUE_PATIENCE_MS: '100' });
  await bed.untilJob(job, 'completed');
  const before = scraper.commands.length;
  paused.resume();
  expect((await sending).sent).toEqual([]);
  expect(scraper.commands).toHaveLength(before);
  await eventually(async () =>
    expect(await bed.stores.accounts.findAccount(bed.accountId)).toMatchObject({
      balance: BALANCE - 3,
      reserved: 0,
    }),
  );
});

it('a page that was claimed while its job was cancelled is not sent', async () => {
  const job = await bed.storeJob(1);
  const pick = await pickOne();
  const paused = pausing(bed.stores);
  const sending = sendPages([pick], 'http', depsOf(paused.stores));
  await paused.reserving;
  const scraper = await bed.startScraper();
  await bed.stores.jobs.cancel(bed.accountId, job, new Date());
  paused.resume();
  expect((await sending).sent).toEqual([]);
  await bed.finisher().advance(job, atOnce);
  expect(await bed.stores.pages.countPages(job)).toMatchObject({ cancelled: 1 });
  expect(scraper.commands).toEqual([]);
});

/** Returns a page of the only active job, as the dispatcher picks it. */
async function pickOne(): Promise<PickedPage> {
  const gate = new RobotsGate({ stores: bed.stores, retentionMs: 3_600_000 });
  const active = new ActiveJobs(bed.stores, gate);
  await active.refresh();
  const paces = new HostPaces({ maxPagesPerHost: 8, hostDelayMs: 0, maxPauseMs: 1000 });
  await active.fill({
    paces,
    freeSlots: { http: 40, browser: 0 },
    maxPagesPerJob: 200,
    onEnded: () => {},
  });
  const [activeJob] = active.all();
  if (!activeJob) throw new Error('The job is not active.');
  const [page] = activeJob.waiting;
  if (!page) throw new Error('No page waits.');
  const lane = { jobId: activeJob.id, host: page.host, sinceMs: Date.now(), left: 1, fetched: 0 };
  return { job: activeJob, page, lane };
}

/** Returns stores that pause before credits are held, until `resume`. */
function pausing(stores: Stores) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const reserve: Stores['credits']['reserve'] = async (request) => {
    reached.resolve();
    await gate.promise;
    return await stores.credits.reserve(request);
  };
  const credits = { ...stores.credits, reserve };
  return { stores: { ...stores, credits }, reserving: reached.promise, resume: () => gate.resolve() };
}

function depsOf(stores: Stores): SendDeps {
  return {
    ...bed,
    stores,
    queuePatienceMs: 100,
    cache: new CacheKeeper({ ...bed, ...stores, keeping: { retentionMs: 60_000, quotaBytes: 1024 ** 2 } }),
    pace: { hostDelayMs: 0 },
    finisher: bed.finisher(),
    terms: new JobTermsCache(stores),
  };
}
