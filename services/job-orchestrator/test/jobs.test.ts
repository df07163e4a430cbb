import { AppError, createId } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, type ScriptedScraper, say } from './scripted-scraper.ts';
import { pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

async function resultsOf(jobId: string): Promise<Record<string, unknown>[]> {
  const pages = await bed.stores.pages.findProcessed(jobId, { limit: 10_000 });
  const texts = await bed.stores.results.findResults(pages);
  return pages.map((page) =>
    JSON.parse(texts.get(page.id) ?? JSON.stringify({ failed: page.failure?.code })),
  );
}

/** The types of the events that were announced; the same event may come more than once. */
function announced(): string[] {
  return [...new Map(bed.events.map(({ id, type }) => [id, type])).values()];
}

async function charged(jobId: string) {
  return await bed.stores.credits.sumCharges(`${jobId}:`);
}

describe('a job', () => {
  it('is pending when it is answered, and completed when every page has succeeded, each result in its place', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      // The later a page stands, the sooner it is done.
      await new Promise((resolve) => setTimeout(resolve, 30 - Number(pathOf(body).slice(1))));
      return found(body);
    });
    const urls = urlsOf(25);
    const job = await bed.create({ urls, name: 'Books' });
    expect(job).toMatchObject({ name: 'Books', status: 'pending', totalUrls: 25, completedUrls: 0 });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({
      completedUrls: 25,
      failedUrls: 0,
      creditsUsed: 25,
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect((await resultsOf(job.id)).map(({ url }) => url)).toEqual(urls);
    expect(await charged(job.id)).toEqual({ operations: 25, credits: 25 });
    await eventually(() => expect(announced()).toEqual(['job.started', 'job.completed']));
  });

  it('is partial when some pages failed for good, and failed when all did', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => (pathOf(body) === '/0' ? found(body) : failed('NOT_FOUND')));
    const partial = await bed.create({ urls: urlsOf(3) });
    const hopeless = await bed.create({ urls: ['http://a.test/7', 'http://a.test/8'] });
    expect(await bed.untilJob(partial.id, 'partial')).toMatchObject({ failedUrls: 2, creditsUsed: 1 });
    expect(await bed.untilJob(hopeless.id, 'failed')).toMatchObject({ failedUrls: 2, creditsUsed: 0 });
    expect((await resultsOf(partial.id)).map(({ failed: code }) => code)).toEqual([
      undefined,
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
  });

  it('tries pages again whose error may pass, counts the attempts, and keeps the last error', async () => {
    await bed.startOrchestrator();
    const tries = new Map<string, number>();
    scraper.follow(({ body }) => {
      const path = pathOf(body);
      tries.set(path, (tries.get(path) ?? 0) + 1);
      if (path === '/0' && tries.get(path) === 3) return found(body);
      return failed('UPSTREAM_ERROR');
    });
    const job = await bed.create({ urls: urlsOf(2) });
    await bed.untilJob(job.id, 'partial');
    expect([...tries]).toEqual([
      ['/0', 3],
      ['/1', 3],
    ]);
    const [, failedPage] = await bed.stores.pages.findProcessed(job.id, { limit: 2 });
    expect(failedPage).toMatchObject({ attempt: 3, failure: { code: 'UPSTREAM_ERROR' } });
  });

  it('takes every outcome once, however often and late it is said', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      for (let count = 0; count < 3; count++) await say(bed.broker, body, found(body));
      return failed('NOT_FOUND');
    });
    const job = await bed.create({ urls: urlsOf(5) });
    await bed.untilJob(job.id, 'completed');
    expect(await charged(job.id)).toEqual({ operations: 5, credits: 5 });
    const again = { jobId: job.id, pageId: pageIdOf(job.id, 0), attempt: 1 };
    await say(bed.broker, again, failed('NOT_FOUND'));
    const marker = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(marker.id, 'completed');
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ failedUrls: 0, creditsUsed: 5 });
  });

  it('heeds no outcome of an attempt that is over', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      if (body.attempt === 1) return { kind: 'lost' };
      const late = { ...body, attempt: 1 };
      await say(bed.broker, late, found(body, '{"title":"late"}'));
      return found(body, '{"title":"current"}');
    });
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    expect(await resultsOf(job.id)).toMatchObject([{ data: { title: 'current' } }]);
  });

  it('fails a page that three workers were lost with, and its neighbours succeed', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => {
      const isGuilty = pathOf(body) === '/3';
      return isGuilty || body.attempt === 1 ? { kind: 'lost' } : found(body);
    });
    const job = await bed.create({ urls: urlsOf(8) });
    expect(await bed.untilJob(job.id, 'partial', 25_000)).toMatchObject({ failedUrls: 1 });
    const pages = await bed.stores.pages.findProcessed(job.id, { limit: 10 });
    expect(pages.filter(({ state }) => state === 'failed')).toMatchObject([
      {
        index: 3,
        losses: 2,
        attempt: 3,
        failure: { message: expect.stringContaining('3 workers were lost') },
      },
    ]);
  });

  it('keeps data whatever its fields are called', async () => {
    await bed.startOrchestrator();
    const dataJson = JSON.stringify({ 'a.b': '1', $set: '2', 'with \u0000': '3', ['__proto__']: '4' });
    scraper.follow(({ body }) => found(body, dataJson));
    const job = await bed.create({ urls: urlsOf(1), selectors: { 'a.b': 'h1', $set: 'h2' } });
    await bed.untilJob(job.id, 'completed');
    expect(JSON.stringify((await resultsOf(job.id))[0]?.data)).toBe(dataJson);
  });
});

