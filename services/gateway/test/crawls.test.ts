import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AppError,
  type CrawlOptions,
  compileSchema,
  type Job,
  JobSchema,
  PageResultSchema,
  ROUTES,
  toFailure,
} from '@gleaner/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { type ScriptedOrchestrator, startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { seedCrawl } from './support/seed-crawl.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '100000' });
  orchestrator = await startScriptedOrchestrator(bed.broker);
  owner = await bed.createKey();
});
afterEach(() => orchestrator.reset());
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const SHOP = 'https://shop.example';
const CRAWL: CrawlOptions = {
  limit: 50,
  include: ['/books/**', '/lists/*'],
  exclude: ['**/print'],
  ignoreQuery: ['sort'],
  rules: [
    { match: '/lists/*', keep: false },
    { match: '/books/*', selectors: { title: 'h1' } },
  ],
};
const GONE = toFailure(new AppError('NOT_FOUND', { targetStatusCode: 404 }));
const AWAY = toFailure(new AppError('UPSTREAM_ERROR'));

const ask = (path: string, options: Parameters<typeof call>[1] = {}, url = gateway.url) =>
  call(url + path, { key: owner.key, ...options });

async function seed(): Promise<Job> {
  const price = { base: 1 };
  return await seedCrawl(bed.stores, owner.accountId, {
    crawl: CRAWL,
    state: {
      skipped: { robots: 1, limit: 0, redirect: 0, notDocument: 0, duplicate: 0, trap: 0 },
      dropped: { outOfScope: 3, excluded: 2, depth: 4, nofollow: 0, trap: 0, frontierFull: 0 },
    },
    pages: [
      { url: `${SHOP}/`, data: { title: 'Shop' }, end: { state: 'succeeded', price } },
      { url: `${SHOP}/lists/1`, depth: 1, foundOn: `${SHOP}/`, rule: 0, end: { state: 'visited', price } },
      {
        url: `${SHOP}/books/emma?sort=price`,
        depth: 2,
        foundOn: `${SHOP}/lists/1`,
        rule: 1,
        data: { title: 'Emma' },
        end: { state: 'succeeded', price },
      },
      {
        url: `${SHOP}/books/gone`,
        depth: 2,
        foundOn: `${SHOP}/lists/1`,
        rule: 1,
        end: { state: 'missing', failure: GONE },
      },
      {
        url: `${SHOP}/books/away`,
        depth: 2,
        foundOn: `${SHOP}/lists/1`,
        rule: 1,
        end: { state: 'failed', failure: AWAY },
      },
      {
        url: `${SHOP}/books/secret`,
        depth: 2,
        foundOn: `${SHOP}/lists/1`,
        rule: 1,
        end: { state: 'skipped', skip: 'robots' },
      },
    ],
  });
}

