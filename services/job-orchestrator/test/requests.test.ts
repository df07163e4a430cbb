import { pageIdOf, readResults } from '@gleaner/storage';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

const URL = 'http://a.test/search';

async function resultsOf(id: string): Promise<unknown[]> {
  const job = await bed.stores.jobs.findJob(bed.accountId, id);
  const results: unknown[] = [];
  for await (const texts of readResults(job ?? { id }, { limit: 100, offset: 0 }, bed.stores)) {
    results.push(...texts.map((text) => JSON.parse(text)));
  }
  return results;
}

/** Answers a page with what was sent for it. */
function echo() {
  scraper.follow(({ body }) => {
    const { method, json, form } = body.request;
    return found(body, JSON.stringify({ method, json, form }));
  });
}

describe('requests of a job', () => {
  it('are sent with their own methods and bodies, equal ones once, and answered in order', async () => {
    echo();
    await bed.startOrchestrator();
    const requests = [
      { json: { q: 1 } },
      { json: { q: 2 } },
      { method: 'POST' as const, json: { q: 1 } },
      {},
      { form: { password: 'x', q: 'a' } },
    ];
    const job = await bed.create({ urls: requests.map(() => URL), requests, headers: { 'X-Own': '1' } });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ totalUrls: 5, creditsUsed: 4 });
    expect(scraper.commands).toHaveLength(4);
    expect(scraper.commands.every(({ request }) => request.headers?.['X-Own'] === '1')).toBe(true);
    expect(await resultsOf(job.id)).toMatchObject([
      { url: URL, request: { json: { q: 1 } }, data: { json: { q: 1 } } },
      { url: URL, request: { json: { q: 2 } }, data: { json: { q: 2 } } },
      { url: URL, request: { json: { q: 1 } }, duplicateOf: 0, data: { json: { q: 1 } } },
      { url: URL, data: {} },
      { url: URL, request: { form: { password: '[redacted]', q: 'a' } }, data: { form: { password: 'x' } } },
    ]);
  });

  it('are never in one lane, since only one page may be lost with a scraper', async () => {
    await bed.startOrchestrator();
    const urls = Array.from({ length: 6 }, (_, index) => `${URL}?${index}`);
    const job = await bed.create({ urls, method: 'POST', json: { a: 1 } });
    await bed.untilJob(job.id, 'completed');
    expect(scraper.commands.map(({ further, request: { json } }) => [further, json])).toEqual(
      urls.map(() => [undefined, { a: 1 }]),
    );
  });
});

describe('a request that must not be sent twice', () => {
  const post = { urls: [URL], json: { order: 1 } };

  it('fails when the scraper that had it is lost', async () => {
    scraper.follow(() => ({ kind: 'lost' }));
    await bed.startOrchestrator();
    const job = await bed.create(post);
    expect(await bed.untilJob(job.id, 'failed')).toMatchObject({ failedUrls: 1, creditsUsed: 0 });
    expect(scraper.commands).toHaveLength(1);
    expect(await resultsOf(job.id)).toMatchObject([{ error: { code: 'OUTCOME_UNKNOWN' } }]);
  });

  it('is tried again only while it was not sent', async () => {
    scraper.follow(({ body }) => {
      if (body.attempt === 1) return { kind: 'unstarted' };
      if (body.attempt === 2) return failed('UPSTREAM_ERROR');
      return { ...failed('UPSTREAM_ERROR', undefined, 500), wasSent: true } as ReturnType<typeof failed>;
    });
    await bed.startOrchestrator();
    const job = await bed.create(post);
    await bed.untilJob(job.id, 'failed');
    expect(scraper.commands.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('is tried again where it may be repeated', async () => {
    scraper.follow(({ body }) => (body.attempt === 1 ? { kind: 'lost' } : found(body)));
    await bed.startOrchestrator();
    const job = await bed.create({ ...post, repeatable: true });
    await bed.untilJob(job.id, 'completed');
    expect(scraper.commands).toHaveLength(2);
  });

  it('fails when no scraper reports on it in time', async () => {
    scraper.follow(() => undefined);
    await bed.startOrchestrator({ QUEUE_PATIENCE_MS: '500' });
    const job = await bed.create({ ...post, timeout: 1000 });
    await bed.untilJob(job.id, 'failed');
    const [page] = await bed.stores.pages.findPages([pageIdOf(job.id, 0)]);
    expect(page).toMatchObject({ attempt: 1, failure: { code: 'OUTCOME_UNKNOWN', source: 'api' } });
  });
});
