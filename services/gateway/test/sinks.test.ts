import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askDuckDb } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import {
  type ScriptedOrchestrator,
  seedJob,
  startScriptedOrchestrator,
} from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;
let stranger: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  [owner, stranger] = [await bed.createKey(), await bed.createKey()];
  gateway = await bed.startGateway({
    RATE_LIMIT_CREATE: '10000',
    SINKS: 'lake=s3://lake-data?endpoint=http://127.0.0.1:9,vault=s3://vault-data/a',
    SINK_ACCOUNTS: `vault=${owner.accountId}`,
  });
  orchestrator = await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const SELECTORS = { title: 'h1', cards: { selector: 'li', all: true, fields: { name: 'b' } } };

function createJob(sink: unknown, { key } = owner, path = '/v1/jobs') {
  const body = { urls: ['https://example.com/'], selectors: SELECTORS, sink };
  const timed = path === '/v1/schedules' ? { ...body, cron: '0 9 * * *' } : body;
  return call(gateway.url + path, { key, body: timed });
}

describe('the sink of a job', () => {
  it('goes with the job, and the job shows it', async () => {
    const sink = { name: 'lake', format: 'csv', rows: 'cards', key: 'a/{job}', partBytes: 1_048_576 };
    const { status } = await createJob(sink);
    expect(status).toBe(202);
    expect(orchestrator.commands.at(-1)).toMatchObject({ request: { sink } });
    const schedule = await createJob(sink, owner, '/v1/schedules');
    expect([schedule.status, schedule.json.schedule.sink]).toEqual([201, sink]);
  });

  it.each([
    [{ name: 'lak' }, 'sink.name', 'must be one of the sinks: lake, vault; did you mean "lake"?'],
    [{ name: 'lake', key: '../{job}' }, 'sink.key', 'cannot have "." or ".." as a part'],
    [
      { name: 'lake', key: 'a//{job}' },
      'sink.key',
      'has an empty part: leave out "//" and a "/" at its beginning or end',
    ],
    [
      { name: 'lake', key: '{jbo}' },
      'sink.key',
      'has no {jbo}; did you mean {job}? There are: {schedule}, {date}, {job}',
    ],
    [
      { name: 'lake', key: '{date}' },
      'sink.key',
      'needs {job}: otherwise a job would overwrite the files of another',
    ],
    [{ name: 'lake', rows: 'crads' }, 'sink.rows', 'must be one of the lists: cards; did you mean "cards"?'],
    [
      { name: 'lake', rows: 'cards', format: 'ndjson' },
      'sink.rows',
      'is for parquet and csv: each line of ndjson is a page',
    ],
    [{ name: 'lake', format: 'orc' }, 'sink.format', 'must be one of: parquet, ndjson, csv'],
    [{ name: 'lake', partBytes: 1000 }, 'sink.partBytes', 'must be at least 1048576'],
    [{ format: 'csv' }, 'sink.name', 'is required'],
    [{ name: 'lake', bucket: 'b' }, 'sink.bucket', ''],
  ])('cannot be %j', async (sink, path, message) => {
    for (const route of ['/v1/jobs', '/v1/schedules', '/v1/estimate']) {
      const { status, json } = await createJob(sink, owner, route);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.details).toEqual([{ path, message: expect.stringContaining(message) }]);
    }
  });

  it('is one of those that the account may write to', async () => {
    expect((await createJob({ name: 'vault' })).status).toBe(202);
    const { status, json } = await createJob({ name: 'vault' }, stranger);
    expect([status, json.error.details]).toEqual([
      400,
      [{ path: 'sink.name', message: 'must be one of the sinks: lake' }],
    ]);
  });

  it('is not there where the operator has none', async () => {
    const bare = await bed.startGateway();
    const { json } = await call(`${bare.url}/v1/jobs`, {
      key: owner.key,
      body: { urls: ['https://example.com/'], sink: { name: 'lake' } },
    });
    expect(json.error.details).toEqual([
      { path: 'sink', message: expect.stringContaining('has configured no sink for this account') },
    ]);
  });
});

describe('results as Parquet', () => {
  it('are one file with the columns of the CSV', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-parquet-'));
    const pages = [
      { data: { title: 'T', cards: [{ name: 'a' }, { name: 'b' }] } },
      { data: { title: 'U', cards: [] } },
    ];
    const { id } = await seedJob(bed.stores, owner.accountId, pages, { selectors: SELECTORS });
    const get = (query: string, headers = {}) =>
      fetch(`${gateway.url}/v1/jobs/${id}/results${query}`, {
        headers: { authorization: `Bearer ${owner.key}`, ...headers },
      });
    const rowsOf = async (response: Response) => {
      expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.parquet"`);
      const path = join(folder, 'results.parquet');
      await writeFile(path, Buffer.from(await response.arrayBuffer()));
      return (await askDuckDb(`SELECT * FROM read_parquet('${path}')`)).rows;
    };
    expect(await rowsOf(await get('?format=parquet&rows=cards&columns=name,url'))).toEqual([
      { name: 'a', url: 'https://example.com/0' },
      { name: 'b', url: 'https://example.com/0' },
    ]);
    const all = await rowsOf(
      await get('?pages=all&rows=cards', { accept: 'application/vnd.apache.parquet' }),
    );
    expect(all).toMatchObject([{ title: 'T' }, { title: 'T' }, { title: 'U', name: null, error: null }]);
    expect((await get('?format=parquet&columns=nope')).status).toBe(400);
    await rm(folder, { recursive: true });
  });
});