describe('POST /v1/jobs with crawl', () => {
  it('passes the options on unchanged', async () => {
    const body = { urls: [`${SHOP}/`], selectors: { name: 'h1' }, crawl: CRAWL };
    expect((await ask('/v1/jobs', { body })).status).toBe(202);
    expect(orchestrator.commands).toMatchObject([{ type: 'create', request: body }]);
  });

  it("keeps the operator's limits", async () => {
    const strict = await bed.startGateway({ MAX_PAGES_PER_CRAWL: '20', ROBOTS_POLICY: 'obey' });
    const crawl = { limit: 21, robots: 'ignore' };
    const { status, json } = await ask('/v1/jobs', { body: { urls: [`${SHOP}/`], crawl } }, strict.url);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'crawl.limit',
      'crawl.robots',
    ]);
    expect((await ask('/v1/jobs', { body: { urls: [`${SHOP}/`], crawl: {} } }, strict.url)).status).toBe(202);
    expect(orchestrator.commands).toMatchObject([{ request: { crawl: { limit: 20 } } }]);
  });

  it.each<[object, string, string]>([
    [{ limt: 5 }, 'crawl.limt', 'did you mean "limit"?'],
    [{ scope: 'site' }, 'crawl.scope', 'must be one of: path, host, domain, any'],
    [{ include: [5] }, 'crawl.include.0', 'must be a glob such as "/books/**", or {"regex": "…"}'],
    [{ rules: [{}] }, 'crawl.rules.0.match', 'is required'],
    [
      { rules: [{ match: '/a', follow: 'a' }] },
      'crawl.rules.0.follow',
      'must be true, false, or a list of CSS selectors',
    ],
    [{ ignoreQuery: 'sort' }, 'crawl.ignoreQuery', 'must be true, false, or a list of parameter names'],
    [{ rules: [{ match: '/a', formats: ['txt'] }] }, 'crawl.rules.0.formats.0', 'did you mean "text"?'],
    [{ exclude: ['x'] }, 'crawl.exclude.0', 'write "/'],
  ])('rejects %j', async (crawl, path, message) => {
    const { status, json } = await ask('/v1/jobs', { body: { urls: [`${SHOP}/`], crawl } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.details).toEqual([{ path, message: expect.stringContaining(message) }]);
    expect(orchestrator.commands).toEqual([]);
  });

  it('needs credits for the start URLs only', async () => {
    const { key } = await bed.createKey({ balance: 1 });
    const body = { urls: [`${SHOP}/`], crawl: { limit: 1000 } };
    expect((await ask('/v1/jobs', { body, key })).status).toBe(202);
    expect(
      (await ask('/v1/jobs', { body: { ...body, urls: [...body.urls, `${SHOP}/2`] }, key })).status,
    ).toBe(402);
  });
});

