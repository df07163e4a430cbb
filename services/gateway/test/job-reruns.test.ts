import { describe, expect, it } from '@jest/globals';
import type { CallOptions } from './support/call.ts';
import { keepPageOf, seedJob } from './support/scripted-orchestrator.ts';
import { GONE, useGateway } from './support/use-gateway.ts';

const service = useGateway();
const { ask } = service;

describe('POST /v1/jobs/:id/rerun', () => {
  const OPTIONS = { selectors: { title: 'h1' }, headers: { Authorization: 'Bearer secret' }, timeout: 5000 };
  const SEEDED = [{ data: {} }, { failure: GONE }, { copyOf: 0 }, { copyOf: 1 }] as const;
  const FAILED_URLS = ['https://example.com/1', 'https://example.com/1#3'];

  function rerun(id: string, options: CallOptions = {}) {
    return ask(`/v1/jobs/${id}/rerun`, { method: 'POST', ...options });
  }

  it('creates a job of the same URLs and options, and passes the Idempotency-Key on', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const { status, json, headers } = await rerun(id, { headers: { 'Idempotency-Key': 'again' } });
    expect(status).toBe(202);
    expect(headers.location).toBe(`/v1/jobs/${json.job.id}`);
    const urls = ['https://example.com/0', FAILED_URLS[0], 'https://example.com/0#2', FAILED_URLS[1]];
    expect(service.orchestrator.commands).toEqual([
      {
        type: 'create',
        jobId: json.job.id,
        accountId: service.owner.accountId,
        keyId: service.owner.keyId,
        request: { name: 'Seeded', urls, ...OPTIONS },
        idempotencyKey: 'again',
        rerun: { jobId: id },
      },
    ]);
  });

  it('takes the failed URLs only when it is asked to', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    await rerun(id, { body: { only: 'failed' } });
    await rerun(id, { body: {} });
    expect(service.orchestrator.commands).toMatchObject([
      { request: { urls: FAILED_URLS }, rerun: { jobId: id, only: 'failed' } },
      { request: { urls: { length: 4 } }, rerun: { jobId: id } },
    ]);
  });

  it('keeps the webhook and all URLs of a large job', async () => {
    const seeded = Array.from({ length: 250 }, () => ({ failure: GONE }));
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, seeded);
    const { jobs } = service.bed.database.models;
    await jobs.updateOne({ _id: id }, { $set: { webhookJson: '{"url":"https://example.com/hook"}' } });
    await rerun(id);
    expect(service.orchestrator.commands).toMatchObject([
      {
        request: {
          urls: seeded.map((_, index) => `https://example.com/${index}`),
          webhook: { url: 'https://example.com/hook' },
        },
      },
    ]);
  });

  it.each(['runs', 'is being cancelled'])('is rejected while the job %s', async (what) => {
    const { stores } = service.bed;
    const { accountId } = service.owner;
    const { id } = await seedJob(stores, accountId, [{ data: {} }, 'waiting']);
    if (what !== 'runs') await stores.jobs.cancel(accountId, id, stores.clock.now());
    const { status, json } = await rerun(id);
    expect([status, json.error.code]).toEqual([409, 'JOB_NOT_FINISHED']);
    expect(json.error).toMatchObject({
      message: 'The job has not finished, and only a finished job can be run again.',
      suggestion: expect.stringContaining('cancel it'),
    });
    expect(service.orchestrator.commands).toEqual([]);
  });

  it('is rejected when only failed URLs are asked for and none failed', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }]);
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
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED);
    const { json } = await rerun(id, { body });
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path }] });
  });

  it('needs credits for what it scrapes, once for equal URLs', async () => {
    const poor = await service.bed.createKey({ balance: 1 });
    const { id } = await seedJob(service.bed.stores, poor.accountId, SEEDED);
    expect((await rerun(id, { key: poor.key })).json.error.code).toBe('INSUFFICIENT_CREDITS');
    expect((await rerun(id, { key: poor.key, body: { only: 'failed' } })).status).toBe(202);
  });
});