describe('creating', () => {
  it('the same job again, by its id or its idempotency key, makes no second one', async () => {
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

  it('another request under a used key is a conflict', async () => {
    await bed.startOrchestrator();
    await bed.create({ urls: urlsOf(1) }, { idempotencyKey: 'once' });
    const conflict = bed.create({ urls: urlsOf(2) }, { idempotencyKey: 'once' });
    await expect(conflict).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('that was cut off after the draft is finished by whoever repeats it', async () => {
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

  it('the jobs of runs together gives each what it would get alone, and repeated makes no second one', async () => {
    await bed.startOrchestrator();
    const commandOf = (url: string, idempotencyKey: string, jobId = createId('job')) => ({
      ...{ type: 'create' as const, jobId, accountId: bed.accountId, keyId: null, scheduleId: 'sch_1' },
      ...{ request: { urls: [url] }, idempotencyKey },
    });
    const earlier = await bed.create({ urls: ['http://a.test/old'] }, { idempotencyKey: 'used' });
    const fresh = Array.from({ length: 30 }, (_, index) =>
      commandOf(`http://a.test/${index}`, `key ${index}`),
    );
    const conflicting = commandOf('http://a.test/other', 'used');
    const repeated = commandOf('http://a.test/old', 'used');
    const runs = [...fresh.slice(0, 10), conflicting, ...fresh.slice(10), repeated];
    const ask = () => bed.broker.request('jobs.runs', { runs }, { timeoutMs: 30_000 });
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

describe('cancelling', () => {
  it('keeps what was completed, starts nothing more, and heeds no late result', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '2' });
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (Number(pathOf(body).slice(1)) >= 2) await gate.promise;
      return found(body);
    });
    const job = await bed.create({ urls: urlsOf(20) });
    await eventually(() => expect(scraper.commands).toHaveLength(4));
    const cancelled = await bed.cancel(job.id);
    expect(cancelled).toMatchObject({ status: 'cancelled', completedUrls: 2, creditsUsed: 2 });
    await eventually(() => expect(scraper.cancelledJobs).toContain(job.id));
    gate.resolve();
    const marker = await bed.create({ urls: urlsOf(1, 'b.test') });
    await bed.untilJob(marker.id, 'completed');
    expect(await bed.cancel(job.id)).toEqual(cancelled);
    expect(scraper.commands.filter(({ jobId }) => jobId === job.id)).toHaveLength(4);
    expect(await charged(job.id)).toEqual({ operations: 2, credits: 2 });
  });

  it('is refused for a job that has ended, and for one that there is not', async () => {
    await bed.startOrchestrator();
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    await expect(bed.cancel(job.id)).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
    await expect(bed.cancel('job_none')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});

describe('dispatching', () => {
  it('never has more pages of a host in flight than it may', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '3' });
    scraper.follow(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return found(body);
    });
    const jobs = await Promise.all([bed.create({ urls: urlsOf(15) }), bed.create({ urls: urlsOf(15) })]);
    for (const { id } of jobs) await bed.untilJob(id, 'completed');
    expect(scraper.load.peak).toBe(3);
  });

  it('lets a small job pass between the pages of a big one', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '2' });
    const gates: (() => void)[] = [];
    scraper.follow(async ({ body }) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return found(body);
    });
    await bed.create({ urls: urlsOf(100) });
    await eventually(() => expect(gates).toHaveLength(2));
    const small = await bed.create({ urls: ['http://a.test/small'] });
    gates.shift()?.();
    await eventually(() => expect(scraper.commands.at(-1)?.jobId).toBe(small.id));
    await bed.cancel(scraper.commands[0]?.jobId ?? '');
    for (const open of gates) open();
    await bed.untilJob(small.id, 'completed');
  });

  it('leaves a host alone that asks for it, in every job', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1' });
    const seenAtMs: number[] = [];
    scraper.follow(({ body }) => {
      seenAtMs.push(Date.now());
      return seenAtMs.length === 1 ? failed('RATE_LIMITED', 1) : found(body);
    });
    const jobs = [await bed.create({ urls: urlsOf(1) }), await bed.create({ urls: urlsOf(1) })];
    for (const { id } of jobs) await bed.untilJob(id, 'completed');
    const [first = 0, second = 0] = seenAtMs;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('goes on when the orchestrator that dispatched has gone', async () => {
    const first = await bed.startOrchestrator();
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return found(body);
    });
    const job = await bed.create({ urls: urlsOf(60) });
    await eventually(() => expect(scraper.commands.length).toBeGreaterThan(10));
    await first.stop(AbortSignal.timeout(30_000));
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ completedUrls: 60, creditsUsed: 60 });
    await eventually(() => expect(announced()).toEqual(['job.started', 'job.completed']));
  });
});