describe('a crawl', () => {
  it('is shown with its counters, its options and its results', async () => {
    const { id } = await seed();
    const { json } = await ask(`/v1/jobs/${id}`);
    expect(json.job).toMatchObject({
      status: 'partial',
      totalUrls: 6,
      completedUrls: 6,
      crawl: { hosts: 1, skipped: { robots: 1 }, dropped: { depth: 4 } },
      options: { crawl: CRAWL },
      resultsPagination: { total: 4, hasMore: false },
      results: [
        { url: `${SHOP}/`, depth: 0, data: { title: 'Shop' } },
        { depth: 2, foundOn: `${SHOP}/lists/1`, rule: 1, data: { title: 'Emma' } },
        { depth: 2, foundOn: `${SHOP}/lists/1`, rule: 1, data: null, error: { code: 'NOT_FOUND' } },
        { depth: 2, foundOn: `${SHOP}/lists/1`, rule: 1, data: null, error: { code: 'UPSTREAM_ERROR' } },
      ],
    });
  });

  it('is exported with the place of each page and the fields of all rules', async () => {
    const { id } = await seed();
    const headers = { Authorization: `Bearer ${owner.key}` };
    const query = 'format=csv&pages=all&columns=url,depth,foundOn,rule,title';
    const response = await fetch(`${gateway.url}/v1/jobs/${id}/results?${query}`, { headers });
    const text = await response.text();
    const [header = '', home = '', emma = ''] = text.split('\r\n');
    expect(header).toBe('url,depth,foundOn,rule,title');
    expect(home).toBe(`${SHOP}/,0,,,Shop`);
    expect(emma).toBe(`${SHOP}/books/emma?sort=price,2,${SHOP}/lists/1,1,Emma`);
    expect(text.split('\r\n').filter((line) => line !== '')).toHaveLength(5);
  });

  it('lists its URLs by state', async () => {
    const { id } = await seed();
    const states = async (query: string) =>
      (await ask(`/v1/jobs/${id}/urls${query}`)).json.map(
        ({ index, state }: { index: number; state: string }) => [index, state],
      );
    expect(await states('')).toEqual([
      [0, 'completed'],
      [1, 'completed'],
      [2, 'completed'],
      [3, 'failed'],
      [4, 'failed'],
      [5, 'skipped'],
    ]);
    expect(await states('?state=skipped')).toEqual([[5, 'skipped']]);
    expect(await states('?state=waiting')).toEqual([]);
  });

  it('finds a URL in any spelling', async () => {
    const { id } = await seed();
    const spelling = encodeURIComponent('http://SHOP.example/books/emma?utm_source=x&sort=title#reviews');
    expect((await ask(`/v1/jobs/${id}/urls?url=${spelling}`)).json).toEqual([
      {
        index: 2,
        url: `${SHOP}/books/emma?sort=price`,
        state: 'completed',
        attempts: 1,
        depth: 2,
        foundOn: `${SHOP}/lists/1`,
        rule: 1,
      },
    ]);
    expect((await ask(`/v1/jobs/${id}/urls?url=${spelling}&state=failed`)).json).toEqual([]);
    expect(
      (await ask(`/v1/jobs/${id}/urls?url=${encodeURIComponent(`${SHOP}/books/secret`)}`)).json,
    ).toMatchObject([{ state: 'skipped', skipped: 'robots' }]);
  });

  it.each([
    [
      'https://other.example/books/1',
      'outOfScope',
      'It is outside of the scope "host" of the crawl: shop.example.',
    ],
    [`${SHOP}/books/emma/print`, 'excluded', 'It matches crawl.exclude.0, "**/print".'],
    [`${SHOP}/about`, 'excluded', 'It matches none of crawl.include.'],
    [
      `${SHOP}/books/${'a/'.repeat(5)}`,
      'trap',
      'It looks like one of an endless series of URLs: a repeated segment.',
    ],
    [
      `${SHOP}/books/new`,
      undefined,
      'No page or sitemap that the crawl has read so far leads to it. It may be behind links that were left out: 4 that lie deeper than maxDepth.',
    ],
    ['mailto:a@b.c', undefined, 'It is not an http or https URL.'],
  ])('explains why %s was not crawled', async (url, dropped, message) => {
    const { id } = await seed();
    const { json } = await ask(`/v1/jobs/${id}/urls?url=${encodeURIComponent(url)}`);
    expect(json).toEqual([{ url, state: 'unknown', attempts: 0, ...(dropped && { dropped }), message }]);
  });

  it('starts again from its start URLs', async () => {
    const { id } = await seed();
    expect((await ask(`/v1/jobs/${id}/rerun`, { method: 'POST' })).status).toBe(202);
    expect(orchestrator.commands).toMatchObject([
      { request: { urls: [`${SHOP}/`], crawl: CRAWL }, rerun: { jobId: id } },
    ]);
  });

  it('fetches the pages that failed again, by their rules, and nothing else', async () => {
    const { id } = await seed();
    expect((await ask(`/v1/jobs/${id}/rerun`, { method: 'POST', body: { only: 'failed' } })).status).toBe(
      202,
    );
    expect(orchestrator.commands).toMatchObject([
      {
        request: {
          urls: [`${SHOP}/books/away`],
          crawl: { ...CRAWL, limit: 1, maxDepth: 0, sitemap: 'skip' },
        },
        // The crawl is of a version that did not store the origins.
        credentialOrigins: [],
      },
    ]);
  });

  it('sends its credentials no further when pages that it found are fetched again', async () => {
    const { id } = await seed();
    const { jobs } = bed.database.models;
    await jobs.updateOne({ _id: id }, { $set: { credentialOrigins: [SHOP] } });
    await ask(`/v1/jobs/${id}/rerun`, { method: 'POST', body: { only: 'failed' } });
    await ask(`/v1/jobs/${id}/rerun`, { method: 'POST' });
    expect(orchestrator.commands).toMatchObject([
      { credentialOrigins: [SHOP] },
      { credentialOrigins: [SHOP] },
    ]);
  });
});

