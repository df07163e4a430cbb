import { createId } from '@gleaner/contracts';
import { pageIdOf, readResults } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, report, type ScriptedScraper } from './scripted-scraper.ts';
import { checkScreenshotsNow, pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** The first and the third URL are equal as they are fetched, and so are the second and the last. */
const URLS = [
  'http://a.test/0',
  'http://a.test/1',
  'http://A.test/0#top',
  'http://a.test/2',
  'http://a.test/1',
];

async function resultsOf(id: string): Promise<unknown[]> {
  const job = await bed.stores.jobs.findJob(bed.accountId, id);
  const results: unknown[] = [];
  for await (const texts of readResults(job ?? { id }, { limit: 10_000, offset: 0 }, bed.stores)) {
    results.push(...texts.map((text) => JSON.parse(text)));
  }
  return results;
}

async function charged(jobId: string) {
  return await bed.stores.credits.sumCharges(`${jobId}:`);
}

describe('equal URLs of a job', () => {
  it('are fetched and charged once, and answered for each entry in order', async () => {
    await bed.startOrchestrator();
    const job = await bed.create({ urls: URLS });
    expect(job).toMatchObject({ totalUrls: 5, completedUrls: 0 });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({
      totalUrls: 5,
      completedUrls: 5,
      failedUrls: 0,
      creditsUsed: 3,
    });
    expect(scraper.commands.map(pathOf).toSorted()).toEqual(['/0', '/1', '/2']);
    expect(await charged(job.id)).toEqual({ operations: 3, credits: 3 });
    const data = (index: number) => ({ title: `http://a.test/${index}` });
    expect(await resultsOf(job.id)).toMatchObject([
      { url: URLS[0], data: data(0) },
      { url: URLS[1], data: data(1) },
      { url: URLS[2], duplicateOf: 0, data: data(0) },
      { url: URLS[3], data: data(2) },
      { url: URLS[4], duplicateOf: 1, data: data(1) },
    ]);
  });

  it('fail together, and count for each entry while the job runs', async () => {
    await bed.startOrchestrator();
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (pathOf(body) === '/2') await gate.promise;
      return pathOf(body) === '/1' ? failed('NOT_FOUND') : found(body);
    });
    const { id } = await bed.create({ urls: URLS });
    await eventually(async () => {
      const [job] = await bed.stores.jobs.findJobs([id]);
      expect(job).toMatchObject({ status: 'running', completedUrls: 4, failedUrls: 2, creditsUsed: 1 });
    });
    expect(await resultsOf(id)).toHaveLength(4);
    gate.resolve();
    expect(await bed.untilJob(id, 'partial')).toMatchObject({
      completedUrls: 5,
      failedUrls: 2,
      creditsUsed: 2,
    });
    expect(await resultsOf(id)).toMatchObject([
      { url: URLS[0] },
      { url: URLS[1], error: { code: 'NOT_FOUND' }, attempts: 1 },
      { url: URLS[2], duplicateOf: 0 },
      { url: URLS[3] },
      { url: URLS[4], error: { code: 'NOT_FOUND' }, attempts: 1, duplicateOf: 1 },
    ]);
  });

  it('are one page when every entry is the same, also of a large job', async () => {
    await bed.startOrchestrator();
    const { id } = await bed.create({ urls: Array<string>(2500).fill('http://a.test/0') });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ completedUrls: 2500, creditsUsed: 1 });
    expect(scraper.commands).toHaveLength(1);
    expect(await resultsOf(id)).toHaveLength(2500);
  });

  it('need credits for one page only', async () => {
    await using poor = await startTestBed({ balance: 1 });
    await poor.startOrchestrator();
    await poor.startScraper();
    const { id } = await poor.create({ urls: Array<string>(5).fill('http://a.test/0') });
    expect(await poor.untilJob(id, 'completed')).toMatchObject({ completedUrls: 5, creditsUsed: 1 });
    await eventually(async () => {
      expect(await poor.stores.accounts.findAccount(poor.accountId)).toMatchObject({
        balance: 0,
        reserved: 0,
      });
    });
  });

  it('are cancelled together, and completed ones stay', async () => {
    await bed.startOrchestrator();
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (pathOf(body) !== '/0') await gate.promise;
      return found(body);
    });
    const { id } = await bed.create({ urls: URLS });
    await eventually(async () => expect((await bed.stores.jobs.findJobs([id]))[0]?.completedUrls).toBe(2));
    expect(await bed.cancel(id)).toMatchObject({ status: 'cancelled', completedUrls: 2, creditsUsed: 1 });
    gate.resolve();
    expect(await resultsOf(id)).toMatchObject([{ url: URLS[0] }, { url: URLS[2], duplicateOf: 0 }]);
    expect(await charged(id)).toEqual({ operations: 1, credits: 1 });
  });

  it('are the same job under one Idempotency-Key, and other lists of them are not', async () => {
    await bed.startOrchestrator();
    const first = await bed.create({ urls: URLS }, { idempotencyKey: 'once' });
    expect(await bed.create({ urls: URLS }, { idempotencyKey: 'once' })).toEqual(first);
    const shorter = bed.create({ urls: URLS.slice(0, 4) }, { idempotencyKey: 'once' });
    await expect(shorter).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });
});

