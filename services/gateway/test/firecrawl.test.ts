import { request } from 'node:http';
import { AppError, firecrawlIdOf, type MapReply, toFailure } from '@gleaner/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ScriptedOrchestrator,
  seedJob,
  startScriptedOrchestrator,
} from './support/scripted-orchestrator.ts';
import { failed, found, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let browser: ScriptedWorker;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ MAX_SCRAPES_IN_FLIGHT: '7' });
  worker = await startScriptedWorker(bed.broker);
  browser = await startScriptedWorker(bed.broker, 'scrape.browser');
  orchestrator = await startScriptedOrchestrator(bed.broker);
  const urls = [{ url: URL_A }, { url: `${URL_A}b`, text: 'B', foundOn: URL_A }];
  const answer: MapReply = { mapJson: JSON.stringify({ urls, sources: [], complete: true }), pages: 1 };
  bed.broker.respond('maps.commands', async () => answer, { concurrency: 1 });
  bed.broker.consumeWork('pages.browser', async () => {}, { concurrency: 1 });
  await bed.broker.whenReady(30_000);
  owner = await bed.createKey();
});
afterEach(() => {
  worker.reset();
  browser.reset();
  orchestrator.reset();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const URL_A = 'https://example.com/';

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: TestGateway;
}

/** Calls a path, by default of version 2, and returns the answer. */
async function ask(path: string, asked: Asked = {}) {
  const {
    body,
    method = body === undefined ? 'GET' : 'POST',
    key = owner.key,
    headers,
    at = gateway,
  } = asked;
  const response = await fetch(`${at.url}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status, headers: received } = response;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  const json: any = text === '' ? undefined : JSON.parse(text);
  return { status, headers: received, json };
}

const FORMATS = {
  markdown: '# A page',
  html: '<h1>A page</h1>',
  links: [{ url: `${URL_A}b`, text: 'B', rel: null }],
  images: [{ url: `${URL_A}c.png`, alt: null, width: null, height: null }],
  metadata: {
    ...{ title: 'A page', description: null, language: 'en', author: null, robots: null, canonical: null },
    ...{ feeds: [], icons: [], openGraph: { site_name: 'Shop', image: `${URL_A}c.png` }, twitter: {} },
    ...{ jsonLd: [], microdata: [] },
  },
};

describe('POST /scrape', () => {
  it.each(['/v2', '/firecrawl/v2', '/firecrawl/v1'])('returns a page at %s', async (prefix) => {
    worker.follow(() =>
      found({
        dataJson: JSON.stringify({ rawHtml: '<html></html>' }),
        formatsJson: JSON.stringify(FORMATS),
        warnings: [{ code: 'MAIN_NOT_FOUND', message: 'There is no main content.' }],
      }),
    );
    const body = {
      url: 'example.com',
      formats: ['markdown', 'rawHtml'],
      maxAge: 5,
      proxy: null,
      origin: 'test',
    };
    expect(await ask(`${prefix}/scrape`, { body })).toMatchObject({
      status: 200,
      json: {
        success: true,
        data: {
          ...{ markdown: '# A page', html: '<h1>A page</h1>', rawHtml: '<html></html>' },
          ...{ links: [`${URL_A}b`], images: [`${URL_A}c.png`] },
          metadata: {
            ...{ title: 'A page', language: 'en', ogSiteName: 'Shop', ogImage: `${URL_A}c.png` },
            ...{
              sourceURL: 'http://example.com',
              url: URL_A,
              statusCode: 200,
              creditsUsed: 1,
              proxyUsed: 'basic',
            },
          },
          warning:
            'maxAge has no effect: Pages are always fetched; there is no cache. There is no main content.',
        },
      },
    });
    expect(worker.commands[0]?.request).toEqual({
      url: 'http://example.com/',
      formats: [{ type: 'markdown', main: true }, 'metadata'],
      selectors: { rawHtml: ':root::html' },
      ...{ render: 'auto', overlays: 'hide' },
    });
  });

  it('takes the options that the node of n8n sends for those that are not set', async () => {
    const unset = {
      ...{ formats: [], includeTags: [], excludeTags: [], headers: {}, waitFor: 0, mobile: false },
      ...{ actions: {}, location: {}, parsers: null, profile: {} },
    };
    expect((await ask('/v2/scrape', { body: { url: URL_A, ...unset } })).status).toBe(200);
    const scrapeOptions = { ...unset, formats: { format: [{ type: 'links' }] } };
    const body = { url: URL_A, prompt: '', limit: 5, scrapeOptions, formats: ['links'] };
    expect((await ask('/v2/crawl', { body })).status).toBe(200);
    expect(worker.commands[0]?.request.formats).toEqual([{ type: 'markdown', main: true }, 'metadata']);
    expect(orchestrator.commands[0]).toMatchObject({
      request: { formats: [{ type: 'links', main: true }, 'metadata'] },
    });
  });

  it('returns a screenshot as a data URL', async () => {
    browser.follow(() => found({ screenshot: 'AAAA' }));
    const body = { url: URL_A, formats: [{ type: 'screenshot', quality: 30 }] };
    expect((await ask('/v2/scrape', { body })).json.data.screenshot).toBe('data:image/jpeg;base64,AAAA');
  });

  it('is charged as a scrape, and counts against the same limit', async () => {
    const { key } = await bed.createKey({ balance: 5 });
    const { headers } = await ask('/v2/scrape', { body: { url: URL_A }, key });
    expect(headers.get('ratelimit-limit')).toBe('100');
    expect((await ask('/v1/usage', { key })).json.usage).toMatchObject({ used: 1, remaining: 4 });
    expect(await ask('/v2/scrape', { body: { url: URL_A }, key })).toMatchObject({
      status: 402,
      json: { success: false, code: 'INSUFFICIENT_CREDITS' },
    });
  });

  it.each([
    ['UPSTREAM_ERROR', 422],
    ['PROXY_ERROR', 422],
    ['OUTCOME_UNKNOWN', 422],
    ['NOT_FOUND', 422],
    ['BLOCKED', 422],
    ['UNSUPPORTED_CONTENT', 422],
    ['TIMEOUT', 408],
  ] as const)('answers the error %s of a page with %d', async (code, status) => {
    worker.follow(() => failed(code));
    expect(await ask('/v2/scrape', { body: { url: URL_A } })).toMatchObject({
      status,
      json: { success: false, code, error: expect.stringMatching(/\. [A-Z]/), requestId: expect.any(String) },
    });
  });

  it('answers errors of pages with 400 in version 1, whose SDK shows the message of no 422', async () => {
    worker.follow(() => failed('UPSTREAM_ERROR'));
    expect(await ask('/firecrawl/v1/scrape', { body: { url: URL_A } })).toMatchObject({
      status: 400,
      json: { success: false, code: 'UPSTREAM_ERROR' },
    });
  });

  it('answers the 429 of a page as its error, and an error of ours with 5xx', async () => {
    worker.follow(() => failed('RATE_LIMITED', { source: 'target' }));
    expect((await ask('/v2/scrape', { body: { url: URL_A } })).status).toBe(422);
    worker.follow(() => failed('INTERNAL_ERROR'));
    expect(await ask('/v2/scrape', { body: { url: URL_A } })).toMatchObject({
      status: 500,
      json: { code: 'INTERNAL_ERROR' },
    });
  });

  it.each([
    [
      { url: URL_A, formats: ['summary'] },
      'NOT_SUPPORTED',
      'formats.0 is not supported. There is no language model',
    ],
    [{ url: URL_A, lockdown: true }, 'NOT_SUPPORTED', 'lockdown is not supported'],
    [{ url: URL_A, format: ['markdown'] }, 'INVALID_REQUEST', 'did you mean "formats"?'],
    [{ url: URL_A, formats: ['markup'] }, 'INVALID_REQUEST', 'formats.0 must be one of: markdown'],
    [{}, 'INVALID_REQUEST', 'url is required'],
    [{ url: 'http://10.0.0.1/' }, 'INVALID_URL', '10.0.0.1'],
    [{ url: 'ftp://example.com/' }, 'INVALID_URL', 'ftp'],
    [{ url: URL_A, excludeTags: ['a['] }, 'INVALID_SELECTOR', 'exclude'],
    [{ url: URL_A, headers: { Host: 'a' } }, 'INVALID_REQUEST', 'headers.Host'],
    [{ url: URL_A, profile: { name: 'prof_1' }, proxy: 'stealth' }, 'INVALID_REQUEST', 'profile'],
  ])('rejects %j with %s', async (body, code, message) => {
    expect(await ask('/v2/scrape', { body })).toMatchObject({
      status: 400,
      json: { success: false, code, error: expect.stringContaining(message) },
    });
    expect(worker.commands).toEqual([]);
  });
});

describe('jobs', () => {
  it('are created as a crawl, once for each x-idempotency-key', async () => {
    const body = {
      url: URL_A,
      limit: 3,
      maxConcurrency: 2,
      scrapeOptions: { formats: ['links'], timeout: null },
    };
    const { status, json } = await ask('/firecrawl/v2/crawl', {
      body,
      headers: { 'x-idempotency-key': 'key-1' },
    });
    const [command] = orchestrator.commands;
    expect(command).toMatchObject({
      type: 'create',
      idempotencyKey: 'key-1',
      request: { urls: [URL_A], crawl: { limit: 3, concurrency: 2, scope: 'path' } },
    });
    const id = firecrawlIdOf(command?.jobId ?? '');
    expect([status, json]).toEqual([
      200,
      { success: true, id, url: `${gateway.url}/firecrawl/v2/crawl/${id}` },
    ]);
  });

  it('are created of many URLs, with the webhook of the request', async () => {
    const webhook = {
      url: 'https://hooks.example.com/',
      headers: { 'X-Secret': 's' },
      events: ['completed'],
    };
    const { json } = await ask('/v2/batch/scrape', { body: { urls: [URL_A, 'http://10.0.0.1/'], webhook } });
    expect(json).toMatchObject({ success: true, invalidURLs: ['http://10.0.0.1/'] });
    expect(orchestrator.commands[0]).toMatchObject({
      request: {
        urls: [URL_A],
        webhook: {
          url: webhook.url,
          events: ['job.completed', 'job.partial'],
          firecrawl: { kind: 'batch_scrape', headers: webhook.headers },
        },
      },
    });
  });

  it('name the options that have no effect, and refuse those without an equal', async () => {
    const body = { url: URL_A, deduplicateSimilarURLs: false, delay: 1, maxConcurrency: 2 };
    expect((await ask('/v2/crawl', { body })).json.warning).toMatch(
      /^deduplicateSimilarURLs .*maxConcurrency /,
    );
    const prompt = 'blog posts';
    expect(await ask('/v2/crawl', { body: { url: URL_A, prompt } })).toMatchObject({
      status: 400,
      json: { code: 'NOT_SUPPORTED', details: [{ path: 'prompt' }] },
    });
    expect((await ask('/v2/crawl', { body: { url: URL_A, prompt, limit: 3 } })).json.warning).toMatch(
      /^prompt /,
    );
    expect((await ask('/v2/crawl/params-preview', { body: { url: URL_A, prompt } })).json).toEqual({
      ...{ success: true, data: { url: URL_A }, warning: expect.stringContaining('no language model') },
    });
    expect(await ask('/v2/crawl', { body: { url: URL_A, webhook: 'http://127.0.0.1/hook' } })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_URL' },
    });
  });

  it('refuse the webhook form of Gleaner’s own storage', async () => {
    const webhook = { url: 'https://hooks.example.com/', firecrawl: { kind: 'crawl' } };
    expect((await ask('/v1/jobs', { body: { urls: [URL_A], webhook } })).status).toBe(400);
    expect((await ask('/v2/crawl', { body: { url: URL_A, webhook } })).status).toBe(400);
  });

  it('show their documents without the pages that failed', async () => {
    const failure = toFailure(new AppError('NOT_FOUND', { message: 'It is gone.' }));
    const pages = [{ formats: { markdown: 'One' } }, { failure }, { formats: { markdown: 'Three' } }];
    const { id } = await seedJob(bed.stores, owner.accountId, pages);
    const uuid = firecrawlIdOf(id);
    const { status, json } = await ask(`/v2/crawl/${uuid}`);
    expect([status, json]).toEqual([
      200,
      {
        ...{ success: true, id: uuid, status: 'completed', completed: 2, total: 2 },
        ...{ creditsUsed: 2, duration: expect.any(Number) },
        createdAt: expect.any(String),
        data: [expect.objectContaining({ markdown: 'One' }), expect.objectContaining({ markdown: 'Three' })],
      },
    ]);
    expect((await ask(`/v2/batch/scrape/${uuid}/errors`)).json).toEqual({
      success: true,
      errors: [
        {
          ...{ id: `${uuid}:1`, url: 'https://example.com/1', code: 'NOT_FOUND', error: 'It is gone.' },
          timestamp: null,
        },
      ],
      robotsBlocked: [],
    });
  });

  it('that run have the documents so far, and those that failed as a whole are failed', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, [{ formats: { markdown: 'One' } }, 'waiting']);
    expect((await ask(`/v2/crawl/${firecrawlIdOf(id)}`)).json).toMatchObject({
      ...{ status: 'scraping', completed: 1, total: 2 },
      data: [{ markdown: 'One' }],
    });
  });

  it('are read in parts of 10 MB, whose addresses lead on', async () => {
    const pages = Array.from({ length: 5 }, (_none, index) => ({
      formats: { markdown: `${index} ${'x'.repeat(4_000_000)}` },
    }));
    const { id } = await seedJob(bed.stores, owner.accountId, pages);
    let next: string | null = `/v2/batch/scrape/${firecrawlIdOf(id)}`;
    const parts: string[][] = [];
    while (next !== null) {
      const { json } = await ask(next);
      parts.push(json.data.map(({ markdown }: { markdown: string }) => markdown.slice(0, 1)));
      next = json.next?.replace(gateway.url, '') ?? null;
    }
    expect(parts).toEqual([
      ['0', '1', '2'],
      ['3', '4'],
    ]);
  });

  it('are read in parts that the caller chooses', async () => {
    const pages = ['a', 'b', 'c'].map((markdown) => ({ formats: { markdown } }));
    const { id } = await seedJob(bed.stores, owner.accountId, pages);
    const path = `/v2/crawl/${firecrawlIdOf(id)}`;
    const { json } = await ask(`${path}?skip=1&limit=1`);
    expect([json.data.length, json.data[0].markdown]).toEqual([1, 'b']);
    expect(json.next).toBe(`${gateway.url}${path}?skip=2&limit=1`);
    expect((await ask(`${path}?skip=9`)).json).toEqual(expect.objectContaining({ data: [] }));
    expect((await ask(`${path}?skip=9`)).json).not.toHaveProperty('next');
  });

  it.each([
    '?skip=-1',
    '?skip=x',
    '?limit=0',
    '?skip=1&skip=2',
    '?skip=99999999999999999999',
    '?page=2',
    '?skip=1.5',
  ])('reject the forged part %s', async (query) => {
    const { id } = await seedJob(bed.stores, owner.accountId, [{ formats: { markdown: 'One' } }]);
    expect(await ask(`/v2/crawl/${firecrawlIdOf(id)}${query}`)).toMatchObject({
      status: 400,
      json: { success: false, code: 'INVALID_REQUEST' },
    });
  });

  it('of other accounts, and texts that are not ids, are not found', async () => {
    const { accountId } = await bed.createKey();
    const { id } = await seedJob(bed.stores, accountId, [{ formats: { markdown: 'One' } }]);
    const none = '00000000-0000-0000-0000-000000000000';
    for (const each of [
      firecrawlIdOf(id),
      id,
      'invalid-job-id',
      none,
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/errors'],
        ['DELETE', ''],
      ] as const) {
        expect([each, await ask(`/v2/crawl/${each}${path}`, { method })]).toMatchObject([
          each,
          { status: 404, json: { success: false, code: 'JOB_NOT_FOUND' } },
        ]);
      }
    }
  });

  it('are cancelled by either form of their id', async () => {
    const job = await seedJob(bed.stores, owner.accountId, ['waiting']);
    orchestrator.follow(() => ({ ...job, status: 'cancelled' }));
    expect(await ask(`/v2/crawl/${firecrawlIdOf(job.id)}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      json: { success: true, status: 'cancelled' },
    });
    expect(orchestrator.commands).toEqual([{ type: 'cancel', jobId: job.id, accountId: owner.accountId }]);
  });
});