describe('a crawl that is compared with another', () => {
  const price = { base: 1 };
  const since = (job: Job, crawl: object = {}) => ({
    urls: [`${SHOP}/`],
    crawl: { since: job.id, ...crawl },
  });
  const [content, login] = ['content', 'login'] as const;
  const seedCompared = async (before: string) =>
    await seedCrawl(bed.stores, owner.accountId, {
      crawl: { since: before, ignoreQuery: ['sort'] },
      state: { since: [before], changes: { new: 1, changed: 1, unchanged: 1, gone: 1, unlinked: 1 } },
      pages: [
        {
          url: `${SHOP}/`,
          data: { title: 'Shop' },
          end: { state: 'succeeded', price, change: 'changed', verdict: content },
        },
        {
          url: `${SHOP}/a`,
          data: { title: 'A' },
          depth: 1,
          end: { state: 'succeeded', price, change: 'new', verdict: login },
        },
        { url: `${SHOP}/b`, depth: 1, end: { state: 'missing', failure: GONE, change: 'gone' } },
        {
          url: `${SHOP}/c`,
          data: { title: 'C' },
          depth: 1,
          isUnlinked: true,
          end: { state: 'succeeded', price, change: 'unchanged' },
        },
      ],
    });

  it('names a finished crawl of the account', async () => {
    const job = await seed();
    expect((await ask('/v1/jobs', { body: since(job, { ignoreQuery: ['sort'] }) })).status).toBe(202);
    expect(orchestrator.commands).toMatchObject([{ request: { crawl: { since: job.id } } }]);
    const rejected = async (body: object, path: string, message: string) => {
      const { status, json } = await ask('/v1/jobs', { body });
      expect([status, json.error.details]).toEqual([
        400,
        [{ path, message: expect.stringContaining(message) }],
      ]);
    };
    await rejected(
      since({ ...job, id: 'job_none' }),
      'crawl.since',
      'is not the id of a job of this account',
    );
    await rejected(since({ ...job, id: 'none' }), 'crawl.since', 'must be the id of a job such as "job_');
    await rejected(since(job), 'crawl.since', 'has another ignoreQuery, ["sort"]');
    await rejected({ urls: [SHOP], crawl: { changes: true } }, 'crawl.changes', 'name the job in since');
    const running = await seedCrawl(bed.stores, owner.accountId, { crawl: {}, pages: [{ url: `${SHOP}/` }] });
    await rejected(since(running), 'crawl.since', 'has not finished yet: wait until it has');
    await bed.stores.jobs.cancel(owner.accountId, running.id, bed.stores.clock.now());
    await rejected(since(running), 'crawl.since', 'has not finished yet: wait until it has');
    const schedule = { url: SHOP, cron: '0 6 * * *', crawl: { since: job.id } };
    const { status, json } = await ask('/v1/schedules', { body: schedule });
    expect([status, json.error.details[0].message]).toEqual([
      400,
      expect.stringContaining('with "changes": true'),
    ]);
    const stranger = await bed.createKey();
    const { status: hidden } = await ask('/v1/jobs', { body: since(job), key: stranger.key });
    expect(hidden).toBe(400);
  });

  it('shows its changes, and selects results by them', async () => {
    const before = await seed();
    const { id } = await seedCompared(before.id);
    const { json } = await ask(`/v1/jobs/${id}?change=gone`);
    expect(json.job).toMatchObject({
      crawl: { since: before.id, changes: { new: 1, gone: 1, unlinked: 1 } },
      results: [{ url: `${SHOP}/b`, change: 'gone', error: { code: 'NOT_FOUND' } }],
      resultsPagination: { total: 1, hasMore: false },
    });
    const urlsOf = async (change: string) =>
      (await ask(`/v1/jobs/${id}/results?change=${change}`)).json.map(({ url }: { url: string }) => url);
    expect(await urlsOf('new')).toEqual([`${SHOP}/a`]);
    expect(await urlsOf('changed')).toEqual([`${SHOP}/`]);
    expect(await urlsOf('unlinked')).toEqual([`${SHOP}/c`]);
    expect(await urlsOf('new&verdict=login')).toEqual([`${SHOP}/a`]);
    expect(await urlsOf('new&verdict=content')).toEqual([]);
    const some = await ask(`/v1/jobs/${id}?change=new&verdict=login,wall`);
    expect(some.json.job).toMatchObject({ results: [{ url: `${SHOP}/a` }], resultsPagination: { total: 1 } });
    expect((await ask(`/v1/jobs/${id}/urls?verdict=login&url=${SHOP}/a`)).json).toMatchObject([
      { state: 'completed', verdict: 'login' },
    ]);
    expect((await ask(`/v1/jobs/${id}/urls?verdict=login&url=${SHOP}/`)).json).toEqual([]);
    expect((await ask(`/v1/jobs/${id}/urls?url=${SHOP}/c`)).json).toMatchObject([
      { change: 'unchanged', unlinked: true },
    ]);
    const headers = { Authorization: `Bearer ${owner.key}` };
    const csv = await fetch(`${gateway.url}/v1/jobs/${id}/results?format=csv&change=gone`, { headers });
    expect((await csv.text()).split('\r\n')[0]?.split(',').slice(-2)).toEqual(['change', 'unlinked']);
    expect((await ask(`/v1/jobs/${before.id}/results?change=new`)).json.error.details).toEqual([
      { path: 'change', message: expect.stringContaining('this crawl was compared with no other') },
    ]);
    expect((await ask(`/v1/jobs/${id}/results?change=old`)).status).toBe(400);
  });

  it('is compared with the same one when it is run again, and not when only failed pages are', async () => {
    const before = await seed();
    const { id } = await seedCompared(before.id);
    await ask(`/v1/jobs/${id}/rerun`, { method: 'POST', body: {} });
    expect(orchestrator.commands).toMatchObject([{ request: { crawl: { since: before.id } } }]);
    orchestrator.reset();
    const lost = await seedCrawl(bed.stores, owner.accountId, {
      crawl: { changes: true },
      state: { since: ['job_gone'], changes: { new: 0, changed: 0, unchanged: 0, gone: 0, unlinked: 0 } },
      pages: [{ url: `${SHOP}/`, end: { state: 'failed', failure: AWAY } }],
    });
    await ask(`/v1/jobs/${lost.id}/rerun`, { method: 'POST', body: {} });
    await ask(`/v1/jobs/${lost.id}/rerun`, { method: 'POST', body: { only: 'failed' } });
    expect(orchestrator.commands).toMatchObject([
      { request: { crawl: {} } },
      { request: { crawl: { limit: 1, maxDepth: 0, sitemap: 'skip' } } },
    ]);
  });
});

