import { once } from 'node:events';
import { request } from 'node:http';
import { AppError, type Failure, ROUTES, toFailure } from '@gleaner/contracts';
import { createLogger } from '@gleaner/service-kit';
import { describeJob, pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JobEvents } from '../src/routes/jobs/job-events.ts';
import { type CallOptions, call } from './support/call.ts';
import {
  type ScriptedOrchestrator,
  type SeededPage,
  seedJob,
  startScriptedOrchestrator,
} from './support/scripted-orchestrator.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;
let stranger: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '100000' });
  orchestrator = await startScriptedOrchestrator(bed.broker);
  owner = await bed.createKey();
  stranger = await bed.createKey();
});
afterEach(() => orchestrator.reset());
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const URLS = ['https://example.com/1', 'https://example.com/2'];
const ROUTES_OF_ONE_JOB = Object.values(ROUTES).filter(({ path }) => path.startsWith('/v1/jobs/{id}'));
const GONE: Failure = toFailure(
  new AppError('NOT_FOUND', {
    targetStatusCode: 410,
    attempts: [{ engine: 'http', statusCode: 410, outcome: 'NOT_FOUND', durationMs: 12 }],
  }),
);

function ask(path: string, options: CallOptions = {}) {
  return call(gateway.url + path, { key: owner.key, ...options });
}

function create(body: unknown, headers: Record<string, string> = {}) {
  return ask('/v1/jobs', { body, headers });
}

