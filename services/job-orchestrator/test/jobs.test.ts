import { AppError, type TracedAttempt, toFailure } from '@gleaner/contracts';
import { pageIdOf, type Stores } from '@gleaner/storage';
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

/** Returns the stores with a slow clock: by it, pages are quick on a busy machine as well, so that their lanes are long. */
function slowed(stores: Stores): Stores {
  const startMs = stores.clock.nowMs();
  const nowMs = () => startMs + Math.floor((stores.clock.nowMs() - startMs) / 100);
  return { ...stores, clock: { nowMs, now: () => new Date(nowMs()) } };
}

const TRACED: TracedAttempt = {
  engine: 'http',
  outcome: 'UPSTREAM_ERROR',
  durationMs: 5,
  startedAtMs: 1_700_000_000_000,
  stages: { connect: 1.2, firstByte: 3.5 },
};

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
      return { ...failed('UPSTREAM_ERROR'), attempts: [TRACED] };
    });
    const job = await bed.create({ urls: urlsOf(2) });
    await bed.untilJob(job.id, 'partial');
    expect([...attempts]).toEqual([
      ['/0', 3],
      ['/1', 3],
    ]);
    const [foundPage, failedPage] = await bed.stores.pages.findProcessed(job.id, { limit: 2 });
    expect(failedPage).toMatchObject({ attempt: 3, failure: { code: 'UPSTREAM_ERROR' } });
    const rounds = (page = failedPage) => page?.rounds?.map((json) => JSON.parse(json));
    expect(rounds()).toEqual([1, 2, 3].map((round) => ({ round, attempts: [TRACED] })));
    expect(rounds(foundPage)).toHaveLength(2);
    expect(foundPage && (await bed.stores.results.findTrace(foundPage))).toContain('"success"');
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
    expect(await bed.untilJob(job.id, 'partial')).toMatchObject({ failedUrls: 1 });
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

  it('takes no more than three pages of a lost lane for what its worker died of', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1' }, slowed(bed.stores));
    scraper.follow(({ body, lane }) => {
      const isLost = lane.length > 4 && lane.every(({ attempt }) => attempt === 1);
      if (!isLost) return found(body);
      const further = lane.slice(2).map(({ pageId, attempt }) => ({ pageId, attempt }));
      // Its first page has its outcome; the scraper that has the message after it reports them all.
      const [first, next] = lane;
      if (body === next)
        return { kind: 'lost', further: [...further, { pageId: first?.pageId ?? '', attempt: 1 }] };
      return body === first ? found(body) : undefined;
    });
    const job = await bed.create({ urls: urlsOf(30) });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ failedUrls: 0, creditsUsed: 30 });
    const lostLanes = scraper.commands.filter(
      ({ attempt, further = [] }) =>
        further.length >= 4 && attempt === 1 && further.every((page) => page.attempt === 1),
    ).length;
    expect(lostLanes).toBeGreaterThan(0);
    const pages = await bed.stores.pages.findProcessed(job.id, { limit: 30 });
    const losses = pages.reduce((sum, page) => sum + page.losses, 0);
    expect(losses).toBeLessThanOrEqual(3 * lostLanes);
    expect(pages.filter((page) => page.attempt > 1 && page.losses === 0).length).toBeGreaterThan(0);
  });

  it.each<[object, boolean]>([
    [{}, true],
    [{ antiBot: true }, false],
    [{ render: 'auto' }, false],
  ])('sends pages with %j in lanes: %j, since some go on in another engine', async (options, hasLanes) => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1' }, slowed(bed.stores));
    let longest = 0;
    scraper.follow(({ body, lane }) => {
      longest = Math.max(longest, lane.length);
      return found(body);
    });
    const job = await bed.create({ urls: urlsOf(30), ...options });
    await bed.untilJob(job.id, 'completed');
    expect(longest > 1).toBe(hasLanes);
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
    await eventually(() => expect(peak).toBeGreaterThan(1));
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

  it('keeps data with fields of any name', async () => {
    await bed.startOrchestrator();
    const dataJson = JSON.stringify({ 'a.b': '1', $set: '2', 'with \u0000': '3', ['__proto__']: '4' });
    scraper.follow(({ body }) => found(body, dataJson));
    const job = await bed.create({ urls: urlsOf(1), selectors: { 'a.b': 'h1', $set: 'h2' } });
    await bed.untilJob(job.id, 'completed');
    expect(JSON.stringify((await resultsOf(job.id))[0]?.data)).toBe(dataJson);
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
    await eventually(async () => {
      expect(scraper.commands).toHaveLength(4);
      expect((await bed.stores.jobs.findJobs([job.id]))[0]?.completedUrls).toBe(2);
    });
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

  it('is told to a scraper that asks which jobs are over', async () => {
    await bed.startOrchestrator();
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      await gate.promise;
      return found(body);
    });
    const [cancelled, going] = [await bed.create({ urls: urlsOf(1) }), await bed.create({ urls: urlsOf(1) })];
    await bed.cancel(cancelled.id);
    const answers: unknown[] = [];
    bed.broker.onBroadcast('pageClaims', (claims) => void answers.push(claims));
    const question = { asked: [], held: [], jobs: [cancelled.id, going.id, 'job_unknown'] };
    await eventually(async () => {
      await bed.broker.broadcast('pageClaims', question);
      expect(answers).toContainEqual({ asked: [], held: [], going: [going.id], over: [cancelled.id] });
    });
    gate.resolve();
  });

  it('is rejected for a finished job, and for an unknown one', async () => {
    await bed.startOrchestrator();
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    await expect(bed.cancel(job.id)).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
    await expect(bed.cancel('job_none')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
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