describe('credits', () => {
  it('that run out in the middle fail the rest of the job clearly, and none is charged twice or forgotten', async () => {
    await using poor = await startTestBed({ balance: 4 });
    await poor.startOrchestrator({ MAX_PAGES_PER_HOST: '1' });
    await poor.startScraper();
    const job = await poor.create({ urls: urlsOf(6) });
    expect(await poor.untilJob(job.id, 'partial')).toMatchObject({ failedUrls: 2, creditsUsed: 4 });
    const pages = await poor.stores.pages.findProcessed(job.id, { limit: 10 });
    expect(pages.map(({ failure }) => failure?.code)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      ...['INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS'],
    ]);
    await eventually(async () => {
      expect(await poor.stores.accounts.findAccount(poor.accountId)).toMatchObject({
        balance: 0,
        reserved: 0,
      });
    });
  });

  it('that were held for pages that failed or were cancelled come back', async () => {
    await using limited = await startTestBed({ balance: 10 });
    await limited.startOrchestrator();
    const worker = await limited.startScraper();
    worker.follow(({ body }) => (pathOf(body) === '/0' ? failed('NOT_FOUND') : found(body)));
    const job = await limited.create({ urls: urlsOf(3) });
    await limited.untilJob(job.id, 'partial');
    await eventually(async () => {
      expect(await limited.stores.accounts.findAccount(limited.accountId)).toMatchObject({
        balance: 8,
        reserved: 0,
      });
    });
  });
});

it('refuses what it does not understand', async () => {
  await bed.startOrchestrator();
  const wrong = bed.create({ urls: [] });
  await expect(wrong).rejects.toBeInstanceOf(AppError);
});
