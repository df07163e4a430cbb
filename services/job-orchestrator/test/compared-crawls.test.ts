import type { Change, CrawlOptions, Job, PageResult } from '@gleaner/contracts';
import { createId } from '@gleaner/contracts';
import { readResults } from '@gleaner/storage';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedScraper } from './scripted-scraper.ts';
import { crawling, type SitePage } from './scripted-site.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  await bed.startOrchestrator();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

type Pages = Readonly<Record<string, SitePage>>;

/** A site of which `/old` is only linked from `/list`. */
const SITE: Pages = {
  '/': { links: ['/list', '/a'], etag: '"home"' },
  '/list': { links: ['/b', '/c', '/old'], etag: '"list"' },
  '/a': { links: [], etag: '"a"' },
  '/b': { links: [], text: 'B' },
  '/c': { links: [] },
  '/old': { links: ['/older'] },
  '/older': { links: [] },
};

interface Crawled {
  readonly id: string;
  readonly job: Job;
  readonly results: readonly PageResult[];
  /** Paths by their change. */
  readonly changes: Readonly<Record<string, string | undefined>>;
}

/** Crawls a site from its home page; `since` is the job to compare with. */
async function crawl(
  pages: Pages,
  options: CrawlOptions = {},
  { status = 'completed', more = {} }: { status?: Job['status']; more?: object } = {},
): Promise<Crawled> {
  scraper.follow(crawling({ pages }));
  const request = { urls: ['http://a.test/'], crawl: { sitemap: 'skip' as const, ...options } };
  const { id } = await bed.create(request, more);
  return await read(id, status);
}

async function read(id: string, status: Job['status']): Promise<Crawled> {
  const job = await bed.untilJob(id, status);
  const results: PageResult[] = [];
  const stream = readResults({ id }, { limit: 10_000, offset: 0 }, bed.stores);
  for await (const texts of stream) results.push(...texts.map((text) => JSON.parse(text) as PageResult));
  const changes = Object.fromEntries(
    results.map(({ url, change, unlinked }) => [
      new URL(url).pathname,
      unlinked ? `${change}, unlinked` : change,
    ]),
  );
  return { id, job, results, changes };
}

async function changesOf(jobId: string): Promise<Change[]> {
  const texts = await bed.stores.changes.find(jobId, { offset: 0, limit: 100 });
  return texts.map((text) => JSON.parse(text) as Change);
}

const conditionsOf = (jobId: string) =>
  Object.fromEntries(
    scraper.commands.flatMap(({ jobId: of, request, crawl: own }) =>
      of === jobId && own?.validators ? [[new URL(request.url).pathname, own.validators.etag]] : [],
    ),
  );

