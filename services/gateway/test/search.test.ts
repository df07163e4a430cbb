import { createId, type ErrorCode, type ErrorDetail, LIMITS, type ScrapeCommand } from '@gleaner/contracts';
import { eventually, type SearxngStub, startSearxng } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shareCredits } from '../src/routes/search/scrape-results.ts';
import { call } from './support/call.ts';
import { failed, found, neverReplies } from './support/scripted-worker.ts';
import type { TestGateway, TestKey } from './support/test-bed.ts';
import { useGateway } from './support/use-gateway.ts';

const service = useGateway();
let searxng: SearxngStub;
let gateway: TestGateway;

beforeAll(async () => {
  searxng = await startSearxng();
  gateway = await service.bed.startGateway({
    SEARCH_URL: `${searxng.url.replace('://', '://me:s%40crt@')}/`,
  });
});
afterAll(async () => {
  await searxng[Symbol.asyncDispose]();
});

interface Asking {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const search = (body: object, { key = service.owner.key, ...options }: Asking = {}) =>
  call(`${gateway.url}/v1/search`, { key, body, ...options });
const usageOf = async ({ key }: TestKey) => (await call(`${gateway.url}/v1/usage`, { key })).json.usage;

/** Returns the codes and messages of warnings as one text each. */
const told = (warnings: readonly { readonly code: string; readonly message: string }[]) =>
  warnings.map(({ code, message }) => `${code} ${message}`);

describe('POST /v1/search', () => {
  it('asks SearXNG, and costs nothing', async () => {
    const owner = await service.bed.createKey({ balance: 0 });
    const body = { query: 'book shop', limit: 2, time: 'week', lang: 'de', site: 'Example.com' };
    const { status, json, headers } = await search(body, owner);
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        results: [0, 1].map((index) => ({
          url: `https://example.com/1/${index}`,
          title: `book shop ${index}`,
          snippet: 'Page 1.',
        })),
        warnings: [],
        metadata: { query: 'book shop', duration: expect.any(Number), credits: 0 },
        requestId: headers['x-request-id'],
      },
    ]);
    expect(searxng.asked.at(-1)).toEqual({
      q: 'book shop site:example.com',
      format: 'json',
      time_range: 'week',
      language: 'de',
    });
    expect(searxng.authorizations.at(-1)).toBe(`Basic ${Buffer.from('me:s@crt').toString('base64')}`);
    expect(await usageOf(owner)).toMatchObject({ used: 0 });
  });

  it('has ten results by default, and asks for further pages until there are enough', async () => {
    expect((await search({ query: 'a' })).json.results).toHaveLength(10);
    const { results, warnings } = (await search({ query: 'a', limit: 50 })).json;
    expect(new Set(results.map(({ url }: { url: string }) => url)).size).toBe(50);
    expect(warnings).toEqual([]);
    expect(searxng.asked.slice(-5).map(({ pageno }) => pageno)).toEqual([undefined, '2', '3', '4', '5']);
  });

  it('leaves out results of other sites', async () => {
    const { json } = await search({ query: 'a', site: 'shop.example' });
    expect([json.results, told(json.warnings)]).toEqual([
      [],
      ['RESULTS_LEFT_OUT 12 results were left out: another site.'],
    ]);
  });

  it.each([
    ['private', ['https://example.com/a'], ['9 results were left out: an address that may not be requested']],
    ['twice', ['https://example.com/a'], ['1 result was left out: a duplicate']],
    [
      'odd',
      ['https://example.com/b', 'https://example.com/c', 'https://example.com/a'],
      ['8 results were left out: no URL', '3 results were left out: not http or https'],
    ],
    ['later', ['https://example.com/a'], ['Further results could not be read: SearXNG answered with 500']],
    ['dead', [], ['duckduckgo did not answer: CAPTCHA', 'brave did not answer: timeout', 'odd did not']],
  ])('of the kind %s: keeps what can be scraped, and tells of the rest', async (query, urls, messages) => {
    const { status, json } = await search({ query });
    expect([status, json.results.map(({ url }: { url: string }) => url)]).toEqual([200, urls]);
    expect(told(json.warnings)).toEqual(messages.map((message) => expect.stringContaining(message)));
  });

  it('cleans the texts and dates of engines', async () => {
    const [first, second] = (await search({ query: 'odd' })).json.results;
    expect(first).toEqual({
      url: 'https://example.com/b',
      title: 'Two lines',
      snippet: '',
      publishedAt: '2026-01-31T12:00:00.000Z',
    });
    expect(second).toEqual({ url: 'https://example.com/c', title: 'x'.repeat(500), snippet: '' });
  });

  it.each([
    ['forbidden', 'SEARCH_MISCONFIGURED', /refuses to answer in JSON.*enable json.*settings\.yml/],
    ['moved', 'SEARCH_MISCONFIGURED', /redirects/],
    ['locked', 'SEARCH_MISCONFIGURED', /password/],
    ['html', 'SEARCH_MISCONFIGURED', /something else than results/],
    ['another', 'SEARCH_MISCONFIGURED', /something else than results/],
    ['limited', 'SEARCH_FAILED', /limiter/],
    ['failing', 'SEARCH_FAILED', /500/],
    ['huge', 'SEARCH_FAILED', /more than 2097152 bytes/],
    ['broken', 'SEARCH_FAILED', /malformed or too large/],
    ['deep', 'SEARCH_FAILED', /malformed or too large/],
    ['numbers', 'SEARCH_FAILED', /malformed or too large/],
    ['list', 'SEARCH_FAILED', /malformed or too large/],
    ['slow', 'SEARCH_FAILED', /did not answer within 10000 ms/],
    ['endless', 'SEARCH_FAILED', /did not answer within 10000 ms/],
  ])('answered with %s, is %s, without the address of SearXNG', async (query, code, text) => {
    const { json } = await search({ query });
    expect([json.error.code, `${json.error.message} ${json.error.suggestion}`]).toEqual([
      code,
      expect.stringMatching(text),
    ]);
    expect(JSON.stringify(json)).not.toContain(new URL(searxng.url).host);
  });

  it('is SEARCH_FAILED where nothing listens, and SEARCH_MISCONFIGURED at another address', async () => {
    const nothing = await service.bed.startGateway({ SEARCH_URL: 'http://127.0.0.1:1' });
    const other = await service.bed.startGateway({ SEARCH_URL: `${searxng.url}/elsewhere` });
    const codes = [];
    for (const { url } of [nothing, other]) {
      const { json } = await call(`${url}/v1/search`, { key: service.owner.key, body: { query: 'a' } });
      codes.push(json.error.code);
    }
    expect(codes).toEqual(['SEARCH_FAILED', 'SEARCH_MISCONFIGURED']);
  });

  it('is off by default', async () => {
    const { status, json } = await service.ask('/v1/search', { body: { query: 'a' } });
    expect([status, json.error]).toEqual([
      503,
      expect.objectContaining({
        code: 'NOT_CONFIGURED',
        message: expect.stringContaining('SEARCH_URL'),
        suggestion: expect.stringContaining('docs/search.md'),
      }),
    ]);
  });

  it.each<[object, ErrorCode, string]>([
    [{}, 'INVALID_REQUEST', 'query'],
    [{ query: '' }, 'INVALID_REQUEST', 'query'],
    [{ query: ' ' }, 'INVALID_REQUEST', 'query'],
    [{ query: 'a\u0000' }, 'INVALID_REQUEST', 'query'],
    [{ query: 'a'.repeat(LIMITS.maxQueryLength + 1) }, 'INVALID_REQUEST', 'query'],
    [{ query: 'kettle !!g' }, 'INVALID_REQUEST', 'query'],
    [{ query: 'a', limit: 0 }, 'INVALID_REQUEST', 'limit'],
    [{ query: 'a', limit: 51 }, 'INVALID_REQUEST', 'limit'],
    [{ query: 'a', time: 'hour' }, 'INVALID_REQUEST', 'time'],
    [{ query: 'a', lang: 'german' }, 'INVALID_REQUEST', 'lang'],
    [{ query: 'a', site: 'https://example.com/' }, 'INVALID_REQUEST', 'site'],
    [{ query: 'a', site: '300.1.1.1' }, 'INVALID_REQUEST', 'site'],
    [{ query: 'a', maxCredits: 1 }, 'INVALID_REQUEST', 'maxCredits'],
    [{ query: 'a', scrape: { url: 'https://example.com/' } }, 'INVALID_REQUEST', 'scrape.url'],
    [{ query: 'a', scrape: { maxCredits: 1 } }, 'INVALID_REQUEST', 'scrape.maxCredits'],
    [{ query: 'a', scrape: { method: 'POST' } }, 'INVALID_REQUEST', 'scrape.method'],
    [{ query: 'a', scrape: { cookies: [] } }, 'INVALID_REQUEST', 'scrape.cookies'],
    [{ query: 'a', scrape: { profile: 'prof_1' } }, 'INVALID_REQUEST', 'scrape.profile'],
    [{ query: 'a', scrape: { recipe: 'auto' } }, 'INVALID_REQUEST', 'scrape.recipe'],
    [
      { query: 'a', scrape: { headers: { 'x-api-key': 'a' } } },
      'INVALID_REQUEST',
      'scrape.headers.x-api-key',
    ],
    [
      { query: 'a', scrape: { actions: [{ fill: '#a', value: { secret: 'shop' } }] } },
      'INVALID_REQUEST',
      'scrape.actions',
    ],
    [{ query: 'a', scrape: { selectors: { a: '..' } } }, 'INVALID_SELECTOR', 'scrape.selectors.a'],
    [{ query: 'a', scrape: { render: true }, maxCredits: 1 }, 'INVALID_REQUEST', 'maxCredits'],
  ])('refuses %j before it asks', async (body, code, path) => {
    const before = searxng.asked.length;
    const { json } = await search(body);
    expect([json.error.code, json.error.details.map((detail: ErrorDetail) => detail.path)]).toEqual([
      code,
      [path],
    ]);
    expect(searxng.asked).toHaveLength(before);
  });

  it('ends when the caller leaves', async () => {
    const leaving = new AbortController();
    const before = searxng.asked.length;
    const calling = search({ query: 'slow' }, { signal: leaving.signal }).catch(() => {});
    await eventually(() => expect(searxng.asked).toHaveLength(before + 1));
    leaving.abort();
    await calling;
    expect((await search({ query: 'a' })).status).toBe(200);
  });
});

