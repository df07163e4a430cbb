import { AppError, type PageCommand, type PageOutcome, toFailure } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed({ balance: 100 });
  scraper = await bed.startScraper();
  await bed.startOrchestrator();
  scraper.follow(({ body }) => keepOrTake(body));
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Does as a scraper does: takes the page that came with the command, or fetches it to be kept. */
function keepOrTake(command: PageCommand): PageOutcome['outcome'] {
  const { reuseKey: key, kept } = command;
  const timestamp = new Date().toISOString();
  if (kept) return { ...found(command), timestamp, price: { base: 0 }, cache: { age: kept.age } } as never;
  const reusable = key && { key, kind: 'html', baseUrl: command.request.url, source: 'cGFnZQ==' };
  return { ...found(command), timestamp, ...(reusable && { reusable }) } as never;
}

async function run(request: Parameters<TestBed['create']>[0], more: Parameters<TestBed['create']>[1] = {}) {
  scraper.commands.length = 0;
  const { id } = await bed.create(request, more);
  const job = await bed.untilJob(id, 'completed');
  const keys = scraper.commands.map(({ reuseKey }) => reuseKey);
  return { id, job, keys, taken: scraper.commands.filter(({ kept }) => kept).length };
}

describe('a job with maxAge', () => {
  it('takes the pages of an earlier one for no credits, each with its message, and fetches the others', async () => {
    const first = await run({ urls: urlsOf(3), maxAge: 60_000 });
    expect(first.job.creditsUsed).toBe(3);
    expect(new Set(first.keys).size).toBe(3);
    expect(await bed.count('cached_pages')).toBe(3);
    const second = await run({ urls: urlsOf(5), maxAge: 60_000, selectors: { a: 'b' } });
    expect(second).toMatchObject({ taken: 3, job: { creditsUsed: 2, completedUrls: 5 } });
    const taken = scraper.commands.filter(({ kept }) => kept);
    for (const { request, kept, further } of taken) {
      expect(kept).toMatchObject({ baseUrl: request.url, statusCode: 200, age: expect.any(Number) });
      expect(further).toBeUndefined();
    }
    const { byOperation } = await bed.stores.usage.summarize({
      accountId: bed.accountId,
      from: new Date(Date.now() - 3_600_000),
      to: new Date(Date.now() + 3_600_000),
    });
    expect(byOperation).toEqual({ page: { credits: 5, requests: 5 }, cached: { credits: 0, requests: 3 } });
  });

  it('names the age of each page in its result, and stores nothing else of the cache there', async () => {
    await run({ urls: urlsOf(1), maxAge: 60_000 });
    const { id } = await run({ urls: urlsOf(1), maxAge: 60_000 });
    const [page] = await bed.stores.pages.findProcessed(id, { limit: 1 });
    const results = await bed.stores.results.findResults(page ? [page] : []);
    const result = JSON.parse(results.get(page?.id ?? '') ?? '{}');
    expect(result.metadata).toMatchObject({
      credits: 0,
      attempts: expect.any(Array),
      cache: { age: expect.any(Number) },
    });
    expect(Object.keys(result)).not.toContain('reusable');
  });

  it.each([
    ['without it', {}],
    ['with other headers', { maxAge: 60_000, headers: { a: 'b' } }],
    ['with a profile or another option that is always fetched', { maxAge: 60_000, download: true }],
  ])('has pages that a job %s fetches', async (_case, options) => {
    await run({ urls: urlsOf(1), maxAge: 60_000 });
    expect(await run({ urls: urlsOf(1), ...options })).toMatchObject({ taken: 0, job: { creditsUsed: 1 } });
  });

  it('takes no pages of other accounts', async () => {
    await run({ urls: urlsOf(1), maxAge: 60_000 });
    const accountId = await bed.addAccount();
    scraper.commands.length = 0;
    const { id } = await bed.create({ urls: urlsOf(1), maxAge: 60_000 }, { accountId });
    await eventually(async () => {
      expect(await bed.stores.jobs.findJob(accountId, id)).toMatchObject({ status: 'completed' });
    });
    expect(scraper.commands).toMatchObject([{ accountId }]);
    expect(scraper.commands[0]).not.toHaveProperty('kept');
  });

  it('fetches a page whose first attempt has failed', async () => {
    await run({ urls: urlsOf(1), maxAge: 60_000 });
    const failure = toFailure(new AppError('UPSTREAM_ERROR'));
    scraper.follow(({ body }) => (body.kept ? { kind: 'failed', failure } : keepOrTake(body)));
    expect(await run({ urls: urlsOf(1), maxAge: 60_000 })).toMatchObject({
      taken: 1,
      job: { creditsUsed: 1 },
    });
    expect(scraper.commands.map(({ kept }) => kept !== undefined)).toEqual([true, false]);
  });

  it('goes on without pages that were deleted', async () => {
    await run({ urls: urlsOf(2), maxAge: 60_000 });
    await bed.database.models.cachedPages.deleteMany({});
    expect(await run({ urls: urlsOf(2), maxAge: 60_000 })).toMatchObject({
      taken: 0,
      job: { creditsUsed: 2 },
    });
  });
});
