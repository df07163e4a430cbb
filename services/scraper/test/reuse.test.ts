import { brotliDecompressSync } from 'node:zlib';
import type { KeptPage, PageOutcome, ReusablePage, ScrapeRequest } from '@gleaner/contracts';
import { eventually, type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPage } from '../src/snapshots/pack-page.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const TEXT = 'A kettle boils a litre of water in four minutes, and is made of glass and steel. '.repeat(5);
const PAGE = `<!doctype html><title>Kettles</title><h1>Emma</h1><p>${TEXT}<p style="display:none">hidden`;

interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** Answers of the site, by path. */
const ANSWERS: Readonly<Record<string, SiteAnswer>> = {
  '/plain': {},
  '/private': { headers: { 'cache-control': 'private, max-age=0, no-cache, must-revalidate' } },
  '/cookie': { headers: { 'set-cookie': 'session=1' } },
  '/vary': { headers: { vary: 'Cookie, User-Agent, Accept' } },
  '/no-store': { headers: { 'cache-control': 'no-store' } },
  '/no-store-among-others': { headers: { 'cache-control': 'max-age=60 , No-Store' } },
  '/no-store-repeated': { headers: { 'cache-control': ['public', 'no-store'] } },
  '/vary-freely': { headers: { vary: '*' } },
  '/vary-freely-among-others': { headers: { vary: 'accept, *' } },
  '/moved': { status: 302, headers: { location: '/plain' } },
  '/gone': { status: 404 },
  '/blocked': { status: 403, body: '<title>Access denied</title>' },
  '/created': { status: 201 },
  '/wall': { body: '<title>Just a moment</title><h1>Access denied</h1>' },
  '/login': { body: '<title>Sign in</title><form><input type=password></form>' },
  '/shell': { body: '<div id=root></div><script src=a.js></script>' },
  '/empty': { body: '' },
};

async function startAnswers(): Promise<Site> {
  const elsewhere = ({ url }: { url: URL }) => `http://localhost:${url.port}/plain`;
  return await startSite(({ url, response }) => {
    const away: SiteAnswer = { status: 302, headers: { location: elsewhere({ url }) } };
    const answer = url.pathname === '/away' ? away : ANSWERS[url.pathname];
    const { status = 200, headers = {}, body = PAGE } = answer ?? {};
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end(body);
  });
}

const ALLOW = { EGRESS_ALLOW: '127.0.0.1,localhost' };

async function fetchFor(scraper: TestScraper, request: ScrapeRequest): Promise<ReusablePage | undefined> {
  const reply = await scraper.scrape({ maxAge: 1000, ...request }, { reuseKey: 'k', timeoutMs: 60_000 });
  return reply.ok ? reply.result.reusable : undefined;
}

const keptOf = ({ key: _key, ...page }: ReusablePage, parts: Partial<KeptPage> = {}): KeptPage => ({
  ...page,
  statusCode: 200,
  engine: 'http',
  readAt: '2026-01-31T12:00:00.000Z',
  age: 5000,
  ...parts,
});