describe('POST /v1/search with scrape', () => {
  it('scrapes the results while the caller waits, and charges the pages', async () => {
    const owner = await service.bed.createKey({ balance: 100 });
    service.worker.follow(({ body }) => (body.request.url.endsWith('/1') ? failed('NOT_FOUND') : found()));
    const { status, json } = await search({ query: 'a', limit: 3, scrape: { formats: ['text'] } }, owner);
    expect([status, json]).toMatchObject([
      200,
      {
        results: [
          { page: { success: true, data: { title: 'A page' }, metadata: { credits: 1 } } },
          { url: 'https://example.com/1/1', error: { code: 'NOT_FOUND', source: 'target' } },
          { title: 'a 2', page: { metadata: { url: 'https://example.com/1/2' } } },
        ],
        metadata: { credits: 2 },
      },
    ]);
    expect(json).not.toHaveProperty('job');
    expect(await usageOf(owner)).toMatchObject({
      used: 2,
      byOperation: { scrape: { credits: 2, requests: 2 } },
    });
    const { requestId } = json.results[0].page;
    const trace = await call(`${gateway.url}/v1/scrapes/${requestId}/trace`, { key: owner.key });
    expect(trace.status).toBe(200);
  });

  it('answers also where nothing was found', async () => {
    const { status, json } = await search({ query: 'dead', scrape: {} });
    expect([status, json.results, json.warnings.length]).toEqual([200, [], 3]);
  });

  it('spends no more than maxCredits, and less than the account has', async () => {
    const owner = await service.bed.createKey({ balance: 2 });
    const scrape = { formats: ['text'] };
    const capped = await search({ query: 'a', limit: 3, scrape, maxCredits: 1 }, owner);
    const errors = ({ results }: { results: { error?: { code: string } }[] }) =>
      results.map(({ error }) => error?.code);
    expect(errors(capped.json)).toEqual([undefined, 'INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS']);
    const poor = await search({ query: 'a', limit: 3, scrape }, owner);
    expect(errors(poor.json).toSorted()).toEqual(['INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS', undefined]);
    expect(await usageOf(owner)).toMatchObject({ used: 2, remaining: 0 });
  });

  it('gives a scrape of each page the options of a recipe', async () => {
    const options = { formats: ['links'] };
    const recipe = await call(`${gateway.url}/v1/recipes`, {
      key: service.owner.key,
      body: { name: 'Links', options },
    });
    const { id } = recipe.json.recipe;
    const { json } = await search({ query: 'a', limit: 1, scrape: { recipe: id } });
    expect(json.results[0].page.metadata.recipe).toBe(`${id}@1`);
    expect(service.worker.commands.at(-1)?.request).toMatchObject(options);
    expect((await search({ query: 'a', scrape: { recipe: 'rec_none' } })).json.error.code).toBe(
      'RECIPE_NOT_FOUND',
    );
  });

  it('stops the pages when the caller leaves, and frees the credits', async () => {
    const owner = await service.bed.createKey({ balance: 3 });
    service.worker.follow(neverReplies);
    const leaving = new AbortController();
    const calling = search({ query: 'a', limit: 3, scrape: {} }, { ...owner, signal: leaving.signal }).catch(
      () => {},
    );
    await eventually(() => expect(service.worker.commands).toHaveLength(3));
    leaving.abort();
    await calling;
    const ids = service.worker.commands.map(({ requestId }: ScrapeCommand) => requestId);
    await eventually(() => expect(service.worker.cancellations.toSorted()).toEqual(ids.toSorted()));
    await eventually(async () => expect(await usageOf(owner)).toMatchObject({ used: 0, remaining: 3 }));
  });

  it('lets an account have four in flight, and others theirs', async () => {
    const owner = await service.bed.createKey();
    service.worker.follow(neverReplies);
    const leaving = new AbortController();
    const body = { query: 'a', limit: 1, scrape: { timeout: 120_000 } };
    const calls = Array.from({ length: 4 }, () =>
      search(body, { ...owner, signal: leaving.signal }).catch(() => {}),
    );
    await eventually(() => expect(service.worker.commands).toHaveLength(4));
    const [fifth, other] = await Promise.all([
      search({ query: 'a' }, owner),
      search({ query: 'a' }, service.stranger),
    ]);
    expect([fifth.json.error.code, other.status]).toEqual(['RATE_LIMITED', 200]);
    leaving.abort();
    await Promise.all(calls);
  });

  it('needs a worker before it asks', async () => {
    const before = searxng.asked.length;
    const { json } = await search({ query: 'a', scrape: { render: true } });
    expect([json.error.code, searxng.asked.length]).toEqual(['SERVICE_UNAVAILABLE', before]);
  });
});