describe('after a crash, a job with equal URLs', () => {
  const draftOf = (id: string) => ({
    id,
    accountId: bed.accountId,
    keyId: null,
    name: 'Cut',
    optionsJson: '{}',
    totalUrls: 5,
    createdAt: new Date(),
  });
  const expiresAt = new Date(Date.now() + 3_600_000);

  it('is counted once, however often its outcomes are delivered', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      for (let count = 0; count < 3; count++) await report(bed.broker, body, found(body));
      return failed('NOT_FOUND');
    });
    const { id } = await bed.create({ urls: URLS });
    const totals = { completedUrls: 5, failedUrls: 0, creditsUsed: 3 };
    expect(await bed.untilJob(id, 'completed')).toMatchObject(totals);
    for (const index of [0, 1, 2, 3, 4]) {
      await report(bed.broker, { jobId: id, pageId: pageIdOf(id, index), attempt: 1 }, failed('NOT_FOUND'));
    }
    const marker = await bed.create({ urls: urlsOf(1, 'b.test') });
    await bed.untilJob(marker.id, 'completed');
    expect(await bed.untilJob(id, 'completed')).toMatchObject(totals);
    expect(await charged(id)).toEqual({ operations: 3, credits: 3 });
  });

  it('fetches again a page whose worker died, and answers every entry with the attempt that counts', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) =>
      body.attempt === 1 ? { kind: 'lost' } : found(body, JSON.stringify({ attempt: body.attempt })),
    );
    const { id } = await bed.create({ urls: URLS.slice(0, 3) });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ completedUrls: 3, creditsUsed: 2 });
    const data = { attempt: 2 };
    expect(await resultsOf(id)).toMatchObject([{ data }, { data }, { data, duplicateOf: 0 }]);
  });

  it('is stored whole by a repeated command when only copies of it were stored', async () => {
    const id = createId('job');
    await bed.stores.jobs.insertDraft({ ...draftOf(id), distinctUrls: 3 });
    const copy = { index: 4, url: 'http://a.test/1', host: 'a.test', copyOf: 1 };
    await bed.stores.pages.insertPages(id, [copy], expiresAt);
    await bed.startOrchestrator();
    await bed.create({ urls: URLS }, { jobId: id });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ completedUrls: 5, creditsUsed: 3 });
    expect(await resultsOf(id)).toHaveLength(5);
  });

  it('keeps a page for each entry if its draft was stored before copies existed', async () => {
    const id = createId('job');
    await bed.stores.jobs.insertDraft(draftOf(id));
    const page = { index: 4, url: 'http://a.test/1', host: 'a.test' };
    await bed.stores.pages.insertPages(id, [page], expiresAt);
    await bed.startOrchestrator();
    await bed.create({ urls: URLS }, { jobId: id });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ completedUrls: 5, creditsUsed: 5 });
  });

  it('gets its counters and charges from its pages when they were finished but not counted', async () => {
    const { id } = await finishUncounted(3);
    await bed.startOrchestrator();
    expect(await bed.untilJob(id, 'completed')).toMatchObject({
      completedUrls: 5,
      failedUrls: 0,
      creditsUsed: 3,
    });
    expect(await charged(id)).toEqual({ operations: 3, credits: 3 });
  });

  it('has its counters corrected while it runs', async () => {
    scraper.follow(() => undefined);
    const { id } = await finishUncounted(2);
    await bed.startOrchestrator({ RECOUNT_AFTER_MS: '1000' });
    await eventually(
      async () => {
        const [job] = await bed.stores.jobs.findJobs([id]);
        expect(job).toMatchObject({ status: 'running', completedUrls: 4, failedUrls: 0 });
      },
      { timeoutMs: 240_000 },
    );
  });

  /** Stores a running job with uncounted successful pages, as an orchestrator leaves it when it dies. */
  async function finishUncounted(pageCount: number) {
    const { id } = await storeRunning();
    const indexes = [0, 1, 3].slice(0, pageCount);
    const attempts = indexes.map((index) => ({ id: pageIdOf(id, index), attempt: 1 }));
    await bed.stores.pages.claim(
      attempts.map((attempt) => attempt.id),
      expiresAt,
    );
    const json = JSON.stringify({ url: 'http://a.test/', data: {}, metadata: {} });
    await bed.stores.results.insertResults(
      attempts.map((attempt) => ({ ...attempt, json })),
      expiresAt,
    );
    const longAgo = new Date(Date.now() - 120_000);
    await bed.stores.pages.end(
      attempts.map((attempt) => ({ ...attempt, state: 'succeeded', price: { base: 1 } })),
      longAgo,
    );
    return { id };
  }

  async function storeRunning() {
    const id = createId('job');
    await bed.stores.jobs.insertDraft({ ...draftOf(id), distinctUrls: 3 });
    const copies = [1, 1];
    const copyOf = [undefined, undefined, 0, undefined, 1];
    const pages = URLS.map((url, index) => ({
      index,
      url,
      host: 'a.test',
      ...(copies[index] !== undefined && { copies: copies[index] }),
      ...(copyOf[index] !== undefined && { copyOf: copyOf[index] }),
    }));
    await bed.stores.pages.insertPages(id, pages, expiresAt);
    await bed.stores.jobs.publishDrafts([id]);
    const event = { id: createId('evt'), type: 'job.started', at: new Date() } as const;
    const startedAt = new Date();
    await bed.stores.jobs.transition(id, { from: ['pending'], to: 'running', set: { startedAt }, event });
    return { id };
  }
});

it('the screenshot of equal URLs is stored once, and each result names it', async () => {
  await bed.startOrchestrator();
  scraper.follow(async ({ body }) => {
    const { jobId, pageId, attempt } = body;
    const outcome = found(body);
    if (outcome.kind !== 'found') throw new Error('Not found.');
    const screenshot = Buffer.from('png').toString('base64');
    await bed.broker.publishWork('pages.screenshots', [{ jobId, pageId, attempt, outcome, screenshot }]);
    return undefined;
  });
  const { id } = await bed.create({ urls: ['http://a.test/0', 'http://a.test/0'] });
  await bed.untilJob(id, 'completed');
  const screenshotUrl = `/v1/jobs/${id}/results/0/screenshot`;
  expect(await resultsOf(id)).toMatchObject([{ screenshotUrl }, { screenshotUrl, duplicateOf: 0 }]);
  await eventually(async () => {
    await checkScreenshotsNow(bed);
    expect(await bed.count('screenshots')).toBe(1);
  });
});