describe('a crawl that is compared with an earlier one', () => {
  it('reports exactly the pages that are new, changed, gone and unlinked', async () => {
    const first = await crawl(SITE);
    expect(first.job.crawl).not.toHaveProperty('changes');
    const { '/c': _gone, ...rest } = SITE;
    const second = await crawl(
      {
        ...rest,
        '/list': { links: ['/b', '/d'], text: 'List, edited', etag: '"list 2"' },
        '/b': { links: [], text: 'B, edited' },
        '/d': { links: [] },
      },
      { since: first.id },
    );
    expect(second.changes).toEqual({
      '/': 'unchanged',
      '/list': 'changed',
      '/a': 'unchanged',
      '/b': 'changed',
      '/d': 'new',
      '/c': 'gone',
      '/old': 'unchanged, unlinked',
      '/older': 'unchanged, unlinked',
    });
    expect(second.job.crawl).toMatchObject({
      since: first.id,
      changes: { new: 1, changed: 2, unchanged: 4, gone: 1, unlinked: 2 },
      notFound: 1,
    });
  });

  it('does not read, and does not charge, pages that have not been modified, and follows their links', async () => {
    const first = await crawl(SITE);
    const second = await crawl(SITE, { since: first.id });
    expect(conditionsOf(second.id)).toEqual({ '/': '"home"', '/list': '"list"', '/a': '"a"' });
    expect(second.job).toMatchObject({
      totalUrls: 7,
      completedUrls: 7,
      creditsUsed: 4,
      crawl: { fetched: 7, depth: 3, changes: { new: 0, changed: 0, unchanged: 7, gone: 0, unlinked: 0 } },
    });
    const [home] = second.results;
    expect(home).toMatchObject({
      url: 'http://a.test/',
      depth: 0,
      change: 'unchanged',
      data: { text: '/' },
      metadata: { statusCode: 304, credits: 0, creditsBreakdown: { base: 0 } },
    });
    const third = await crawl(SITE, { since: second.id });
    expect(conditionsOf(third.id)).toEqual(conditionsOf(second.id));
    expect(third.job.crawl?.changes).toMatchObject({ unchanged: 7 });
  });

  it('compares a page that failed with the crawl before, and keeps what it led to', async () => {
    const first = await crawl(SITE);
    const down: Pages = { ...SITE, '/list': { error: 'UPSTREAM_ERROR' } };
    const second = await crawl(down, { since: first.id }, { status: 'partial' });
    expect(second.changes).toMatchObject({ '/b': 'unchanged', '/old': 'unchanged', '/older': 'unchanged' });
    expect(second.changes['/list']).toBeUndefined();
    expect(second.job.crawl?.changes).toEqual({ new: 0, changed: 0, unchanged: 6, gone: 0, unlinked: 0 });
    const third = await crawl(SITE, { since: second.id });
    expect(third.job.crawl?.changes).toEqual({ new: 0, changed: 0, unchanged: 7, gone: 0, unlinked: 0 });
    expect(conditionsOf(third.id)).toMatchObject({ '/list': '"list"' });
  });

  it('compares a page that is a login for a while with the crawl before, and keeps what it led to', async () => {
    const page = (text: string, more: object = {}) => ({ links: ['/b', '/c', '/old'], text, ...more });
    const first = await crawl({ ...SITE, '/list': page('Price 10') });
    const away = page('Sign in', { links: [], verdict: 'login', etag: '"login"' });
    const second = await crawl({ ...SITE, '/list': away }, { since: first.id });
    expect(second.changes).toMatchObject({ '/b': 'unchanged', '/old': 'unchanged', '/older': 'unchanged' });
    expect(second.changes['/list']).toBeUndefined();
    expect(second.job).toMatchObject({
      verdicts: { content: 6, login: 1 },
      changes: { added: 0, removed: 0, changed: 0 },
      crawl: { changes: { new: 0, changed: 0, unchanged: 6, gone: 0, unlinked: 0 } },
    });
    const third = await crawl({ ...SITE, '/list': page('Price 9') }, { since: second.id });
    expect(third.changes['/list']).toBe('changed');
    expect(third.job).toMatchObject({
      changes: { added: 0, removed: 0, changed: 1 },
      crawl: { changes: { new: 0, changed: 1, unchanged: 6, gone: 0, unlinked: 0 } },
    });
    expect(await changesOf(third.id)).toMatchObject([
      { path: 'text', kind: 'changed', before: 'Price 10', after: 'Price 9' },
    ]);
  });

  it('compares logins with each other where a page was never anything else', async () => {
    const members = (text: string) => ({ ...SITE, '/a': { links: [], text, verdict: 'login' as const } });
    const first = await crawl(members('Sign in'));
    expect((await crawl(members('Sign in'), { since: first.id })).changes['/a']).toBe('unchanged');
    const second = await crawl(members('Log in'), { since: first.id });
    expect(second.changes['/a']).toBe('changed');
    const third = await crawl(SITE, { since: second.id });
    expect(third.changes['/a']).toBeUndefined();
    expect((await crawl(SITE, { since: third.id })).changes['/a']).toBe('unchanged');
  });

  it('compares what a cancelled crawl did not come to with the crawl before', async () => {
    const first = await crawl(SITE);
    const answer = crawling({ pages: SITE });
    scraper.follow((work) => (work.body.request.url === 'http://a.test/list' ? undefined : answer(work)));
    const halted = await bed.create({
      urls: ['http://a.test/'],
      crawl: { sitemap: 'skip', since: first.id },
    });
    await bed.untilJob(halted.id, 'running');
    await bed.cancel(halted.id);
    await bed.untilJob(halted.id, 'cancelled');
    const { '/older': _gone, ...rest } = SITE;
    const third = await crawl({ ...rest, '/a': { links: [], text: 'A, edited' } }, { since: halted.id });
    expect(third.job.crawl?.changes).toEqual({ new: 0, changed: 1, unchanged: 5, gone: 1, unlinked: 0 });
  });

  it('reports a page as gone once, and as new when it comes back', async () => {
    const { '/a': _gone, ...rest } = SITE;
    const first = await crawl(SITE);
    const second = await crawl(rest, { since: first.id });
    expect(second.changes['/a']).toBe('gone');
    const third = await crawl(rest, { since: second.id });
    expect(third.changes).toHaveProperty('/a', undefined);
    expect(third.job.crawl?.changes).toEqual({ new: 0, changed: 0, unchanged: 6, gone: 0, unlinked: 0 });
    expect((await crawl(SITE, { since: third.id })).changes['/a']).toBe('new');
  });

  it('reads every page again where the options of the pages differ, and compares their texts', async () => {
    const first = await crawl(SITE);
    const second = await crawl(SITE, { since: first.id, exclude: ['/older'] });
    expect(conditionsOf(second.id)).toEqual({});
    expect(second.job).toMatchObject({ creditsUsed: 6, crawl: { changes: { unchanged: 6, unlinked: 0 } } });
  });

  it('reads a page again if the result of before is gone', async () => {
    const first = await crawl(SITE);
    await bed.removeResults();
    const second = await crawl(SITE, { since: first.id });
    expect(second.job).toMatchObject({ creditsUsed: 7, failedUrls: 0, crawl: { changes: { unchanged: 7 } } });
    expect(second.results[0]).toMatchObject({ metadata: { statusCode: 200 }, change: 'unchanged' });
  });

  it('leaves out what nothing led to when a limit ends it', async () => {
    const first = await crawl(SITE);
    const second = await crawl(SITE, { since: first.id, limit: 3 });
    expect(second.job.crawl).toMatchObject({ stoppedBy: 'limit', changes: { unchanged: 3, unlinked: 0 } });
    expect(second.results).toHaveLength(3);
    const third = await crawl(SITE, { since: second.id });
    expect(third.job.crawl?.changes).toEqual({ new: 0, changed: 0, unchanged: 7, gone: 0, unlinked: 0 });
  });
});

it('compares a run of a schedule with the last run that has finished', async () => {
  const more = { scheduleId: createId('sch') };
  const first = await crawl(SITE, { changes: true }, { more });
  expect(first.job.crawl).not.toHaveProperty('since');
  const second = await crawl({ ...SITE, '/c': { links: [], text: 'edited' } }, { changes: true }, { more });
  expect(second.job.crawl).toMatchObject({ since: first.id, changes: { changed: 1, unchanged: 6 } });
  const other = await crawl(SITE, { changes: true, ignoreQuery: true }, { more });
  expect(other.job.crawl).not.toHaveProperty('since');
});
