import { createHash } from 'node:crypto';
import { AppError, createId, toFailure } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, foundParts, report, type ScriptedScraper } from './scripted-scraper.ts';
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

/** Returns the types of the events that were sent; the same event may be sent more than once. */
function sentEvents(): string[] {
  return [...new Map(bed.events.map(({ id, type }) => [id, type])).values()];
}

async function charged(jobId: string) {
  return await bed.stores.credits.sumCharges(`${jobId}:`);
}

describe('a job', () => {
  it('is pending in the reply, and completed when every page has succeeded, with each result in its place', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      // Later pages finish sooner.
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
    await eventually(() => expect(sentEvents()).toEqual(['job.started', 'job.completed']));
  });

  it('is partial when some pages failed, and failed when all did', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => (pathOf(body) === '/0' ? found(body) : failed('NOT_FOUND')));
    const partial = await bed.create({ urls: urlsOf(3) });
    const failing = await bed.create({ urls: ['http://a.test/7', 'http://a.test/8'] });
    expect(await bed.untilJob(partial.id, 'partial')).toMatchObject({ failedUrls: 2, creditsUsed: 1 });
    expect(await bed.untilJob(failing.id, 'failed')).toMatchObject({ failedUrls: 2, creditsUsed: 0 });
    expect((await resultsOf(partial.id)).map(({ failed: code }) => code)).toEqual([
      undefined,
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
  });

  it('retries pages whose error may pass, counts the attempts, and keeps the last error', async () => {
    await bed.startOrchestrator();
    const attempts = new Map<string, number>();
    scraper.follow(({ body }) => {
      const path = pathOf(body);
      attempts.set(path, (attempts.get(path) ?? 0) + 1);
      if (path === '/0' && attempts.get(path) === 3) return found(body);
      return failed('UPSTREAM_ERROR');
    });
    const job = await bed.create({ urls: urlsOf(2) });
    await bed.untilJob(job.id, 'partial');
    expect([...attempts]).toEqual([
      ['/0', 3],
      ['/1', 3],
    ]);
    const [, failedPage] = await bed.stores.pages.findProcessed(job.id, { limit: 2 });
    expect(failedPage).toMatchObject({ attempt: 3, failure: { code: 'UPSTREAM_ERROR' } });
  });

  it('counts every outcome once, however often and late it is reported', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      for (let count = 0; count < 3; count++) await report(bed.broker, body, found(body));
      return failed('NOT_FOUND');
    });
    const job = await bed.create({ urls: urlsOf(5) });
    await bed.untilJob(job.id, 'completed');
    expect(await charged(job.id)).toEqual({ operations: 5, credits: 5 });
    const again = { jobId: job.id, pageId: pageIdOf(job.id, 0), attempt: 1 };
    await report(bed.broker, again, failed('NOT_FOUND'));
    const marker = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(marker.id, 'completed');
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ failedUrls: 0, creditsUsed: 5 });
  });

  it('ignores the outcome of an attempt that is over', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      if (body.attempt === 1) return { kind: 'lost' };
      const late = { ...body, attempt: 1 };
      await report(bed.broker, late, found(body, '{"title":"late"}'));
      return found(body, '{"title":"current"}');
    });
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    expect(await resultsOf(job.id)).toMatchObject([{ data: { title: 'current' } }]);
  });

  it('fails a page that three workers died with, and its neighbors succeed', async () => {
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
        failure: { message: expect.stringContaining('3 workers died') },
      },
    ]);
  });

  it('tries the pages that lost a worker a few at a time, and holds up no other account', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '100' });
    const gate = Promise.withResolvers<void>();
    let peak = 0;
    let current = 0;
    scraper.follow(async ({ body }) => {
      if (body.attempt === 1) return { kind: 'lost' };
      if (!body.request.url.includes('slow.test')) return found(body);
      current += 1;
      peak = Math.max(peak, current);
      await gate.promise;
      current -= 1;
      return found(body);
    });
    const slow = await bed.create({ urls: urlsOf(12, 'slow.test') });
    const quick = await bed.create({ urls: urlsOf(6, 'quick.test') }, { accountId: await bed.addAccount() });
    await eventually(async () => {
      const [job] = await bed.stores.jobs.findJobs([quick.id]);
      expect(job).toMatchObject({ status: 'completed', completedUrls: 6 });
    });
    expect(peak).toBeGreaterThan(1);
    gate.resolve();
    expect(await bed.untilJob(slow.id, 'completed')).toMatchObject({ completedUrls: 12 });
  });

  it('takes large results from their own queue', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      const { jobId, pageId, attempt } = body;
      const outcome = found(body, JSON.stringify({ text: 'x'.repeat(300_000) }));
      await bed.broker.publishWork('pages.large-results', [{ jobId, pageId, attempt, outcome }]);
      return undefined;
    });
    const job = await bed.create({ urls: urlsOf(3) });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ completedUrls: 3 });
  });

  it('keeps formats beside the data, and no data when only formats were found', async () => {
    await bed.startOrchestrator();
    const formatsJson = JSON.stringify({ text: 'One', links: [{ url: 'http://a.test/' }] });
    scraper.follow(({ body }) =>
      foundParts(body, pathOf(body) === '/0' ? { dataJson: '{"title":"T"}', formatsJson } : { formatsJson }),
    );
    const options = { formats: ['text', 'links'] as const, locale: 'de' };
    const job = await bed.create({ urls: urlsOf(2), ...options, formats: [...options.formats] });
    await bed.untilJob(job.id, 'completed');
    expect(scraper.commands.map(({ request }) => request)).toEqual([
      expect.objectContaining(options),
      expect.objectContaining(options),
    ]);
    const [both, only] = await resultsOf(job.id);
    expect(both).toMatchObject({ data: { title: 'T' }, formats: JSON.parse(formatsJson) });
    expect(Object.keys(only ?? {})).toEqual(['url', 'formats', 'metadata']);
  });

  it('does not attempt a page again whose required field is missing, nor charge for it', async () => {
    await bed.startOrchestrator();
    const failure = toFailure(
      new AppError('REQUIRED_FIELD_MISSING', {
        details: [{ path: 'selectors.title', message: 'The selector "h1" matches nothing on the page.' }],
        targetStatusCode: 200,
        attempts: [{ engine: 'http', statusCode: 200, outcome: 'REQUIRED_FIELD_MISSING', durationMs: 5 }],
      }),
    );
    scraper.follow(() => ({ kind: 'failed', failure }));
    const job = await bed.create({ urls: urlsOf(1) });
    expect(await bed.untilJob(job.id, 'failed')).toMatchObject({ failedUrls: 1, creditsUsed: 0 });
    expect(scraper.commands).toHaveLength(1);
    expect(await charged(job.id)).toEqual({ operations: 0, credits: 0 });
    const [page] = await bed.stores.pages.findProcessed(job.id, { limit: 1 });
    expect(page?.failure).toEqual(failure);
  });

  it('attempts a blocked page again only with antiBot', async () => {
    await bed.startOrchestrator();
    scraper.follow(() => failed('BLOCKED'));
    const plain = await bed.create({ urls: urlsOf(2) });
    await bed.untilJob(plain.id, 'failed');
    expect(scraper.commands.map(({ attempt }) => attempt)).toEqual([1, 1]);
    const climbing = await bed.create({ urls: urlsOf(1), antiBot: true });
    await bed.untilJob(climbing.id, 'failed');
    expect(scraper.commands.filter(({ jobId }) => jobId === climbing.id)).toHaveLength(3);
  });

  it('keeps data whatever the names of its fields', async () => {
    await bed.startOrchestrator();
    const dataJson = JSON.stringify({ 'a.b': '1', $set: '2', 'with \u0000': '3', ['__proto__']: '4' });
    scraper.follow(({ body }) => found(body, dataJson));
    const job = await bed.create({ urls: urlsOf(1), selectors: { 'a.b': 'h1', $set: 'h2' } });
    await bed.untilJob(job.id, 'completed');
    expect(JSON.stringify((await resultsOf(job.id))[0]?.data)).toBe(dataJson);
  });
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

  it('rejects another request under a used key', async () => {
    await bed.startOrchestrator();
    await bed.create({ urls: urlsOf(1) }, { idempotencyKey: 'once' });
    const conflict = bed.create({ urls: urlsOf(2) }, { idempotencyKey: 'once' });
    await expect(conflict).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
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
      ...{ name: 'Older', totalUrls: 1, optionsJson: '{}', createdAt: new Date() },
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

describe('cancelling a job', () => {
  it('keeps completed pages, starts no further ones, and ignores late results', async () => {
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

  it('is rejected for a finished job, and for an unknown one', async () => {
    await bed.startOrchestrator();
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    await expect(bed.cancel(job.id)).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
    await expect(bed.cancel('job_none')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});

describe('dispatching', () => {
  it('never exceeds the limit of pages in flight of a host', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '3' });
    scraper.follow(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return found(body);
    });
    const jobs = await Promise.all([bed.create({ urls: urlsOf(15) }), bed.create({ urls: urlsOf(15) })]);
    for (const { id } of jobs) await bed.untilJob(id, 'completed');
    expect(scraper.load.peak).toBe(3);
  });

  it('sends the page of a small job between those of a large one', async () => {
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

  it('pauses a host that asks for it, in every job', async () => {
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

  it('continues when the orchestrator that dispatched stops', async () => {
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
    await eventually(() => expect(sentEvents()).toEqual(['job.started', 'job.completed']));
  });
});

describe('credits', () => {
  it('fail the rest of the job when they run out, with every page charged exactly once', async () => {
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

  it('that were held for failed pages are released', async () => {
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

it('rejects a malformed command', async () => {
  await bed.startOrchestrator();
  const wrong = bed.create({ urls: [] });
  await expect(wrong).rejects.toBeInstanceOf(AppError);
});