describe('POST /v1/jobs', () => {
  it('answers 202 with the job and its Location, and passes the request on unchanged', async () => {
    const body = {
      name: 'Books',
      urls: URLS,
      selectors: { title: 'h1' },
      webhook: 'https://example.com/hook',
    };
    const { status, json, headers } = await create(body, { 'Idempotency-Key': 'order-7' });
    expect(status).toBe(202);
    expect(json.job).toMatchObject({ name: 'Books', status: 'pending', totalUrls: 2, completedUrls: 0 });
    expect(headers.location).toBe(`/v1/jobs/${json.job.id}`);
    expect(orchestrator.commands).toEqual([
      {
        type: 'create',
        jobId: json.job.id,
        accountId: owner.accountId,
        keyId: owner.keyId,
        request: body,
        idempotencyKey: 'order-7',
      },
    ]);
  });

  it('lists every bad URL among many by its index, and sends no command', async () => {
    const urls = Array.from({ length: 1000 }, (_, index) => `https://example.com/${index}`);
    urls[3] = 'ftp://example.com/';
    urls[998] = 'http://10.0.0.1/';
    const { status, json } = await create({ urls });
    expect([status, json.error.code]).toEqual([400, 'INVALID_URL']);
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual(['urls.3', 'urls.998']);
    expect(orchestrator.commands).toEqual([]);
  });

  it.each([
    ['no URLs', { urls: [] }, 'INVALID_REQUEST', 'urls'],
    ['no list of URLs', {}, 'INVALID_REQUEST', 'urls'],
    ['100,001 URLs', { urls: Array(100_001).fill(URLS[0]) }, 'INVALID_REQUEST', 'urls'],
    ['a single url', { url: URLS[0] }, 'INVALID_REQUEST', 'urls'],
    ['an unknown field', { urls: URLS, priority: 1 }, 'INVALID_REQUEST', 'priority'],
    ['a bad selector', { urls: URLS, selectors: { a: '..' } }, 'INVALID_SELECTOR', 'selectors.a'],
    ['a webhook inside', { urls: URLS, webhook: 'http://127.0.0.1/' }, 'INVALID_URL', 'webhook'],
    [
      'an unknown event',
      { urls: URLS, webhook: { url: URLS[0], events: ['x'] } },
      'INVALID_REQUEST',
      'webhook.events.0',
    ],
    ['a country without proxies', { urls: URLS, proxy: 'us' }, 'INVALID_REQUEST', 'proxy'],
  ])('refuses %s', async (_, body, code, path) => {
    const { status, json } = await create(body);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(orchestrator.commands).toEqual([]);
  });

  it('lists bad URLs beside entries of a wrong type', async () => {
    const { json } = await create({ urls: ['https://example.com/', 5, 'not a url', 'http://127.0.0.1/'] });
    expect(json.error.code).toBe('INVALID_REQUEST');
    expect(json.error.details.map((detail: { path: string }) => detail.path)).toEqual([
      'urls.1',
      'urls.2',
      'urls.3',
    ]);
  });

  it('accepts 100,000 URLs, also duplicates', async () => {
    const { json } = await create({ urls: Array(100_000).fill(URLS[0]) });
    expect(json.job.totalUrls).toBe(100_000);
  });

  it('accepts a body of 10 MiB, and rejects a larger one', async () => {
    const bodyOf = (bytes: number) => {
      const frame = JSON.stringify({ urls: URLS, name: '' });
      return frame.replace('"name":""', `"name":"x"${' '.repeat(bytes - frame.length - 1)}`);
    };
    expect((await create(bodyOf(10 * 1024 * 1024))).status).toBe(202);
    expect((await create(bodyOf(10 * 1024 * 1024 + 1))).json.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each(['', 'two words', 'x'.repeat(256), 'ü'])('rejects the Idempotency-Key %j', async (key) => {
    const encoded = Buffer.from(key).toString('latin1');
    const { status, json } = await create({ urls: URLS }, { 'Idempotency-Key': encoded });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.details[0].path).toBe('idempotency-key');
  });

  it('rejects a job whose worst case the account cannot pay for', async () => {
    const { key } = await bed.createKey({ balance: 2 });
    const ok = await ask('/v1/jobs', { key, body: { urls: URLS } });
    expect(ok.status).toBe(202);
    const tooMany = await ask('/v1/jobs', { key, body: { urls: [...URLS, 'https://example.com/3'] } });
    expect([tooMany.status, tooMany.json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
  });

  it('asks for credits once for equal URLs', async () => {
    const poor = await bed.createKey({ balance: 2 });
    const urls = ['https://example.com/1', 'https://EXAMPLE.com/1#top', 'https://example.com/2'];
    expect((await ask('/v1/jobs', { key: poor.key, body: { urls } })).status).toBe(202);
    const more = [...urls, 'https://example.com/2?'];
    expect((await ask('/v1/jobs', { key: poor.key, body: { urls: more } })).json.error.code).toBe(
      'INSUFFICIENT_CREDITS',
    );
  });

  it('answers 503 with Retry-After when no job-orchestrator or no browser is running', async () => {
    await using lonely = await startTestBed();
    const { url } = await lonely.startGateway();
    const { key } = await lonely.createKey();
    expect((await call(`${url}/v1/jobs`, { key, body: { urls: URLS } })).json.error.message).toBe(
      'No job-orchestrator is running.',
    );
    expect((await create({ urls: URLS, render: true })).json.error.code).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('GET /v1/jobs', () => {
  it("lists the caller's jobs, newest first, by state and by page", async () => {
    const { key, accountId } = await bed.createKey();
    const done = [{ data: { title: 'A' } }] as const;
    const jobs = [];
    for (let count = 0; count < 3; count++) jobs.push(await seedJob(bed.stores, accountId, done));
    const running = await seedJob(bed.stores, accountId, ['waiting']);
    const all = await ask('/v1/jobs', { key });
    expect(all.json.jobs).toEqual([running, ...jobs.toReversed()]);
    expect(all.json.pagination).toEqual({ limit: 20, offset: 0, total: 4, hasMore: false });
    const completed = await ask('/v1/jobs?status=completed&limit=2&offset=1', { key });
    expect(completed.json.jobs).toEqual([jobs[1], jobs[0]]);
    expect(completed.json.pagination).toEqual({ limit: 2, offset: 1, total: 3, hasMore: false });
    expect((await ask('/v1/jobs?status=cancelled', { key })).json.jobs).toEqual([]);
  });

  it.each(['status=done', 'limit=0', 'limit=101', 'limit=ten', 'offset=-1', 'page=2'])(
    'refuses ?%s',
    async (query) => {
      expect((await ask(`/v1/jobs?${query}`)).json.error.code).toBe('INVALID_REQUEST');
    },
  );
});

describe('GET /v1/jobs/:id', () => {
  it('shows the job and a page of its results in order, failed ones included', async () => {
    const seeded = [
      { data: { title: 'A' } },
      { failure: GONE },
      'waiting',
      { data: { title: 'D' } },
    ] as const;
    const { id } = await seedJob(bed.stores, owner.accountId, seeded);
    const { json } = await ask(`/v1/jobs/${id}`);
    expect(json.job).toMatchObject({ id, status: 'running', completedUrls: 3, failedUrls: 1 });
    expect(json.job.results).toMatchObject([
      { url: 'https://example.com/0', data: { title: 'A' }, metadata: { statusCode: 200 } },
      { url: 'https://example.com/1', data: null, error: GONE, attempts: 1 },
      { url: 'https://example.com/3', data: { title: 'D' } },
    ]);
    const page = await ask(`/v1/jobs/${id}?resultsLimit=1&resultsOffset=1`);
    expect(page.json.job.results).toMatchObject([{ url: 'https://example.com/1' }]);
    expect(page.json.job.resultsPagination).toEqual({ limit: 1, offset: 1, total: 3, hasMore: true });
  });

  it('shows the result of equal URLs for each of them', async () => {
    const seeded = [
      { data: { title: 'A' } },
      { copyOf: 0 },
      { failure: GONE },
      'waiting',
      { copyOf: 2 },
    ] as const;
    const { id } = await seedJob(bed.stores, owner.accountId, seeded, { selectors: { title: 'h1' } });
    const { json } = await ask(`/v1/jobs/${id}`);
    expect(json.job).toMatchObject({ totalUrls: 5, completedUrls: 4, failedUrls: 2, creditsUsed: 1 });
    const expected = [
      { url: 'https://example.com/0', data: { title: 'A' } },
      { url: 'https://example.com/0#1', data: { title: 'A' }, duplicateOf: 0 },
      { url: 'https://example.com/2', error: GONE },
      { url: 'https://example.com/2#4', error: GONE, duplicateOf: 2 },
    ];
    expect(json.job.results).toMatchObject(expected);
    const part = await ask(`/v1/jobs/${id}?resultsOffset=1&resultsLimit=2`);
    expect(part.json.job.results).toMatchObject(expected.slice(1, 3));
    expect(part.json.job.resultsPagination).toEqual({ limit: 2, offset: 1, total: 4, hasMore: true });
    const headers = { authorization: `Bearer ${owner.key}` };
    const csv = await fetch(`${gateway.url}/v1/jobs/${id}/results?format=csv`, { headers });
    expect((await csv.text()).split('\r\n').map((line) => line.split(',').slice(0, 2))).toEqual([
      ['url', 'error'],
      ['https://example.com/0', ''],
      ['https://example.com/0#1', ''],
      ['https://example.com/2', 'NOT_FOUND'],
      ['https://example.com/2#4', 'NOT_FOUND'],
      [''],
    ]);
  });

  it('shows the options as they were given, without cookies and credentials', async () => {
    const options = {
      selectors: { title: 'h1' },
      formats: ['text'],
      timeout: 5000,
      cookies: [{ name: 'a', value: 'secret', path: '/' }],
      headers: { 'Accept-Language': 'de', Authorization: 'Bearer secret' },
    };
    const { id } = await seedJob(bed.stores, owner.accountId, [{ data: {} }], options);
    const { json, text } = await ask(`/v1/jobs/${id}`);
    expect(json.job.options).toEqual({
      ...options,
      cookies: [{ name: 'a', value: '[redacted]', path: '/' }],
      headers: { 'Accept-Language': 'de', Authorization: '[redacted]' },
    });
    expect(text).not.toContain('secret');
    const plain = await seedJob(bed.stores, owner.accountId, [{ data: {} }]);
    expect((await ask(`/v1/jobs/${plain.id}`)).json.job.options).toEqual({});
  });

  it.each(ROUTES_OF_ONE_JOB)(
    'answers for a job of another account as for an unknown one: $method $path',
    async ({ method, path }) => {
      // As the orchestrator looks for it: among the jobs of the account that it is told.
      orchestrator.follow(async (command) => {
        if (command.type !== 'cancel') throw new AppError('INTERNAL_ERROR');
        const job = await bed.stores.jobs.requestCancel(command.accountId, command.jobId, new Date());
        if (!job) throw new AppError('JOB_NOT_FOUND');
        return describeJob(job);
      });
      const { id } = await seedJob(bed.stores, owner.accountId, [{ data: {} }]);
      const place = (jobId: string) => path.replace('{id}', jobId).replace('{index}', '0');
      const theirs = await ask(place(id), { method, key: stranger.key });
      const unknown = await ask(place('job_none'), { method });
      const malformed = await ask(place('%24where%00'), { method });
      for (const { status, json } of [theirs, unknown, malformed]) {
        expect([status, json.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
      }
      expect((await ask(`/v1/jobs/${id}`)).json.job.status).toBe('completed');
    },
  );

  it.each(['resultsLimit=1001', 'resultsLimit=-1', 'resultsOffset=x', 'limit=1'])(
    'refuses ?%s',
    async (query) => {
      expect((await ask(`/v1/jobs/job_x?${query}`)).json.error.code).toBe('INVALID_REQUEST');
    },
  );
});

describe('GET /v1/jobs/:id/urls', () => {
  const SEEDED = [
    { data: {} },
    { failure: GONE },
    'waiting',
    { copyOf: 1 },
    { copyOf: 2 },
    { copyOf: 0 },
  ] as const;
  const URL_0 = 'https://example.com/0';

  it('streams every URL in order with its state, its attempts and its error', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED);
    const { json } = await ask(`/v1/jobs/${id}/urls`);
    expect(json).toEqual([
      { index: 0, url: URL_0, state: 'completed', attempts: 1 },
      { index: 1, url: 'https://example.com/1', state: 'failed', attempts: 1, error: GONE },
      { index: 2, url: 'https://example.com/2', state: 'waiting', attempts: 0 },
      { index: 3, url: 'https://example.com/1#3', state: 'failed', attempts: 1, duplicateOf: 1, error: GONE },
      { index: 4, url: 'https://example.com/2#4', state: 'waiting', attempts: 0, duplicateOf: 2 },
      { index: 5, url: `${URL_0}#5`, state: 'completed', attempts: 1, duplicateOf: 0 },
    ]);
  });

  it.each([
    ['completed', [0, 5]],
    ['failed', [1, 3]],
    ['waiting', [2, 4]],
    ['running', []],
    ['cancelled', []],
  ])('finds the URLs that are %s', async (state, indexes) => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED);
    const { json } = await ask(`/v1/jobs/${id}/urls?state=${state}`);
    expect(json.map(({ index }: { index: number }) => index)).toEqual(indexes);
    const plain = await seedJob(bed.stores, owner.accountId, SEEDED.slice(0, 3));
    const answer = await ask(`/v1/jobs/${plain.id}/urls?state=${state}`);
    expect(answer.json).toHaveLength(indexes.length / 2);
  });

  it('follows a page through its states', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, ['waiting', 'waiting']);
    const pageId = pageIdOf(id, 0);
    const stateOf = async () => (await ask(`/v1/jobs/${id}/urls`)).json[0];
    await bed.stores.pages.claim([pageId], new Date(Date.now() + 60_000));
    expect(await stateOf()).toMatchObject({ state: 'running', attempts: 1 });
    const again = { state: 'waiting', notBefore: new Date(), because: 'failures', failure: GONE } as const;
    await bed.stores.pages.end([{ id: pageId, attempt: 1, ...again }], new Date());
    expect(await stateOf()).toMatchObject({ state: 'waiting', attempts: 1, error: GONE });
    await bed.stores.pages.cancelUnfinished(id, new Date());
    expect((await ask(`/v1/jobs/${id}/urls?state=cancelled`)).json).toHaveLength(2);
  });

  it('finds the entries of one URL, however it is written', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED);
    const find = async (url: string) =>
      (await ask(`/v1/jobs/${id}/urls?url=${encodeURIComponent(url)}`)).json.map(
        ({ index }: { index: number }) => index,
      );
    expect(await find('HTTPS://example.com:443/0#any')).toEqual([0, 5]);
    expect(await find('https://example.com/2')).toEqual([2, 4]);
    expect(await find('https://example.com/none')).toEqual([]);
    const both = await ask(`/v1/jobs/${id}/urls?state=failed&url=${encodeURIComponent(URL_0)}`);
    expect(both.json).toEqual([]);
  });

  it('tells fragments apart where a browser may get them', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, { render: true });
    const { json } = await ask(`/v1/jobs/${id}/urls?url=${encodeURIComponent(`${URL_0}#5`)}`);
    expect(json).toMatchObject([{ index: 5 }]);
  });

  it('streams one object per line when Accept asks for it', async () => {
    const seeded = Array.from({ length: 250 }, () => 'waiting' as const);
    const { id } = await seedJob(bed.stores, owner.accountId, seeded);
    const headers = { authorization: `Bearer ${owner.key}`, accept: 'application/x-ndjson' };
    const response = await fetch(`${gateway.url}/v1/jobs/${id}/urls`, { headers });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).index)).toEqual(seeded.map((_, index) => index));
    const csv = await ask(`/v1/jobs/${id}/urls`, { headers: { accept: 'text/csv' } });
    expect(csv.json).toHaveLength(250);
  });

  it.each(['state=succeeded', 'url=not%20a%20url', 'url=', 'limit=1'])('refuses ?%s', async (query) => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED);
    const { status, json } = await ask(`/v1/jobs/${id}/urls?${query}`);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('POST /v1/jobs/:id/rerun', () => {
  const OPTIONS = { selectors: { title: 'h1' }, headers: { Authorization: 'Bearer secret' }, timeout: 5000 };
  const SEEDED = [{ data: {} }, { failure: GONE }, { copyOf: 0 }, { copyOf: 1 }] as const;
  const FAILED_URLS = ['https://example.com/1', 'https://example.com/1#3'];

  function rerun(id: string, options: CallOptions = {}) {
    return ask(`/v1/jobs/${id}/rerun`, { method: 'POST', ...options });
  }

  it('creates a job of the same URLs and options, and passes the Idempotency-Key on', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const { status, json, headers } = await rerun(id, { headers: { 'Idempotency-Key': 'again' } });
    expect(status).toBe(202);
    expect(headers.location).toBe(`/v1/jobs/${json.job.id}`);
    const urls = ['https://example.com/0', FAILED_URLS[0], 'https://example.com/0#2', FAILED_URLS[1]];
    expect(orchestrator.commands).toEqual([
      {
        type: 'create',
        jobId: json.job.id,
        accountId: owner.accountId,
        keyId: owner.keyId,
        request: { name: 'Seeded', urls, ...OPTIONS },
        idempotencyKey: 'again',
        rerun: { jobId: id },
      },
    ]);
  });

  it('takes the failed URLs only when it is asked to', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    await rerun(id, { body: { only: 'failed' } });
    await rerun(id, { body: {} });
    expect(orchestrator.commands).toMatchObject([
      { request: { urls: FAILED_URLS }, rerun: { jobId: id, only: 'failed' } },
      { request: { urls: { length: 4 } }, rerun: { jobId: id } },
    ]);
  });

  it('keeps the webhook and all URLs of a large job', async () => {
    const seeded = Array.from({ length: 250 }, () => ({ failure: GONE }));
    const { id } = await seedJob(bed.stores, owner.accountId, seeded);
    const { jobs } = bed.database.models;
    await jobs.updateOne({ _id: id }, { $set: { webhookJson: '{"url":"https://example.com/hook"}' } });
    await rerun(id);
    expect(orchestrator.commands).toMatchObject([
      {
        request: {
          urls: seeded.map((_, index) => `https://example.com/${index}`),
          webhook: { url: 'https://example.com/hook' },
        },
      },
    ]);
  });

  it('is rejected while the job has not finished', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, [{ data: {} }, 'waiting']);
    const { status, json } = await rerun(id);
    expect([status, json.error.code]).toEqual([409, 'JOB_NOT_FINISHED']);
    expect(json.error).toMatchObject({
      message: 'The job is running; only a finished job can be run again.',
      suggestion: expect.stringContaining('cancel it'),
    });
    expect(orchestrator.commands).toEqual([]);
  });

  it('is rejected when only failed URLs are asked for and none failed', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, [{ data: {} }]);
    const { status, json } = await rerun(id, { body: { only: 'failed' } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error).toMatchObject({
      message: 'only must be left out: no URL of this job failed.',
      suggestion: 'Leave only out to scrape every URL of the job again.',
      details: [{ path: 'only' }],
    });
  });

  it.each([
    ['another part', { only: 'succeeded' }, 'only'],
    ['options of its own', { render: true }, 'render'],
  ])('is rejected with %s', async (_, body, path) => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED);
    const { json } = await rerun(id, { body });
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path }] });
  });

  it('needs credits for what it scrapes, once for equal URLs', async () => {
    const poor = await bed.createKey({ balance: 1 });
    const { id } = await seedJob(bed.stores, poor.accountId, SEEDED);
    expect((await rerun(id, { key: poor.key })).json.error.code).toBe('INSUFFICIENT_CREDITS');
    expect((await rerun(id, { key: poor.key, body: { only: 'failed' } })).status).toBe(202);
  });
});