describe('a page that is fetched with maxAge', () => {
  let scraper: TestScraper;
  let site: Site;

  beforeAll(async () => {
    site = await startAnswers();
    scraper = await startTestScraper(ALLOW);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it.each(['/plain', '/private', '/cookie', '/vary', '/moved'])('comes to be kept: %s', async (path) => {
    const kept = await fetchFor(scraper, { url: site.origin + path });
    const baseUrl = site.origin + (path === '/moved' ? '/plain' : path);
    expect(kept).toMatchObject({ key: 'k', kind: 'html', baseUrl });
    expect(brotliDecompressSync(Buffer.from(kept?.source ?? '', 'base64')).toString()).toBe(PAGE);
  });

  it.each([
    ...[
      '/no-store',
      '/no-store-among-others',
      '/no-store-repeated',
      '/vary-freely',
      '/vary-freely-among-others',
    ],
    ...['/away', '/gone', '/blocked', '/created', '/wall', '/login', '/shell', '/empty'],
  ])('does not come to be kept: %s', async (path) => {
    expect(await fetchFor(scraper, { url: site.origin + path })).toBeUndefined();
  });

  it.each([
    { 'Cache-Control': 'no-store' },
    { 'cache-control': 'max-age=0, No-Cache' },
    { Pragma: 'no-cache' },
  ])('does not come to be kept where the caller asks sites for it: %j', async (headers) => {
    expect(await fetchFor(scraper, { url: `${site.origin}/plain`, headers })).toBeUndefined();
  });

  it('comes to be kept as its snapshot is', async () => {
    const asked = { url: `${site.origin}/plain`, maxAge: 1000, snapshot: true };
    const reply = await scraper.scrape(asked, { reuseKey: 'k', timeoutMs: 60_000 });
    const { snapshot, reusable } = (reply.ok && reply.result) || {};
    expect(snapshot).toMatchObject({ kind: 'html', baseUrl: asked.url, source: expect.stringMatching(/./) });
    expect(reusable).toEqual({ key: 'k', ...snapshot });
  });

  it('does not come to be kept without a key', async () => {
    const reply = await scraper.scrape({ url: `${site.origin}/plain` });
    expect(reply.ok && Object.keys(reply.result)).not.toContain('reusable');
  });
});

describe('a page that is reused', () => {
  let scraper: TestScraper;
  let site: Site;
  let kept: KeptPage;

  beforeAll(async () => {
    site = await startAnswers();
    scraper = await startTestScraper(ALLOW);
    const page = await packPage(PAGE.replace('Emma', 'Otto'), { kind: 'html', baseUrl: `${site.origin}/a` });
    kept = keptOf({ key: 'k', ...page });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const request = (more: Partial<ScrapeRequest> = {}) => ({
    url: `${site.origin}/plain`,
    maxAge: 60_000,
    selectors: { name: 'h1' },
    ...more,
  });

  it('is extracted without a request, costs nothing and has its age', async () => {
    const before = site.fetches.length;
    const reply = await scraper.scrape(request(), { reuseKey: 'k', kept });
    expect(reply).toMatchObject({
      ok: true,
      result: {
        dataJson: '{"name":"Otto"}',
        finalUrl: `${site.origin}/a`,
        timestamp: kept.readAt,
        cache: { age: 5000 },
        price: { base: 0 },
        attempts: [],
      },
    });
    expect(reply.ok && Object.keys(reply.result)).not.toContain('reusable');
    expect(site.fetches.length).toBe(before);
  });

  it('is returned as a snapshot to a request for one', async () => {
    const reply = await scraper.scrape(request({ snapshot: true }), { reuseKey: 'k', kept });
    const { source = '', ...page } = (reply.ok && reply.result.snapshot) || {};
    expect(page).toEqual({ kind: 'html', baseUrl: `${site.origin}/a` });
    expect(brotliDecompressSync(Buffer.from(source, 'base64')).toString()).toContain('Otto');
  });

  it.each<[string, (page: KeptPage) => Promise<KeptPage> | KeptPage, Partial<ScrapeRequest>]>([
    [
      'a required field is missing',
      (page) => page,
      { selectors: { name: { selector: 'h1', pattern: '(Emma)', required: true } } },
    ],
    [
      'it is not content',
      async () => keptOf({ key: 'k', ...(await packPage('', { kind: 'html', baseUrl: 'http://a.test/' })) }),
      {},
    ],
    ['it is damaged', (page) => ({ ...page, source: 'cGFnZQ==' }), {}],
  ])('is fetched where %s', async (_case, change, more) => {
    const page = await change(kept);
    const reply = await scraper.scrape(request(more), { reuseKey: 'k', kept: page });
    expect(reply).toMatchObject({
      ok: true,
      result: { dataJson: '{"name":"Emma"}', price: { base: 1 }, reusable: { key: 'k' } },
    });
    expect(reply.ok && Object.keys(reply.result)).not.toContain('cache');
  });

  it('is fetched by the same attempt of a page of a job', async () => {
    const damaged = { ...kept, source: 'cGFnZQ==' };
    const pages = { 'job_1:0': kept, 'job_1:1': damaged };
    for (const [pageId, page] of Object.entries(pages)) {
      await scraper.sendPage(request(), { pageId, reuseKey: 'k', kept: page });
      await eventually(() => expect(scraper.outcomes.some((each) => each.pageId === pageId)).toBe(true));
    }
    const outcomeOf = (id: string) =>
      scraper.outcomes.find(({ pageId }) => pageId === id)?.outcome as Extract<
        PageOutcome['outcome'],
        { kind: 'found' }
      >;
    expect(outcomeOf('job_1:0')).toMatchObject({
      dataJson: '{"name":"Otto"}',
      cache: { age: 5000 },
      price: { base: 0 },
    });
    expect(outcomeOf('job_1:1')).toMatchObject({
      dataJson: '{"name":"Emma"}',
      price: { base: 1 },
      reusable: { key: 'k' },
    });
  });

  it('has a key of its own in a lane', async () => {
    let lanes = 0;
    // On a busy machine, the time of a lane may be over after its first page.
    const outcomes = await eventually(async () => {
      lanes += 1;
      const jobId = `job_lane_${lanes}`;
      const second = { pageId: `${jobId}:1`, attempt: 1, url: `${site.origin}/private`, reuseKey: 'other' };
      const lane = { jobId, pageId: `${jobId}:0`, reuseKey: 'k', further: [second] };
      await scraper.sendPage(request(), lane);
      const reported = await eventually(() => {
        const found = scraper.outcomes.filter((each) => each.jobId === jobId);
        expect(found).toHaveLength(2);
        return found.map(({ outcome }) => outcome);
      });
      expect(reported.map(({ kind }) => kind)).not.toContain('unstarted');
      return reported;
    });
    const keys = outcomes.map((outcome) => outcome.kind === 'found' && outcome.reusable?.key);
    expect(keys).toEqual(['k', 'other']);
  });
});

await describeWithBrowser('a rendered page that is reused', (settings) => {
  it('is read as it was: with its text that the browser did not show, and without marks', async () => {
    await using site = await startSite(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=1' });
      response.end(`<!doctype html><style>.a{display:none}</style><h1>Emma</h1><p>${TEXT}<p class=a>sheet`);
    });
    await using scraper = await startTestScraper({ ...settings, ...ALLOW });
    const url = `${site.origin}/`;
    const page = await fetchFor(scraper, { url, render: true, selectors: { a: 'h1' } });
    if (!page) throw new Error('The page was not to be kept.');
    const formats = [{ type: 'text' as const, hidden: 'drop' as const }, 'html' as const];
    const before = site.fetches.length;
    const asked = { url, render: true, maxAge: 1000, formats, snapshot: true };
    const kept = keptOf(page, { engine: 'browser' });
    const reply = await scraper.scrape(asked, { reuseKey: 'k', kept, timeoutMs: 60_000 });
    if (!reply.ok) throw new Error(reply.failure.message);
    const { text, html } = JSON.parse(reply.result.formatsJson ?? '');
    expect(text).toContain('Emma');
    expect(text).not.toContain('sheet');
    const snapshot = brotliDecompressSync(Buffer.from(reply.result.snapshot?.source ?? '', 'base64'));
    for (const source of [html, snapshot.toString()]) {
      expect(source).toContain('sheet');
      expect(source).not.toContain(page.hiddenMark?.value);
    }
    expect(reply.result).toMatchObject({ engine: 'browser', cache: { age: 5000 }, price: { base: 0 } });
    expect(site.fetches.length).toBe(before);
  });
});