describe('POST /map', () => {
  it('lists links with titles, in version 1 the URLs alone', async () => {
    expect((await ask('/v2/map', { body: { url: URL_A } })).json).toEqual({
      success: true,
      links: [{ url: URL_A }, { url: `${URL_A}b`, title: 'B' }],
    });
    expect((await ask('/firecrawl/v1/map', { body: { url: URL_A, ignoreSitemap: true } })).json).toEqual({
      success: true,
      links: [URL_A, `${URL_A}b`],
    });
    expect(
      (await ask('/v2/map', { body: { url: URL_A, location: { country: 'US' } } })).json.warning,
    ).toMatch(/^location has no effect/);
  });
});

describe('the account', () => {
  it('shows its credits, its queue and its limits', async () => {
    const { key, accountId } = await bed.createKey({ balance: 500 });
    await seedJob(bed.stores, accountId, ['waiting']);
    expect((await ask('/v2/team/credit-usage', { key })).json).toMatchObject({
      success: true,
      data: { remainingCredits: 500 },
    });
    expect((await ask('/v2/team/credit-usage')).json.data.remainingCredits).toBe(999_999_999);
    expect((await ask('/v2/team/token-usage', { key })).json.data.remainingTokens).toBe(0);
    expect((await ask('/v2/team/queue-status', { key })).json).toEqual({
      ...{ success: true, jobsInQueue: 1, activeJobsInQueue: 1, waitingJobsInQueue: 0 },
      ...{ maxConcurrency: 7, mostRecentSuccess: null },
    });
    expect((await ask('/v2/concurrency-check', { key })).json).toEqual({
      ...{ success: true, concurrency: 1, maxConcurrency: 7 },
    });
    expect((await ask('/v2/crawl/active', { key })).json).toEqual({ success: true, crawls: [], data: [] });
  });

  it('needs a key with the scope of the route', async () => {
    expect(await ask('/v2/scrape', { body: { url: URL_A }, key: null })).toMatchObject({
      status: 401,
      json: { success: false, code: 'UNAUTHORIZED' },
    });
    const { key } = await bed.createKey({ scopes: ['jobs'] });
    expect(await ask('/v2/scrape', { body: { url: URL_A }, key })).toMatchObject({
      status: 403,
      json: { success: false, code: 'FORBIDDEN' },
    });
  });
});

