import { createHash } from 'node:crypto';
import { createId } from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedScraper } from './scripted-scraper.ts';
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

describe('creating a job', () => {
  it('creates no second job for the same id or idempotency key', async () => {
    await bed.startOrchestrator();
    const jobId = createId('job');
    const urls = urlsOf(3);
    const same = { jobId, idempotencyKey: 'once' };
    const jobs = await Promise.all([1, 2, 3].map(() => bed.create({ urls }, same)));
    await bed.untilJob(jobId, 'completed');
    const later = await bed.create({ urls }, { idempotencyKey: 'once' });
    expect(new Set([...jobs, later].map((job) => JSON.stringify(job))).size).toBe(1);
    expect((await bed.stores.jobs.listJobs(bed.accountId, { limit: 10, offset: 0 })).total).toBe(1);
    expect(scraper.commands).toHaveLength(3);
  });

  it('refuses a run of a schedule that the account cannot pay for, and repeats one that it has paid for', async () => {
    await using poor = await startTestBed({ balance: 3 });
    await poor.startScraper();
    await poor.startOrchestrator();
    const run = { scheduleId: createId('sch'), idempotencyKey: 'tick-1' };
    const first = await poor.create({ urls: urlsOf(3) }, run);
    await poor.untilJob(first.id, 'completed');
    expect((await poor.create({ urls: urlsOf(3) }, run)).id).toBe(first.id);
    const next = poor.create({ urls: urlsOf(3) }, { ...run, idempotencyKey: 'tick-2' });
    await expect(next).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect((await poor.stores.jobs.listJobs(poor.accountId, { limit: 10, offset: 0 })).total).toBe(1);
  });

  it('rejects another request under a used key', async () => {
    await bed.startOrchestrator();
    await bed.create({ urls: urlsOf(1) }, { idempotencyKey: 'once' });
    const conflict = bed.create({ urls: urlsOf(2) }, { idempotencyKey: 'once' });
    await expect(conflict).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('keeps the run of a schedule under its key although the settings have changed, and for no other schedule', async () => {
    await bed.startOrchestrator();
    const run = { scheduleId: 'sch_1', isExtraRun: true, idempotencyKey: 'run' };
    const first = await bed.create({ urls: urlsOf(1) }, run);
    expect((await bed.create({ urls: urlsOf(2) }, run)).id).toBe(first.id);
    for (const other of [{ ...run, scheduleId: 'sch_2' }, { idempotencyKey: 'run' }]) {
      const conflict = bed.create({ urls: urlsOf(1) }, other);
      await expect(conflict).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    }
  });

  it('accepts the same request with its keys in another order under a used key, also for older jobs', async () => {
    await bed.startOrchestrator();
    const first = await bed.create(
      { urls: urlsOf(1), selectors: { a: 'h1', b: 'h2' }, timeout: 5000 },
      { idempotencyKey: 'once' },
    );
    const reordered = { timeout: 5000, selectors: { b: 'h2', a: 'h1' }, urls: urlsOf(1) };
    expect((await bed.create(reordered, { idempotencyKey: 'once' })).id).toBe(first.id);
    const older = createId('job');
    const request = { urls: urlsOf(1), name: 'Older' };
    const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    const ids = { id: older, accountId: bed.accountId, keyId: null };
    await bed.stores.jobs.insertDraft({
      ...ids,
      name: 'Older',
      totalUrls: 1,
      optionsJson: '{}',
      createdAt: new Date(),
      idempotency: { key: 'older', requestHash },
    });
    expect((await bed.create(request, { idempotencyKey: 'older' })).id).toBe(older);
  });

  it('again shows which job it repeats, and is no other request under the same key', async () => {
    await bed.startOrchestrator();
    const first = await bed.create({ urls: urlsOf(2) });
    const again = { rerun: { jobId: first.id }, idempotencyKey: 'again' };
    const job = await bed.create({ urls: urlsOf(2) }, again);
    expect(job).toMatchObject({ rerunOf: first.id, status: 'pending', totalUrls: 2 });
    expect(await bed.create({ urls: urlsOf(2) }, again)).toEqual(job);
    for (const more of [{}, { rerun: { jobId: first.id, only: 'failed' as const } }]) {
      const other = bed.create({ urls: urlsOf(2) }, { ...more, idempotencyKey: 'again' });
      await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    }
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ rerunOf: first.id });
  });

  it('is finished by a repeated command after it was interrupted', async () => {
    const jobId = createId('job');
    const urls = urlsOf(3);
    const draft = { id: jobId, accountId: bed.accountId, keyId: null, name: 'Cut', totalUrls: 3 };
    await bed.stores.jobs.insertDraft({ ...draft, optionsJson: '{}', createdAt: new Date() });
    const page = { index: 1, url: 'http://a.test/1', host: 'a.test' };
    await bed.stores.pages.insertPages(jobId, [page], new Date(Date.now() + 3_600_000));
    await bed.startOrchestrator();
    expect(await bed.stores.jobs.findJob(bed.accountId, jobId)).toBeNull();
    await bed.create({ urls }, { jobId });
    expect(await bed.untilJob(jobId, 'completed')).toMatchObject({ completedUrls: 3 });
  });

  it('gives each of several runs the reply that it would get alone, and creates none twice', async () => {
    await bed.startOrchestrator();
    const commandOf = (url: string, idempotencyKey: string, jobId = createId('job')) => ({
      type: 'create' as const,
      jobId,
      accountId: bed.accountId,
      keyId: null,
      scheduleId: 'sch_1',
      request: { urls: [url] },
      idempotencyKey,
    });
    const earlier = await bed.create({ urls: ['http://a.test/old'] }, { idempotencyKey: 'used' });
    const fresh = Array.from({ length: 30 }, (_, index) =>
      commandOf(`http://a.test/${index}`, `key ${index}`),
    );
    const conflicting = commandOf('http://a.test/other', 'used');
    const repeated = commandOf('http://a.test/old', 'used');
    const runs = [...fresh.slice(0, 10), conflicting, ...fresh.slice(10), repeated];
    const ask = () => bed.broker.request('jobs.runs', { runs }, { timeoutMs: 240_000 });
    const [{ outcomes }, again] = await Promise.all([ask(), ask()]);
    expect(again.outcomes).toEqual(outcomes);
    expect(outcomes.map((outcome) => ('job' in outcome ? outcome.job.id : outcome.failure.code))).toEqual([
      ...fresh.slice(0, 10).map(({ jobId }) => jobId),
      'IDEMPOTENCY_CONFLICT',
      ...fresh.slice(10).map(({ jobId }) => jobId),
      earlier.id,
    ]);
    for (const { jobId } of fresh) await bed.untilJob(jobId, 'completed');
    expect((await bed.stores.jobs.listJobs(bed.accountId, { limit: 1, offset: 0 })).total).toBe(31);
    expect(scraper.commands).toHaveLength(31);
  });
});
