import { AppError, toFailure } from '@gleaner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import { seedJob } from './support/scripted-orchestrator.ts';
import { type ScriptedScheduler, startScriptedScheduler } from './support/scripted-scheduler.ts';
import { seedCrawl } from './support/seed-crawl.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let scheduler: ScriptedScheduler;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '10000' });
  scheduler = await startScriptedScheduler(bed.broker, bed.stores);
});
beforeEach(async () => {
  owner = await bed.createKey();
  scheduler.commands.length = 0;
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const SCHEDULE = { url: 'https://example.com/', cron: '0 9 * * 1-5' };

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(gateway.url + path, { key: owner.key, ...options });
}

async function create(body: object = {}): Promise<string> {
  const { json } = await ask('/v1/schedules', { body: { ...SCHEDULE, ...body } });
  return json.schedule.id;
}

function patch(id: string, body: unknown): Promise<TestAnswer> {
  return ask(`/v1/schedules/${id}`, { method: 'PATCH', body });
}

describe('the runs of a schedule', () => {
  it('are shown by their last one, with its current state', async () => {
    const id = await create();
    const { id: jobId } = await seedJob(bed.stores, owner.accountId, [{ data: { a: '1' } }]);
    const noted = { lastJobId: jobId, lastStatus: 'pending', lastRunAt: new Date() };
    await bed.database.models.schedules.updateOne({ _id: id }, noted);
    await bed.database.models.jobs.updateOne({ _id: jobId }, { status: 'running' });
    const shown = [
      (await ask(`/v1/schedules/${id}`)).json.schedule,
      (await ask('/v1/schedules')).json.schedules[0],
      (await patch(id, { name: 'New' })).json.schedule,
      (await ask(`/v1/schedules/${id}/pause`, { method: 'POST' })).json.schedule,
    ];
    expect(shown.map(({ lastStatus }) => lastStatus)).toEqual(['running', 'running', 'running', 'running']);
    await bed.database.models.jobs.deleteOne({ _id: jobId });
    expect((await ask(`/v1/schedules/${id}`)).json.schedule.lastStatus).toBe('pending');
  });

  it('start now when asked to, and answer with the job and its Location', async () => {
    const id = await create();
    const { status, headers, json } = await ask(`/v1/schedules/${id}/run`, { method: 'POST' });
    expect(status).toBe(202);
    expect(headers.location).toBe(`/v1/jobs/${json.job.id}`);
    expect(json.job).toMatchObject({ status: 'pending', scheduleId: id });
  });

  it('are the jobs that it has started, newest first, and no others', async () => {
    const id = await create();
    const other = await create();
    for (const [index, scheduleId] of [id, other, id, id].entries()) {
      const jobId = `job_run${index}${id.slice(4)}`;
      const draft = {
        accountId: owner.accountId,
        keyId: null,
        name: `Run ${index}`,
        totalUrls: 1,
        optionsJson: '{}',
      };
      await bed.stores.jobs.insertDraft({ id: jobId, ...draft, scheduleId, createdAt: new Date() });
      await bed.stores.jobs.publishDrafts([jobId]);
    }
    const { json } = await ask(`/v1/schedules/${id}/runs?limit=2`);
    expect(json.runs.map(({ name }: { name: string }) => name)).toEqual(['Run 3', 'Run 2']);
    expect(json.pagination).toEqual({ limit: 2, offset: 0, total: 3, hasMore: true });
  });

  it('say whether they found changed data, also across pages', async () => {
    const id = await create();
    const failure = toFailure(new AppError('NOT_FOUND'));
    const brought = [
      { data: { a: '1' } },
      { data: { a: '1' } },
      { data: { a: '2', list: [{ x: '1', y: '2' }] } },
      { failure },
      { data: { list: [{ y: '2', x: '1' }], a: '2' } },
    ];
    for (const page of brought) {
      const job = await seedJob(bed.stores, owner.accountId, [page]);
      const status = 'failure' in page ? 'failed' : 'completed';
      await bed.database.models.jobs.updateOne({ _id: job.id }, { scheduleId: id, status });
    }
    const changedOf = async (query: string) => {
      const { json } = await ask(`/v1/schedules/${id}/runs${query}`);
      return json.runs.map(({ changed }: { changed: boolean | null }) => changed);
    };
    expect(await changedOf('')).toEqual([false, null, true, false, null]);
    expect(await changedOf('?limit=1&offset=2')).toEqual([true]);
  });

  it('show the values that they found differently, with where they are', async () => {
    const id = await create({ url: undefined, urls: ['https://example.com/0', 'https://example.com/1'] });
    const runs = [
      [{ data: { a: '1', books: [{ title: 'Emma', price: 9 }] } }, { data: { b: '1' } }],
      [{ data: { a: '1', books: [{ title: 'Emma', price: 8 }] } }, { data: { b: '1', c: '2' } }],
      [{ data: { a: '1', books: [{ title: 'Emma', price: 8 }] } }, { data: { b: '1', c: '2' } }],
    ];
    const ids: string[] = [];
    for (const pages of runs) {
      const job = await seedJob(bed.stores, owner.accountId, pages);
      await bed.database.models.jobs.updateOne({ _id: job.id }, { scheduleId: id });
      ids.unshift(job.id);
    }
    const { json } = await ask(`/v1/schedules/${id}/changes`);
    expect(json.changes.map(({ jobId }: { jobId: string }) => jobId)).toEqual(ids);
    expect(json.changes).toMatchObject([
      { pages: [] },
      {
        pages: [
          {
            url: 'https://example.com/0',
            changes: [{ path: 'books[Emma].price', kind: 'changed', before: 9, after: 8 }],
          },
          { url: 'https://example.com/1', changes: [{ path: 'c', kind: 'added', after: '2' }] },
        ],
      },
      { pages: [] },
    ]);
    const second = await ask(`/v1/schedules/${id}/changes?limit=1&offset=1`);
    expect(second.json).toEqual({
      ...{ success: true, changes: [json.changes[1]] },
      pagination: { limit: 1, offset: 1, total: 3, hasMore: true },
    });
    expect((await ask(`/v1/schedules/${id}/changes?limit=21`)).json.error.code).toBe('INVALID_REQUEST');
  });

  it('are not compared where they are crawls, whose first page says little', async () => {
    const id = await create({ crawl: {} });
    for (const title of ['one', 'two']) {
      const job = await seedCrawl(bed.stores, owner.accountId, {
        crawl: {},
        pages: [{ url: SCHEDULE.url, data: { title }, end: { state: 'succeeded', price: { base: 1 } } }],
      });
      await bed.database.models.jobs.updateOne({ _id: job.id }, { scheduleId: id });
    }
    const { json } = await ask(`/v1/schedules/${id}/runs`);
    expect(json.runs).toMatchObject([
      { status: 'completed', crawl: { fetched: 1 }, changed: null },
      { status: 'completed', changed: null },
    ]);
  });

  it('compare each of several pages with the last run in which it succeeded', async () => {
    const id = await create({ url: undefined, urls: ['https://example.com/0', 'https://example.com/1'] });
    const failure = toFailure(new AppError('TIMEOUT'));
    const runs = [
      [{ data: { a: '1' } }, { data: { b: '1' } }],
      [{ data: { a: '1' } }, { failure }],
      [{ data: { a: '1' } }, { data: { b: '1' } }],
      [{ data: { a: '1' } }, { failure }],
      [{ data: { a: '1' } }, { data: { b: '2' } }],
      [{ data: { a: '2' } }, { copyOf: 0 }],
    ];
    for (const pages of runs) {
      const job = await seedJob(bed.stores, owner.accountId, pages);
      await bed.database.models.jobs.updateOne({ _id: job.id }, { scheduleId: id });
    }
    const changedOf = async (query: string) => {
      const { json } = await ask(`/v1/schedules/${id}/runs${query}`);
      return json.runs.map(({ changed }: { changed: boolean | null }) => changed);
    };
    expect(await changedOf('')).toEqual([true, true, false, false, false, null]);
    expect(await changedOf('?limit=2&offset=1')).toEqual([true, false]);
  });

  it('are compared by their formats where they have no data', async () => {
    const id = await create();
    for (const text of ['one', 'one', 'two']) {
      const job = await seedJob(bed.stores, owner.accountId, [{ formats: { text } }]);
      await bed.database.models.jobs.updateOne({ _id: job.id }, { scheduleId: id });
    }
    const { json } = await ask(`/v1/schedules/${id}/runs`);
    expect(json.runs.map(({ changed }: { changed: boolean | null }) => changed)).toEqual([true, false, null]);
  });
});
