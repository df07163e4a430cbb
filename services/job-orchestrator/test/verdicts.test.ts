import type { PageCommand, PageKind, PageOutcome } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, foundAs, report, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
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

/** The second and the fourth URL are logins, and the fourth is there twice. */
const KINDS: Readonly<Record<string, PageKind>> = {
  '/0': 'content',
  '/1': 'login',
  '/2': 'wall',
  '/3': 'login',
};
const URLS = [...urlsOf(5), 'http://a.test/3#again'];
const COUNTS = { content: 1, wall: 1, login: 3 };

describe('the results of a job', () => {
  it('are counted by the kind of their pages, however often outcomes are delivered', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      const kind = KINDS[pathOf(body)];
      if (!kind) return failed('NOT_FOUND');
      for (let count = 0; count < 2; count += 1) await report(bed.broker, body, foundAs(kind, body));
      return foundAs('empty', body);
    });
    const { id } = await bed.create({ urls: URLS });
    const job = await bed.untilJob(id, 'partial');
    expect(job).toMatchObject({ completedUrls: 6, failedUrls: 1, verdicts: COUNTS });
    expect(Object.keys(job.verdicts ?? {})).toEqual(['content', 'wall', 'login']);
  });

  it('have no counts when their scrapers say no verdict', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => found(body));
    const { id } = await bed.create({ urls: urlsOf(2) });
    expect(await bed.untilJob(id, 'completed')).not.toHaveProperty('verdicts');
  });

  it('are counted while the job runs', async () => {
    await bed.startOrchestrator();
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (pathOf(body) === '/2') await gate.promise;
      return foundAs('login', body);
    });
    const { id } = await bed.create({ urls: urlsOf(3) });
    await eventually(async () => {
      const [job] = await bed.stores.jobs.findJobs([id]);
      expect(job).toMatchObject({ status: 'running', verdicts: { login: 2 } });
    });
    gate.resolve();
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ verdicts: { login: 3 } });
  });

  it('keep the verdict of the earlier crawl whose result they take over', async () => {
    await bed.startOrchestrator();
    const pages = {
      '/': { links: ['/members'], etag: '"home"' },
      '/members': { links: [], etag: '"members"', verdict: 'login' as const },
    };
    scraper.follow(crawling({ pages }));
    const request = { urls: ['http://a.test/'], crawl: { sitemap: 'skip' as const } };
    const first = await bed.create(request);
    expect(await bed.untilJob(first.id, 'completed')).toMatchObject({ verdicts: { content: 1, login: 1 } });
    const second = await bed.create({ ...request, crawl: { ...request.crawl, since: first.id } });
    expect(await bed.untilJob(second.id, 'completed')).toMatchObject({
      creditsUsed: 0,
      verdicts: { content: 1, login: 1 },
      crawl: { changes: { unchanged: 2 } },
    });
  });
});

describe('one text under many URLs of a job', () => {
  const GUESS = { page: 'content', basis: 'inferred', signals: [] } as const;
  /** Returns a thin page with a text, by default the same as others. */
  const thin = (body: PageCommand, thinHash = 'sorry', verdict: object = GUESS) =>
    ({ ...found(body), verdict, thinHash }) as PageOutcome['outcome'];

  it('is notFound from the sixth path on, and the job says so', async () => {
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      await report(bed.broker, body, thin(body));
      return thin(body);
    });
    const { id } = await bed.create({ urls: [...urlsOf(9), 'http://a.test/'] });
    const job = await bed.untilJob(id, 'completed');
    expect(job).toMatchObject({
      verdicts: { content: 6, notFound: 4 },
      warnings: [{ code: 'PAGE_SUSPECT', message: expect.stringContaining('REPEATED_TEXT') }],
    });
    const pages = await bed.stores.pages.findProcessed(id, { limit: 20 });
    const stored = await bed.stores.results.findResults(pages);
    const suspects = pages.filter(({ verdict }) => verdict === 'notFound');
    expect(suspects).toHaveLength(4);
    for (const page of suspects) {
      expect(JSON.parse(stored.get(page.id) ?? '')).toMatchObject({
        metadata: { verdict: { basis: 'observed', signals: [{ code: 'REPEATED_TEXT' }] } },
        warnings: [{ code: 'PAGE_SUSPECT' }],
      });
    }
  });

  it('fails them where suspects are to fail', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => thin(body));
    const { id } = await bed.create({ urls: urlsOf(8), onSuspect: 'fail' });
    expect(await bed.untilJob(id, 'partial')).toMatchObject({
      failedUrls: 3,
      creditsUsed: 5,
      verdicts: { content: 5 },
    });
  });

  it('says nothing about five paths, other queries and folders, other texts and observed pages', async () => {
    await bed.startOrchestrator();
    const observed = { page: 'login', basis: 'observed', signals: [] };
    scraper.follow(({ body }) => {
      const { pathname, search } = new URL(body.request.url);
      if (search !== '' || pathname.endsWith('/about')) return thin(body, pathname.slice(-5));
      const index = Number(pathname.slice(1));
      if (index < 5) return thin(body);
      return index < 15 ? thin(body, `text ${index}`) : thin(body, 'login', observed);
    });
    const queries = Array.from({ length: 8 }, (_, index) => `http://a.test/list?page=${index}`);
    const folders = Array.from({ length: 8 }, (_, index) => `http://a.test/${index}/about`);
    const { id } = await bed.create({ urls: [...urlsOf(24), ...queries, ...folders] });
    const job = await bed.untilJob(id, 'completed');
    expect(job).toMatchObject({ verdicts: { content: 31, login: 9 } });
    expect(job).not.toHaveProperty('warnings');
  });

  it('is found by several orchestrators together', async () => {
    await Promise.all([bed.startOrchestrator(), bed.startOrchestrator()]);
    scraper.follow(({ body }) => thin(body));
    const { id } = await bed.create({ urls: urlsOf(60) });
    const { verdicts = {} } = await bed.untilJob(id, 'completed');
    // Each of them begins with a place of its own.
    expect(verdicts.content).toBeLessThanOrEqual(6);
    expect((verdicts.content ?? 0) + (verdicts.notFound ?? 0)).toBe(60);
  });
});

describe('after a crash, the results of a job', () => {
  /** Ends pages of a job as an orchestrator does that dies before it counts them. */
  async function endUncounted(jobId: string, kinds: readonly PageKind[]): Promise<void> {
    const longAgo = new Date(Date.now() - 120_000);
    const ends = kinds.map((verdict, index) => ({
      id: pageIdOf(jobId, index),
      attempt: 1,
      state: 'succeeded' as const,
      price: { base: 1 },
      verdict,
    }));
    await bed.stores.pages.claim(
      ends.map(({ id }) => id),
      new Date(Date.now() + 3_600_000),
    );
    await bed.stores.pages.end(ends, longAgo);
  }

  it('are counted from the pages when the job finishes', async () => {
    const id = await bed.storeJob(3);
    await endUncounted(id, ['login', 'content', 'login']);
    await bed.startOrchestrator();
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ verdicts: { content: 1, login: 2 } });
  });

  it('are counted from the pages while the job runs', async () => {
    scraper.follow(() => undefined);
    const id = await bed.storeJob(4);
    await endUncounted(id, ['login', 'content', 'login']);
    await bed.startOrchestrator({ RECOUNT_AFTER_MS: '300' });
    await eventually(async () => {
      const [job] = await bed.stores.jobs.findJobs([id]);
      expect(job).toMatchObject({ status: 'running', verdicts: { content: 1, login: 2 } });
    });
  });
});