describe('DELETE /v1/jobs/:id', () => {
  it('sends the command for the account of the caller, and answers with the job or the error', async () => {
    const job = await seedJob(bed.stores, owner.accountId, ['waiting']);
    orchestrator.follow(() => ({ ...job, status: 'cancelled' }));
    const { status, json } = await ask(`/v1/jobs/${job.id}`, { method: 'DELETE' });
    expect([status, json.job.status]).toEqual([200, 'cancelled']);
    expect(orchestrator.commands).toEqual([{ type: 'cancel', jobId: job.id, accountId: owner.accountId }]);
    orchestrator.follow(() => {
      throw new AppError('JOB_NOT_CANCELLABLE');
    });
    expect((await ask(`/v1/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(409);
  });
});

describe('GET /v1/jobs/:id/results', () => {
  const SEEDED = [
    { data: { title: 'Say "hi", twice', tags: ['a', 'b'], price: null } },
    { failure: GONE },
    { data: { title: '=1+1', tags: [], price: '3\n4' } },
  ];
  const OPTIONS = { selectors: { title: 'h1', tags: '.t::all', price: '.p' } };

  it('streams all as a JSON array, or as one JSON object per line', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const { json } = await ask(`/v1/jobs/${id}/results`);
    expect(json.map(({ data }: { data: unknown }) => data)).toEqual(SEEDED.map(({ data }) => data ?? null));
    const lines = await raw(`/v1/jobs/${id}/results?format=ndjson`);
    expect(lines.type).toContain('application/x-ndjson');
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(json);
    expect((await raw(`/v1/jobs/${id}/results?format=ndjson&offset=2`)).text).toBe(
      lines.text.split('\n').slice(2).join('\n'),
    );
    expect((await ask(`/v1/jobs/${id}/results?offset=3`)).json).toEqual([]);
  });

  it('streams CSV whose cells spreadsheets do not run as formulas', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const { type, text } = await raw(`/v1/jobs/${id}/results?format=csv`);
    expect(type).toContain('text/csv');
    expect(text).toBe(
      [
        'url,error,errorMessage,errorSuggestion,targetStatusCode,title,tags,price',
        'https://example.com/0,,,,,"Say ""hi"", twice","[""a"",""b""]",',
        `https://example.com/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,,`,
        `https://example.com/2,,,,,'=1+1,[],"3\n4"`,
        '',
      ].join('\r\n'),
    );
  });

  describe('as CSV', () => {
    const HEAD = 'url,error,errorMessage,errorSuggestion,targetStatusCode';
    const CARDS = {
      selector: '.card',
      all: true,
      fields: { name: 'h2', tags: '.t::all', by: { selector: '.by', fields: { name: 'b' } } },
    };
    const OPTIONS_OF_LISTS = {
      selectors: {
        heading: 'h1',
        shop: { selector: '.shop', fields: { name: 'b', aisles: { ...CARDS, fields: { items: CARDS } } } },
        cards: CARDS,
        links: 'a::attr(href)::all',
      },
    };
    const card = (name: string) => ({ name, tags: ['x'], by: { name: `by ${name}` } });
    const PAGES = [
      {
        data: {
          heading: 'H',
          shop: { name: 'S', aisles: [{ items: [card('i'), card('j')] }, { items: [] }] },
          cards: [card('a'), card('b')],
          links: ['/1', '/2'],
        },
      },
      { failure: GONE },
      { data: { heading: 'none', shop: null, cards: [], links: [] } },
    ];

    async function linesOf(query: string, options: object = OPTIONS_OF_LISTS, pages: SeededPage[] = PAGES) {
      const { id } = await seedJob(bed.stores, owner.accountId, pages, options);
      const { text } = await raw(`/v1/jobs/${id}/results?${query}`);
      expect(text.endsWith('\r\n')).toBe(true);
      return text.trimEnd().replaceAll('https://example.com/', '/').split('\r\n');
    }

    it('gives the fields of a record columns of their own, and writes lists as JSON', async () => {
      const [head, first, ...others] = await linesOf('format=csv');
      expect(head).toBe(`${HEAD},heading,shop.name,shop.aisles,cards,links`);
      expect(first).toMatch(
        /^\/0,,,,,H,S,"\[\{""items"".*\]","\[\{""name"":""a"".*\]","\[""\/1"",""\/2""\]"$/,
      );
      expect(others).toEqual([
        `/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,,,,`,
        '/2,,,,,none,,,[],[]',
      ]);
    });

    it('writes a row for each record of a list, and one for a page without records', async () => {
      const [head, ...lines] = await linesOf('format=csv&rows=cards');
      expect(head).toBe(`${HEAD},heading,shop.name,shop.aisles,cards.name,cards.tags,cards.by.name,links`);
      expect(lines.map((line) => line.replace(/"\[\{""items"".*?\]\}\]"/, 'AISLES'))).toEqual([
        '/0,,,,,H,S,AISLES,a,"[""x""]",by a,"[""/1"",""/2""]"',
        '/0,,,,,H,S,AISLES,b,"[""x""]",by b,"[""/1"",""/2""]"',
        `/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,,,,,,`,
        '/2,,,,,none,,,,,,[]',
      ]);
    });

    it('writes rows of a list in another list, and of a list of texts', async () => {
      const nested = await linesOf('format=csv&rows=shop.aisles.items');
      expect(nested[0]).toContain(',shop.name,shop.aisles.items.name,shop.aisles.items.tags,');
      expect(nested.slice(1).map((line) => line.slice(0, 14))).toEqual([
        '/0,,,,,H,S,i,"',
        '/0,,,,,H,S,j,"',
        '/0,,,,,H,S,,,,',
        expect.stringMatching(/^\/1,NOT_FOUND/),
        '/2,,,,,none,,,',
      ]);
      const texts = await linesOf('format=csv&rows=links');
      expect(texts.slice(1).map((line) => line.slice(line.lastIndexOf(',') + 1))).toEqual([
        '/1',
        '/2',
        '',
        '',
      ]);
      expect(
        await linesOf('format=csv&rows=links', {}, [{ data: { title: 'T', links: ['/a', '/b'] } }]),
      ).toEqual([`${HEAD},title,description,text,links`, '/0,,,,,T,,,/a', '/0,,,,,T,,,/b']);
    });

    it('has a column for each format', async () => {
      const options = { formats: ['text', 'links'] };
      const formats = { text: '=x', links: [{ url: '/', text: null, rel: null }] };
      expect(await linesOf('format=csv', options, [{ formats }, { failure: GONE }])).toEqual([
        `${HEAD},formats.text,formats.links`,
        `/0,,,,,'=x,"[{""url"":""/"",""text"":null,""rel"":null}]"`,
        `/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,`,
      ]);
      const withBoth = await linesOf('format=csv', { ...options, selectors: { title: 'h1' } }, [
        { data: { title: 'T' }, formats },
      ]);
      expect(withBoth[0]).toBe(`${HEAD},title,formats.text,formats.links`);
    });

    it('splits prices, also those of rows, but not lists of prices', async () => {
      const price = { selector: '.p', type: 'price', default: 0 };
      const options = {
        selectors: { low: price, all: { ...price, all: true }, cards: { ...CARDS, fields: { price } } },
      };
      const data = {
        low: { amount: -1.5, currency: 'EUR' },
        all: [{ amount: 1, currency: null }],
        cards: [{ price: { amount: 2, currency: null } }, { price: 0 }],
      };
      expect(await linesOf('format=csv&rows=cards', options, [{ data }])).toEqual([
        `${HEAD},low.amount,low.currency,all,cards.price.amount,cards.price.currency`,
        '/0,,,,,-1.5,EUR,"[{""amount"":1,""currency"":null}]",2,',
        '/0,,,,,-1.5,EUR,"[{""amount"":1,""currency"":null}]",0,',
      ]);
    });

    it('writes numbers and booleans as they are', async () => {
      const data = { low: -5.5, is: true, text: '-5.5' };
      const options = { selectors: { low: 'a', is: 'b', text: 'c' } };
      expect((await linesOf('format=csv', options, [{ data }]))[1]).toBe("/0,,,,,-5.5,true,'-5.5");
    });

    it.each([
      ['csv', 'shop', 'must be one of the lists of this job: shop.aisles, shop.aisles.items, shop.aisles.'],
      ['csv', 'nothing', 'must be one of the lists of this job: shop.aisles, '],
      ['json', 'cards', 'is for CSV: add format=csv'],
    ])('rejects rows with format=%s and rows=%s', async (format, rows, message) => {
      const { id } = await seedJob(bed.stores, owner.accountId, PAGES, OPTIONS_OF_LISTS);
      const { json } = await ask(`/v1/jobs/${id}/results?format=${format}&rows=${rows}`);
      expect(json.error.code).toBe('INVALID_REQUEST');
      expect(json.error.details).toEqual([{ path: 'rows', message: expect.stringContaining(message) }]);
    });

    it('says that a job without lists has no rows', async () => {
      const { id } = await seedJob(bed.stores, owner.accountId, PAGES, { selectors: { title: 'h1' } });
      const { json } = await ask(`/v1/jobs/${id}/results?format=csv&rows=title`);
      expect(json.error.message).toBe('rows must name a list, and no field of this job is one.');
    });
  });

  it.each([
    ['text/csv', 'text/csv', 'csv'],
    ['application/x-ndjson', 'application/x-ndjson', 'ndjson'],
    ['application/json;q=0.5, text/csv;q=0.8', 'text/csv', 'csv'],
    ['text/csv;q=0, */*', 'application/json', 'json'],
    ['text/html', 'application/json', 'json'],
  ])('chooses the format by Accept: %s', async (accept, type, extension) => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const headers = { authorization: `Bearer ${owner.key}`, accept };
    const response = await fetch(`${gateway.url}/v1/jobs/${id}/results`, { headers });
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.${extension}"`);
    const chosen = await fetch(`${gateway.url}/v1/jobs/${id}/results?format=ndjson`, { headers });
    expect(chosen.headers.get('content-type')).toContain('application/x-ndjson');
    await Promise.all([response.text(), chosen.text()]);
  });

  it('answers an empty array while no page has finished, and rejects unknown formats', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, ['waiting']);
    expect((await ask(`/v1/jobs/${id}/results`)).json).toEqual([]);
    expect((await ask(`/v1/jobs/${id}/results?format=xml`)).json.error.code).toBe('INVALID_REQUEST');
  });
});