describe('what is missing', () => {
  it.each([
    ['POST', '/v2/search', 'There is no search engine here'],
    ['POST', '/v2/extract', 'There is no language model here'],
    ['GET', '/firecrawl/v2/extract/1', 'There is no language model here'],
    ['GET', '/v2/scrape/00000000-0000-0000-0000-000000000000', 'is returned once'],
    ['GET', '/v2/team/activity', 'GET /v1/jobs'],
  ])('%s %s is answered with what to use instead', async (method, path, message) => {
    const body = method === 'POST' ? {} : undefined;
    expect(await ask(path, { method, body })).toMatchObject({
      status: 400,
      json: { success: false, code: 'NOT_SUPPORTED', error: expect.stringContaining(message) },
    });
  });

  it('is a path that is not known, or a method', async () => {
    expect(await ask('/v2/nothing')).toMatchObject({
      status: 404,
      json: { success: false, code: 'ROUTE_NOT_FOUND' },
    });
    expect(await ask('/v2/scrape')).toMatchObject({ status: 405, json: { code: 'METHOD_NOT_ALLOWED' } });
    expect(await ask('/firecrawl/v1/batch/scrape', { body: {} })).toMatchObject({ status: 404 });
  });

  it('is everything where the operator turned it off', async () => {
    const at = await bed.startGateway({ FIRECRAWL_API: 'off' });
    for (const path of ['/v2/scrape', '/firecrawl/v1/scrape', '/v2/search']) {
      expect(await ask(path, { body: { url: URL_A }, at })).toMatchObject({
        status: 404,
        json: { success: false, error: { code: 'ROUTE_NOT_FOUND' } },
      });
    }
  });
});

