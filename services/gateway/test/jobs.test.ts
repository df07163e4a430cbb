import { AppError, createId, LIMITS, ROUTES } from '@gleaner/contracts';
import { describeJob } from '@gleaner/storage';
import { untilReady } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { seedJob, startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { startTestBed } from './support/test-bed.ts';
import { GONE, useGateway } from './support/use-gateway.ts';

const service = useGateway();
const { ask, create } = service;
const URLS = ['https://example.com/1', 'https://example.com/2'];
const ROUTES_OF_ONE_JOB = Object.values(ROUTES).filter(({ path }) => path.startsWith('/v1/jobs/{id}'));

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
    expect(service.orchestrator.commands).toEqual([
      {
        type: 'create',
        jobId: json.job.id,
        accountId: service.owner.accountId,
        keyId: service.owner.keyId,
        request: body,
        idempotencyKey: 'order-7',
      },
    ]);
  });

  it('sends large jobs to a queue of their own, so that no other command waits for them', async () => {
    await using bed = await startTestBed();
    const gateway = await bed.startGateway();
    const orchestrator = await startScriptedOrchestrator(bed.broker);
    const { key } = await bed.createKey();
    const creating = (count: number) => {
      const urls = Array.from({ length: count }, (_, index) => `https://example.com/${index}`);
      return call(`${gateway.url}/v1/jobs`, { key, body: { urls } });
    };
    const { job } = (await creating(1)).json;
    const held = Promise.withResolvers<void>();
    bed.broker.respond('jobs.large-commands', () => held.promise.then(() => ({ job })), { concurrency: 1 });
    await untilReady(bed.broker);
    const large = [creating(1001), creating(1001)];
    expect((await creating(1000)).status).toBe(202);
    expect(orchestrator.commands).toHaveLength(2);
    held.resolve();
    for (const { status, json } of await Promise.all(large)) expect([status, json.job]).toEqual([202, job]);
  });

  it('lists every bad URL among many by its index, and sends no command', async () => {
    const urls = Array.from({ length: 1000 }, (_, index) => `https://example.com/${index}`);
    urls[3] = 'ftp://example.com/';
    urls[998] = 'http://10.0.0.1/';
    const { status, json } = await create({ urls });
    expect([status, json.error.code]).toEqual([400, 'INVALID_URL']);
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual(['urls.3', 'urls.998']);
    expect(service.orchestrator.commands).toEqual([]);
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
    expect(service.orchestrator.commands).toEqual([]);
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
    const { key } = await service.bed.createKey({ balance: 2 });
    const ok = await ask('/v1/jobs', { key, body: { urls: URLS } });
    expect(ok.status).toBe(202);
    const tooMany = await ask('/v1/jobs', { key, body: { urls: [...URLS, 'https://example.com/3'] } });
    expect([tooMany.status, tooMany.json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
  });

  it('does not ask for credits again when a create is repeated', async () => {
    const { key, accountId } = await service.bed.createKey({ balance: 0 });
    const draft = { accountId, keyId: null, name: 'First', createdAt: new Date() };
    const idempotency = { key: 'order-1', requestHash: 'x' };
    const fields = { id: createId('job'), totalUrls: 1, optionsJson: '{}', idempotency };
    await service.bed.stores.jobs.insertDraft({ ...draft, ...fields });
    const createWith = (idempotencyKey: string) =>
      ask('/v1/jobs', { key, body: { urls: URLS }, headers: { 'Idempotency-Key': idempotencyKey } });
    expect((await createWith('order-1')).status).toBe(202);
    expect((await createWith('order-2')).status).toBe(402);
  });

  it('asks for credits once the Idempotency-Key is older than a day', async () => {
    const { key, accountId } = await service.bed.createKey({ balance: 0 });
    const idempotency = { key: 'yesterday', requestHash: 'x' };
    const createdAt = new Date(Date.now() - LIMITS.idempotencyMs - 60_000);
    const draft = { accountId, keyId: null, name: 'First', createdAt, totalUrls: 1, optionsJson: '{}' };
    await service.bed.stores.jobs.insertDraft({ id: createId('job'), ...draft, idempotency });
    const headers = { 'Idempotency-Key': 'yesterday' };
    const { json } = await ask('/v1/jobs', { key, body: { urls: URLS }, headers });
    expect(json.error.code).toBe('INSUFFICIENT_CREDITS');
  });

  it('asks for credits once for equal URLs', async () => {
    const poor = await service.bed.createKey({ balance: 2 });
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
    const { key, accountId } = await service.bed.createKey();
    const done = [{ data: { title: 'A' } }] as const;
    const jobs = [];
    for (let count = 0; count < 3; count++) jobs.push(await seedJob(service.bed.stores, accountId, done));
    const running = await seedJob(service.bed.stores, accountId, ['waiting']);
    const all = await ask('/v1/jobs', { key });
    expect(all.json.jobs).toEqual([running, ...jobs.toReversed()]);
    expect(all.json.pagination).toEqual({ limit: 20, offset: 0, total: 4, hasMore: false });
    const completed = await ask('/v1/jobs?status=completed&limit=2&offset=1', { key });
    expect(completed.json.jobs).toEqual([jobs[1], jobs[0]]);
    expect(completed.json.pagination).toEqual({ limit: 2, offset: 1, total: 3, hasMore: false });
    expect((await ask('/v1/jobs?status=cancelled', { key })).json.jobs).toEqual([]);
  });

  it('lists the runs of one schedule', async () => {
    const { key, accountId } = await service.bed.createKey();
    const run = await seedJob(service.bed.stores, accountId, [{ data: {} }]);
    await seedJob(service.bed.stores, accountId, [{ data: {} }]);
    await service.bed.database.models.jobs.updateOne({ _id: run.id }, { $set: { scheduleId: 'sch_one' } });
    const { json } = await ask('/v1/jobs?scheduleId=sch_one', { key });
    expect(json.jobs.map(({ id }: { id: string }) => id)).toEqual([run.id]);
    expect((await ask('/v1/jobs?scheduleId=sch_none', { key })).json.pagination.total).toBe(0);
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
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, seeded);
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
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, seeded, {
      selectors: { title: 'h1' },
    });
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
    const headers = { authorization: `Bearer ${service.owner.key}` };
    const query = 'format=csv&pages=all&columns=url,error';
    const csv = await fetch(`${service.gateway.url}/v1/jobs/${id}/results?${query}`, { headers });
    expect((await csv.text()).split('\r\n').map((line) => line.split(',').slice(0, 2))).toEqual([
      ['url', 'error'],
      ['https://example.com/0', ''],
      ['https://example.com/0#1', ''],
      ['https://example.com/2', 'NOT_FOUND'],
      ['https://example.com/2#4', 'NOT_FOUND'],
      [''],
    ]);
  });

  it('counts the results by the kind of their pages, and so does the list of jobs', async () => {
    const { stores } = service.bed;
    const [content, login] = [
      { data: {}, verdict: 'content' as const },
      { data: {}, verdict: 'login' as const },
    ];
    const own = await service.bed.createKey();
    const seeded = [login, { failure: GONE }, content, { copyOf: 0 }, { data: {} }];
    const { id } = await seedJob(stores, own.accountId, seeded);
    const older = await seedJob(stores, own.accountId, [{ data: {} }]);
    const { json } = await ask(`/v1/jobs/${id}`, { key: own.key });
    expect(json.job.verdicts).toEqual({ content: 1, login: 2 });
    const list = await ask('/v1/jobs', { key: own.key });
    expect(list.json.jobs).toMatchObject([{ id: older.id }, { id, verdicts: { content: 1, login: 2 } }]);
  });

  it('shows the options as they were given, without cookies and credentials', async () => {
    const options = {
      selectors: { title: 'h1' },
      formats: ['text'],
      timeout: 5000,
      cookies: [{ name: 'a', value: 'secret', path: '/' }],
      headers: { 'Accept-Language': 'de', Authorization: 'Bearer secret' },
    };
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }], options);
    const { json, text } = await ask(`/v1/jobs/${id}`);
    expect(json.job.options).toEqual({
      ...options,
      cookies: [{ name: 'a', value: '[redacted]', path: '/' }],
      headers: { 'Accept-Language': 'de', Authorization: '[redacted]' },
    });
    expect(text).not.toContain('secret');
    const plain = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }]);
    expect((await ask(`/v1/jobs/${plain.id}`)).json.job.options).toEqual({});
  });

  it.each(ROUTES_OF_ONE_JOB)(
    'answers for a job of another account as for an unknown one: $method $path',
    async ({ method, path }) => {
      // As the orchestrator looks for it: among the jobs of the account that it is told.
      service.orchestrator.follow(async (command) => {
        if (command.type !== 'cancel') throw new AppError('INTERNAL_ERROR');
        const job = await service.bed.stores.jobs.cancel(command.accountId, command.jobId, new Date());
        if (!job) throw new AppError('JOB_NOT_FOUND');
        return describeJob(job);
      });
      const { id } = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }]);
      const place = (jobId: string) => path.replace('{id}', jobId).replace('{index}', '0');
      const theirs = await ask(place(id), { method, key: service.stranger.key });
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

describe('DELETE /v1/jobs/:id', () => {
  it('sends the command for the account of the caller, and answers with the job or the error', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, ['waiting']);
    service.orchestrator.follow(() => ({ ...job, status: 'cancelled' }));
    const { status, json } = await ask(`/v1/jobs/${job.id}`, { method: 'DELETE' });
    expect([status, json.job.status]).toEqual([200, 'cancelled']);
    expect(service.orchestrator.commands).toEqual([
      { type: 'cancel', jobId: job.id, accountId: service.owner.accountId },
    ]);
    service.orchestrator.follow(() => {
      throw new AppError('JOB_NOT_CANCELLABLE');
    });
    expect((await ask(`/v1/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(409);
  });
});