describe('GET /v1/jobs/:id/results/:index/screenshot', () => {
  const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3_000_000, 'pixels')]);
  const SEEDED = [{ data: { title: 'A' } }, { data: { title: 'B' }, screenshot: PNG }, 'waiting'] as const;
  const OPTIONS = { screenshot: true, selectors: { title: 'h1' } };

  it('sends the image, and 304 when the client has it', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const { json } = await ask(`/v1/jobs/${id}`);
    const [, { screenshotUrl }] = json.job.results;
    const authorization = `Bearer ${owner.key}`;
    const first = await fetch(gateway.url + screenshotUrl, { headers: { authorization } });
    expect(Buffer.from(await first.arrayBuffer()).equals(PNG)).toBe(true);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"\w+"$/),
    });
    const known = { authorization, 'if-none-match': `"other", W/${first.headers.get('etag')}` };
    const again = await fetch(gateway.url + screenshotUrl, { headers: known });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(gateway.url + screenshotUrl, { method: 'HEAD', headers: { authorization } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
  });

  it('sends the image of equal URLs at each of their indexes', async () => {
    const seeded = [{ data: {}, screenshot: PNG }, { copyOf: 0 }] as const;
    const { id } = await seedJob(bed.stores, owner.accountId, seeded, OPTIONS);
    const headers = { authorization: `Bearer ${owner.key}` };
    const image = await fetch(`${gateway.url}/v1/jobs/${id}/results/1/screenshot`, { headers });
    expect(Buffer.from(await image.arrayBuffer()).equals(PNG)).toBe(true);
  });

  it('has a column in CSV when screenshots were requested', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const { text } = await raw(`/v1/jobs/${id}/results?format=csv`);
    expect(text.split('\r\n')).toEqual([
      'url,error,errorMessage,errorSuggestion,targetStatusCode,screenshotUrl,title',
      'https://example.com/0,,,,,,A',
      `https://example.com/1,,,,,/v1/jobs/${id}/results/1/screenshot,B`,
      '',
    ]);
  });

  it.each(['0', '2', '3', '01', '-1', '1.0', '99999', '100000', 'x', '%00'])(
    'is not found at the index %s',
    async (index) => {
      const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
      const { status, json } = await ask(`/v1/jobs/${id}/results/${index}/screenshot`);
      expect([status, json.error.code]).toEqual([404, 'SCREENSHOT_NOT_FOUND']);
    },
  );

  it('is not visible to other accounts, and needs a key with the scope', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, SEEDED, OPTIONS);
    const path = `/v1/jobs/${id}/results/1/screenshot`;
    const { key: scopeless } = await bed.createKey({ accountId: owner.accountId, scopes: ['scrape'] });
    const codes = await Promise.all([
      ask(path, { key: stranger.key }),
      ask('/v1/jobs/job_none/results/1/screenshot'),
      ask(path, { key: scopeless }),
      call(gateway.url + path),
    ]);
    expect(codes.map(({ json }) => json.error.code)).toEqual([
      'JOB_NOT_FOUND',
      'JOB_NOT_FOUND',
      'FORBIDDEN',
      'UNAUTHORIZED',
    ]);
  });
});

