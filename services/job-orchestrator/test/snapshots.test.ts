import { brotliCompressSync } from 'node:zlib';
import type { PageCommand, PageOutcome } from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed({ balance: 2 });
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

function withSnapshot(
  command: PageCommand,
  source = brotliCompressSync(command.request.url).toString('base64'),
): PageOutcome['outcome'] {
  return { ...found(command), snapshot: { kind: 'html', baseUrl: command.request.url, source } } as never;
}

async function resultsOf(jobId: string, limit = 10): Promise<{ url: string; snapshotId?: string }[]> {
  const pages = await bed.stores.pages.findProcessed(jobId, { limit });
  const results = await bed.stores.results.findResults(pages);
  return pages.map(({ id }) => JSON.parse(results.get(id) ?? '{}'));
}

describe('pages of a job with snapshot', () => {
  it('are kept, and their results name them', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => withSnapshot(body));
    const { id } = await bed.create({ urls: urlsOf(2), snapshot: true });
    await bed.untilJob(id, 'completed');
    for (const { url, snapshotId = '' } of await resultsOf(id)) {
      const page = await bed.stores.snapshots.findSnapshot(snapshotId, bed.accountId, new Date());
      expect(page).toMatchObject({ kind: 'html', baseUrl: url });
    }
    expect(await bed.count('snapshots')).toBe(2);
  });

  it('are kept once, however often their outcome comes', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      const { jobId, pageId, attempt } = body;
      const message = { jobId, pageId, attempt, outcome: withSnapshot(body) };
      await bed.broker.publishWork('pages.results', [message, message]);
      return undefined;
    });
    const { id } = await bed.create({ urls: urlsOf(1), snapshot: true });
    await bed.untilJob(id, 'completed');
    expect(await bed.count('snapshots')).toBe(1);
  });

  it('give way to newer ones when the account is over its quota', async () => {
    await bed.startOrchestrator({ SNAPSHOT_QUOTA_BYTES: String(1024 * 1024) });
    const source = Buffer.alloc(600_000).toString('base64');
    scraper.follow(({ body }) => withSnapshot(body, source));
    const { id } = await bed.create({ urls: urlsOf(2), snapshot: true });
    await bed.untilJob(id, 'completed');
    expect(await bed.count('snapshots')).toBe(1);
  });
});

describe('a job that extracts from kept pages', () => {
  async function keep(urls = urlsOf(2)) {
    scraper.follow(({ body }) => withSnapshot(body));
    const { id } = await bed.create({ urls, snapshot: true });
    await bed.untilJob(id, 'completed');
    scraper.commands.length = 0;
    return id;
  }

  it('sends them to scrapers with their pages, as plain pages, and costs nothing', async () => {
    await bed.startOrchestrator();
    const source = await keep();
    scraper.follow(({ body }) => ({ ...found(body), price: { base: 0 } }) as never);
    const { id } = await bed.create({ urls: urlsOf(2), render: true }, { extractOf: source });
    const job = await bed.untilJob(id, 'completed');
    expect(job).toMatchObject({ extractOf: source, creditsUsed: 0, completedUrls: 2 });
    expect(scraper.commands.map(({ kept }) => kept)).toEqual(
      expect.arrayContaining(
        urlsOf(2).map((url) =>
          expect.objectContaining({ kind: 'html', baseUrl: url, statusCode: 200, engine: 'http' }),
        ),
      ),
    );
  });

  it('says which pages are not kept any more', async () => {
    await bed.startOrchestrator();
    const source = await keep();
    const urls = [...urlsOf(1), 'http://a.test/gone'];
    scraper.follow(({ body }) => ({ ...found(body), price: { base: 0 } }) as never);
    const { id } = await bed.create({ urls }, { extractOf: source });
    await bed.untilJob(id, 'completed');
    const gone = scraper.commands.find(({ request }) => request.url === urls[1]);
    expect(gone).toMatchObject({ kept: null });
  });
});