describe('docs/crawls.md', () => {
  const PAGE = resolve(import.meta.dirname, '../../../docs/crawls.md');
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, role = '', text = '']) => ({ role, value: JSON.parse(text) }),
  );
  const checks: Readonly<Record<string, ReturnType<typeof compileSchema>>> = {
    job: compileSchema(JobSchema),
    result: compileSchema(PageResultSchema),
    urls: compileSchema(ROUTES.getJobUrls.response),
    request: compileSchema(ROUTES.createJob.body),
    schedule: compileSchema(ROUTES.createSchedule.body),
  };

  it('has examples of each kind', () => {
    expect(new Set(blocks.map(({ role }) => role))).toEqual(new Set([...Object.keys(checks), 'error']));
  });

  it.each(blocks.filter(({ role }) => role !== 'error').map((block, index) => [index, block] as const))(
    'shows at %i what the schemas allow',
    (_index, { role, value }) => {
      expect(checks[role]?.(value)).toMatchObject({ ok: true });
    },
  );

  it.each(blocks.flatMap((block, index) => (block.role === 'request' ? [[index, block] as const] : [])))(
    'shows at %i a request and its answer',
    async (index, { value }) => {
      const { status, json } = await ask('/v1/jobs', { body: value });
      const answer = blocks[index + 1];
      if (answer?.role !== 'error') return void expect(status).toBe(202);
      expect({ ...json, error: { ...json.error, requestId: answer.value.error.requestId } }).toEqual(
        answer.value,
      );
    },
  );
});