/** Stores a job that a request with this Idempotency-Key has created. */
async function keepJob(accountId: string, key: string, urls: readonly string[]): Promise<void> {
  const { jobs, pages } = service.bed.stores;
  const id = createId('job');
  const created = { id, accountId, keyId: null, name: 'Search: a', createdAt: new Date(), optionsJson: '{}' };
  await jobs.insertDraft({ ...created, totalUrls: urls.length, idempotency: { key, requestHash: 'a' } });
  const listed = urls.map((url, index) => ({ index, url, host: 'example.com', copies: 0 }));
  await pages.insertPages(id, listed, new Date(Date.now() + 3_600_000));
}

describe('POST /v1/search with scrape and more than ten results', () => {
  const LARGE = { query: 'a', limit: 11, scrape: { formats: ['text'] }, maxCredits: 20 };

  it('makes a job of the results', async () => {
    const { status, json, headers } = await search(LARGE);
    expect([status, json.results.length, json.job.totalUrls, json.metadata.credits]).toEqual([
      202, 11, 11, 0,
    ]);
    expect(headers.location).toBe(`/v1/jobs/${json.job.id}`);
    expect(service.orchestrator.commands.at(-1)).toMatchObject({
      type: 'create',
      search: LARGE,
      request: {
        name: 'Search: a',
        urls: json.results.map(({ url }: { url: string }) => url),
        formats: ['text'],
        maxCredits: 20,
      },
    });
    expect(service.worker.commands).toEqual([]);
  });

  it('scrapes at once where no more than ten were found', async () => {
    const { status, json } = await search({ ...LARGE, query: 'twice' });
    expect([status, json.results.length, json.results[0].page.success]).toEqual([200, 1, true]);
  });

  it('needs the scope of jobs', async () => {
    const { key } = await service.bed.createKey({ scopes: ['scrape'] });
    expect((await search(LARGE, { key })).json.error.code).toBe('FORBIDDEN');
    expect((await search({ ...LARGE, limit: 10 }, { key })).status).toBe(200);
  });

  it('returns the job of the first request with this Idempotency-Key, without another search', async () => {
    const { accountId, key } = await service.bed.createKey();
    const urls = ['https://example.com/b', 'https://example.com/a'];
    await keepJob(accountId, 'once', urls);
    const before = searxng.asked.length;
    const { status, json } = await search(LARGE, { key, headers: { 'idempotency-key': 'once' } });
    expect([status, json.results, searxng.asked.length]).toEqual([
      202,
      urls.map((url) => ({ url, title: '', snippet: '' })),
      before,
    ]);
    expect(service.orchestrator.commands.at(-1)).toMatchObject({ idempotencyKey: 'once', search: LARGE });
    const stranger = await search(LARGE, { headers: { 'idempotency-key': 'once' } });
    expect(stranger.json.results).toHaveLength(11);
  });
});

describe('the share of each page in maxCredits', () => {
  const AUTO = { options: { render: 'auto' as const } };

  it.each([
    [undefined, [undefined, undefined, undefined]],
    [1, [1, 0, 0]],
    [3, [1, 1, 1]],
    [4, [2, 1, 1]],
    [1000, [5, 5, 5]],
  ])('of %j credits is %j', (maxCredits, shares) => {
    const worst = shareCredits(1, { ...AUTO, maxCredits: 1000 })[0] ?? 0;
    const expected = maxCredits === 1000 ? shares.map(() => worst) : shares;
    expect(shareCredits(3, { ...AUTO, maxCredits })).toEqual(expected);
  });
});