describe('a WebSocket of a watcher', () => {
  const closing = (path: string, at = gateway) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${at.url.replace('http', 'ws')}${path}`, owner.key);
      socket.addEventListener('error', () => resolve('refused'));
      socket.addEventListener('close', ({ code, wasClean }) => resolve(`${code} ${wasClean}`));
    });

  it.each(['/v2/crawl/1', '/v2/batch/scrape/1', '/firecrawl/v2/crawl/1'])(
    'is opened at %s and closed at once, so that the watcher polls',
    async (path) => {
      expect(await closing(path)).toBe('1000 true');
    },
  );

  it('is refused elsewhere, and where the operator turned the API off', async () => {
    expect(await closing('/v1/jobs/job_1')).toBe('refused');
    expect(await closing('/v2/crawl/1', await bed.startGateway({ FIRECRAWL_API: 'off' }))).toBe('refused');
  });

  it('does not hold a gateway that stops', async () => {
    const at = await bed.startGateway();
    expect(await closing('/v2/crawl/1', at)).toBe('1000 true');
    await at.stop(AbortSignal.timeout(60_000));
  });
});

/** Bodies with every option, from which mutations begin. */
const WHOLE_PAGE = {
  formats: ['markdown', { type: 'screenshot', quality: 9, viewport: { width: 300, height: 300 } }],
  ...{ onlyMainContent: true, includeTags: ['main'], excludeTags: ['nav'], headers: { 'X-A': 'b' } },
  ...{ waitFor: 10, mobile: true, timeout: 5000, parsers: [{ type: 'pdf', maxPages: 3 }], proxy: 'auto' },
  actions: [
    { type: 'click', selector: 'a' },
    { type: 'write', text: 'b' },
    { type: 'wait', milliseconds: 9 },
  ],
  location: { country: 'DE', languages: ['de'] },
};
const WEBHOOK = {
  url: 'https://hooks.example.com/',
  headers: { a: 'b' },
  metadata: { a: [1] },
  events: ['page'],
};
const WHOLE: Readonly<Record<string, object>> = {
  '/v2/scrape': { url: URL_A, ...WHOLE_PAGE },
  '/v2/batch/scrape': { urls: [URL_A, 'b.example'], webhook: WEBHOOK, ...WHOLE_PAGE },
  '/v2/crawl': {
    ...{ url: URL_A, includePaths: ['^/a(b|c)$'], excludePaths: ['[/]x'], limit: 3, delay: 1.5 },
    ...{ webhook: WEBHOOK, scrapeOptions: WHOLE_PAGE },
  },
  '/v2/map': { url: URL_A, search: 'a', limit: 3, timeout: 5000 },
};
const WRONG = [
  null,
  0,
  -1,
  1e21,
  '',
  'x',
  '\ud800',
  '(',
  '[',
  [],
  [null],
  {},
  { type: 'x' },
  true,
  '__proto__',
];

/** Returns bodies each of which has one value, at any depth, replaced by another. */
function* mutationsOf(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const mutated of mutationsOf(inner)) {
      yield Array.isArray(value) ? value.with(Number(name), mutated) : { ...value, [name]: mutated };
    }
  }
}

describe('hostile bodies', () => {
  it.each(Object.entries(WHOLE))('of %s are answered with a success or with 4xx', async (path, whole) => {
    const at = await bed.startGateway({ RATE_LIMIT_SCRAPE: '100000', RATE_LIMIT_CREATE: '100000' });
    const { key } = await bed.createKey();
    expect((await ask(path, { body: whole, at, key })).json).toMatchObject({ success: true });
    for (const body of mutationsOf(whole)) {
      const { status, json } = await ask(path, { body, at, key });
      expect([body, status, json]).toEqual([body, expect.any(Number), expect.any(Object)]);
      if (status === 200) continue;
      expect([body, status < 500, json]).toMatchObject([
        body,
        true,
        { success: false, code: expect.any(String) },
      ]);
    }
  });
});

describe('addresses', () => {
  it('begin with the public URL, if the operator names one', async () => {
    const at = await bed.startGateway({ PUBLIC_URL: 'https://gleaner.example.com/tools/' });
    const { json } = await ask('/v2/crawl', { body: { url: URL_A }, at });
    expect(json.url).toMatch(/^https:\/\/gleaner\.example\.com\/tools\/v2\/crawl\/[\da-f-]{36}$/);
  });

  it('hold nothing of a Host header that is not a host', async () => {
    const { port } = gateway;
    const body = JSON.stringify({ url: URL_A });
    const headers = {
      authorization: `Bearer ${owner.key}`,
      'content-type': 'application/json',
      host: 'a b<c',
    };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: '/v2/crawl', method: 'POST', headers },
        (incoming) => {
          incoming.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
    expect(JSON.parse(text).url).toMatch(/^\/v2\/crawl\/[\da-f-]{36}$/);
  });
});