describe('POST /v1/jobs/:id/extract', () => {
  const OPTIONS = { selectors: { title: 'h1' }, render: true, snapshot: true };

  function extract(id: string, body: object = { selectors: { price: '.price' } }) {
    return ask(`/v1/jobs/${id}/extract`, { method: 'POST', body });
  }

  it('creates a job of the pages that succeeded, with other selectors and the same way of fetching', async () => {
    const { id } = await seedJob(
      service.bed.stores,
      service.owner.accountId,
      [{ data: {} }, { failure: GONE }],
      OPTIONS,
    );
    await keepPageOf(service.bed.stores, { jobId: id, accountId: service.owner.accountId });
    const { status, json, headers } = await extract(id);
    expect([status, headers.location]).toEqual([202, `/v1/jobs/${json.job.id}`]);
    expect(service.orchestrator.commands).toMatchObject([
      {
        request: {
          name: 'Seeded',
          urls: [],
          selectors: { price: '.price' },
          render: true,
        },
        extractOf: id,
        pagesOf: { jobId: id, only: 'succeeded' },
      },
    ]);
    expect(service.orchestrator.commands).not.toMatchObject([{ request: { snapshot: true } }]);
  });

  it('needs nothing that the pages were fetched with and that may be gone by now', async () => {
    const actions = [{ fill: '#p', value: { secret: 'gone' } }];
    const fetched = { ...OPTIONS, actions, profile: 'prof_gone', proxy: 'us', capture: { a: { url: '/a' } } };
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }], fetched);
    await keepPageOf(service.bed.stores, { jobId: id, accountId: service.owner.accountId });
    expect((await extract(id)).status).toBe(202);
    const { commands } = service.orchestrator;
    expect(commands).toMatchObject([{ request: { selectors: { price: '.price' } } }]);
    for (const name of ['actions', 'profile', 'proxy', 'capture'])
      expect(commands).not.toHaveProperty(['0', 'request', name]);
  });

  it('is run again without its URLs, which may be too many for a message', async () => {
    const { stores, database } = service.bed;
    const { id } = await seedJob(stores, service.owner.accountId, [{ data: {} }, { failure: GONE }], OPTIONS);
    await database.models.jobs.updateOne({ _id: id }, { $set: { extractOf: 'job_kept' } });
    for (const body of [{}, { only: 'failed' }])
      expect((await ask(`/v1/jobs/${id}/rerun`, { method: 'POST', body })).status).toBe(202);
    expect(service.orchestrator.commands).toMatchObject([
      { request: { urls: [] }, extractOf: 'job_kept', pagesOf: { jobId: id, only: 'all' } },
      { request: { urls: [] }, extractOf: 'job_kept', pagesOf: { jobId: id, only: 'failed' } },
    ]);
  });

  it('is rejected where no page is kept, and while the job runs', async () => {
    const seeded = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }]);
    const { status, json } = await extract(seeded.id);
    expect([status, json.error.code]).toEqual([404, 'SNAPSHOT_NOT_FOUND']);
    expect(json.error.message).toContain('without "snapshot": true');
    const running = await seedJob(service.bed.stores, service.owner.accountId, ['waiting'], OPTIONS);
    expect((await extract(running.id)).json.error.code).toBe('JOB_NOT_FINISHED');
    const { jobs, clock } = service.bed.stores;
    await jobs.cancel(service.owner.accountId, running.id, clock.now());
    expect((await extract(running.id)).json.error.code).toBe('JOB_NOT_FINISHED');
  });

  it('checks the selectors', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }], OPTIONS);
    await keepPageOf(service.bed.stores, { jobId: id, accountId: service.owner.accountId });
    const { json } = await extract(id, { selectors: { a: '..' } });
    expect(json.error).toMatchObject({ code: 'INVALID_SELECTOR', details: [{ path: 'selectors.a' }] });
    expect((await extract(id, { render: true })).json.error.code).toBe('INVALID_REQUEST');
  });
});
