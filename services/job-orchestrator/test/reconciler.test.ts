import { AppError, toFailure } from '@gleaner/contracts';
import { type PageAttempt, pageIdOf, type StoredJob } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chargePages, termsOf } from '../src/finish/charge-pages.ts';
import { finishJob } from '../src/finish/finish-job.ts';
import { atOnce } from '../src/steps.ts';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
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

describe('the reconciler', () => {
  it('dispatches pages again that no worker reported on', async () => {
    await bed.startOrchestrator({ QUEUE_PATIENCE_MS: '100' });
    scraper.follow(({ body }) => (body.attempt === 1 ? undefined : found(body)));
    const job = await bed.create({ urls: urlsOf(3), timeout: 1000 });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ completedUrls: 3, creditsUsed: 3 });
  });

  it('finishes a job whose orchestrator died after its last page, and charges the pages that were not charged', async () => {
    const job = await bed.storeJob(2);
    const ids = [pageIdOf(job, 0), pageIdOf(job, 1)];
    await bed.stores.pages.claim(ids, new Date(Date.now() + 60_000));
    await bed.stores.pages.end(
      ids.map((id) => ({ id, attempt: 1, state: 'succeeded', price: { base: 1 } })),
      new Date(),
    );
    await bed.startOrchestrator();
    expect(await bed.untilJob(job, 'completed')).toMatchObject({ completedUrls: 2, creditsUsed: 2 });
    expect(await bed.stores.credits.sumCharges(`${job}:`)).toEqual({ operations: 2, credits: 2 });
  });

  it('completes an interrupted cancellation', async () => {
    const job = await bed.storeJob(3);
    await bed.stores.jobs.cancel(bed.accountId, job, new Date());
    await bed.startOrchestrator();
    await eventually(async () => {
      const stored = await bed.stores.jobs.findJob(bed.accountId, job);
      expect(stored).toMatchObject({ status: 'cancelled', completedAt: expect.any(Date) });
    });
    expect(await bed.stores.pages.countPages(job)).toMatchObject({ waiting: 0, cancelled: 3 });
    expect(scraper.commands).toEqual([]);
  });

  it('never completes a job whose pages are cancelled at the same time', async () => {
    const job = await bed.storeJob(3);
    const [stale] = await bed.stores.jobs.findJobs([job]);
    await bed.stores.jobs.cancel(bed.accountId, job, new Date());
    await bed.stores.pages.cancelSome(job, 10, new Date());
    const deps = { ...bed, datasetQuotaBytes: 1024 ** 3, retentionMs: 60_000 };
    expect(await finishJob(stale as StoredJob, deps, atOnce)).toMatchObject({
      finished: { status: 'cancelled', completedUrls: 0 },
    });
  });

  it('corrects the counters of a running job, without the pages that have just finished', async () => {
    const job = await bed.storeJob(4);
    const attempts = [0, 1, 2].map((index) => ({ id: pageIdOf(job, index), attempt: 1 }));
    const [old, failing, recent] = attempts as [PageAttempt, PageAttempt, PageAttempt];
    const { pages } = bed.stores;
    await pages.claim(
      attempts.map(({ id }) => id),
      new Date(Date.now() + 60_000),
    );
    const price = { base: 1 };
    const failure = toFailure(new AppError('NOT_FOUND'));
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await pages.end([{ ...old, state: 'succeeded', price }], aMinuteAgo);
    await pages.end([{ ...failing, state: 'failed', failure }], aMinuteAgo);
    // It stays recent, however long the test takes.
    await pages.end([{ ...recent, state: 'succeeded', price }], new Date(Date.now() + 3_600_000));
    const [stored] = await bed.stores.jobs.findJobs([job]);
    await chargePages(termsOf(stored as StoredJob), [{ id: old.id, price, at: aMinuteAgo }], bed.stores);
    scraper.follow(() => undefined);
    await bed.startOrchestrator({ RECOUNT_AFTER_MS: '300' });
    await eventually(async () => {
      expect(await bed.stores.jobs.findJob(bed.accountId, job)).toMatchObject({
        status: 'running',
        completedUrls: 2,
        failedUrls: 1,
        creditsUsed: 1,
        recountedAt: expect.any(Date),
      });
    });
  });

  it('sends events that were not sent', async () => {
    await bed.startOrchestrator();
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    await eventually(async () => {
      const [stored] = await bed.stores.jobs.findJobs([job.id]);
      expect(stored?.events).toEqual([]);
    });
  });
});