describe('GET /v1/jobs/:id/events', () => {
  const COMPLETED = { id: 'evt_1', type: 'job.completed', at: new Date() } as const;

  async function follow(jobId: string, headers: Readonly<Record<string, string>> = {}, key = owner.key) {
    const outgoing = request(`${gateway.url}/v1/jobs/${jobId}/events`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    outgoing.on('error', () => {}).end();
    const [response] = await once(outgoing, 'response');
    const stream = { response, text: '', close: () => outgoing.destroy() };
    response
      .on('error', () => {})
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        stream.text += chunk;
      });
    return stream;
  }

  it('reports progress, and closes when the job has finished', async () => {
    const job = await seedJob(bed.stores, owner.accountId, ['waiting', 'waiting']);
    const stream = await follow(job.id);
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const { jobs } = bed.stores;
    await eventually(() => expect(stream.text).toContain('"completedUrls":0'));
    await jobs.countEnded(job.id, { completedUrls: 1, failedUrls: 0, creditsUsed: 1 });
    await eventually(() => expect(stream.text).toContain('"completedUrls":1'));
    const change = {
      from: ['running'],
      to: 'completed',
      set: { completedUrls: 2 },
      event: COMPLETED,
    } as const;
    await jobs.transition(job.id, change);
    await once(stream.response, 'end');
    expect(stream.text.match(/^event: \w+$/gm)).toEqual(['event: progress', 'event: progress', 'event: end']);
    expect(stream.text.match(/^id: .+$/gm)).toEqual([
      'id: running-0-0-0',
      'id: running-1-0-1',
      'id: completed-2-0-1',
    ]);
  });

  it('does not repeat the state that Last-Event-ID names, and sends the next one', async () => {
    const job = await seedJob(bed.stores, owner.accountId, ['waiting', 'waiting']);
    const stream = await follow(job.id, { 'Last-Event-ID': 'running-0-0-0' });
    await bed.stores.jobs.countEnded(job.id, { completedUrls: 1, failedUrls: 0, creditsUsed: 1 });
    await eventually(() => expect(stream.text).toContain('id: running-1-0-1'));
    expect(stream.text).not.toContain('id: running-0-0-0');
    stream.close();
  });

  it('answers 204 when Last-Event-ID names the end, so that clients stop reconnecting', async () => {
    const job = await seedJob(bed.stores, owner.accountId, [{ data: {} }]);
    const last = await follow(job.id, { 'Last-Event-ID': 'running-0-0-0' });
    await once(last.response, 'end');
    const [, id = ''] = /^id: (.+)$/m.exec(last.text) ?? [];
    expect((await follow(job.id, { 'Last-Event-ID': id })).response.statusCode).toBe(204);
  });

  it('limits the open streams of a key, and counts a stream until it is closed', async () => {
    const { key, accountId } = await bed.createKey();
    const small = await bed.startGateway({ MAX_EVENT_STREAMS: '2' });
    const job = await seedJob(bed.stores, accountId, ['waiting']);
    const path = `${small.url}/v1/jobs/${job.id}/events`;
    const open = () => fetch(path, { headers: { authorization: `Bearer ${key}` } });
    const streams = [await open(), await open()];
    const { status, headers, json } = await call(path, { key });
    expect([status, json.error.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
    expect(json.error.message).toBe('The API key has 2 event streams open already.');
    expect((await fetch(path, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } })).status).toBe(
      200,
    );
    await streams[0]?.body?.cancel();
    await eventually(async () => {
      const again = await open();
      expect(again.status).toBe(200);
      streams.push(again);
    });
    for (const stream of streams.slice(1)) await stream.body?.cancel();
  });

  it('reads a job once per interval, however many streams follow it', async () => {
    const job = await seedJob(bed.stores, owner.accountId, ['waiting']);
    let reads = 0;
    const findProgress = (ids: readonly string[]) => {
      reads += 1;
      return bed.stores.jobs.findProgress(ids);
    };
    const logger = createLogger({ service: 'gateway', level: 'fatal', format: 'json' });
    const events = new JobEvents({ jobs: { findProgress }, logger, maxStreamsPerKey: 100, intervalMs: 50 });
    const stored = await bed.stores.jobs.findJob(owner.accountId, job.id);
    if (!stored) throw new Error('The job was not stored.');
    const closing = new AbortController();
    const streams = Array.from({ length: 20 }, () =>
      events.open({ job: stored, keyId: 'key_1', lastEventId: undefined, signal: closing.signal }),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const next = Promise.all(streams.map((stream) => stream.next()));
    await eventually(() => expect(reads).toBeGreaterThanOrEqual(3));
    const before = reads;
    await bed.stores.jobs.countEnded(job.id, { completedUrls: 1, failedUrls: 0, creditsUsed: 1 });
    const texts = await next;
    expect(texts.every(({ value }) => value?.includes('id: running-1-0-1'))).toBe(true);
    expect(reads - before).toBeLessThanOrEqual(3);
    closing.abort();
  });
});

async function raw(path: string): Promise<{ type: string; text: string }> {
  const response = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${owner.key}` } });
  return { type: response.headers.get('content-type') ?? '', text: await response.text() };
}
