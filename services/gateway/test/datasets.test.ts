import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type DatasetRecord, toFailure } from '@gleaner/contracts';
import { askDuckDb } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import {
  type ScriptedOrchestrator,
  seedJob,
  startScriptedOrchestrator,
} from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { seedRecords } from './support/seed-records.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway();
  orchestrator = await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
  owner = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(gateway.url + path, { key: owner.key, ...options });
}

const book = (isbn: string, price: number) => ({ isbn, price, tags: ['a', 'b'] });
const seed = (name: string, books: readonly ReturnType<typeof book>[], isWhole = false) =>
  seedRecords(bed.stores, owner.accountId, name, books, { isWhole });
const keysOf = ({ json }: TestAnswer) => json.records.map(({ key }: DatasetRecord) => key);

/** A number that JSON does not hold exactly. */
const LARGE = '12345678901234567890';

/** Returns the row of a record in a file of these records, as DuckDB shows it. */
function rowOf({ record, ...about }: DatasetRecord, all: readonly DatasetRecord[]) {
  const { price, tags, mixed, ...others } = record as Record<string, unknown>;
  const { amount, currency } = price as Record<string, unknown>;
  const time = (text: string) => `${text.replace('T', ' ').replace(/\.?0*Z$/, '')}+00`;
  const isInexact = amount === LARGE;
  return {
    ...others,
    'price.amount': isInexact ? null : amount,
    'price.currency': currency,
    tags: JSON.stringify(tags),
    mixed: all.length === 1 ? mixed : JSON.stringify(mixed),
    __key: about.key,
    _op: about.op,
    _revision: String(about.revision),
    _firstSeen: time(about.firstSeen),
    _lastSeen: time(about.lastSeen),
    _url: about.url,
    _jobId: about.jobId,
    exactValues: isInexact ? JSON.stringify({ 'price.amount': LARGE }) : null,
  };
}

/** Returns what DuckDB reads of a Parquet file. */
async function readParquet(path: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-dataset-'));
  const file = join(folder, 'records.parquet');
  try {
    const response = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${owner.key}` } });
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="parquet.parquet"');
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    return await askDuckDb(`SELECT * FROM read_parquet('${file}')`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('GET /v1/datasets/{name}/records', () => {
  it('gives what has changed since a revision, a page at a time, each record as it is now', async () => {
    await seed('feed', [book('1', 1), book('2', 2), book('3', 3)]);
    await seed('feed', [book('2', 5)]);
    const first = await ask('/v1/datasets/feed/records?limit=2');
    expect(keysOf(first)).toEqual(['1', '3']);
    expect(first.json).toMatchObject({ next: 3, hasMore: true });
    const second = await ask('/v1/datasets/feed/records?since=3&limit=2');
    expect(second.json).toMatchObject({ next: 4, hasMore: false });
    expect(second.json.records).toMatchObject([
      { key: '2', revision: 4, op: 'upsert', record: book('2', 5), url: 'https://example.com/' },
    ]);
    const none = await ask('/v1/datasets/feed/records?since=4');
    expect(none.json).toMatchObject({ records: [], next: 4, hasMore: false });
  });

  it('gives only records that are gone, that are there, or that changed lately', async () => {
    await seed('some', [book('1', 1), book('2', 2)]);
    await seed('some', [book('1', 1)], true);
    expect(keysOf(await ask('/v1/datasets/some/records?op=gone'))).toEqual(['2']);
    expect(keysOf(await ask('/v1/datasets/some/records?op=upsert'))).toEqual(['1']);
    expect(keysOf(await ask('/v1/datasets/some/records?changedAfter=2099-01-01T00:00:00Z'))).toEqual([]);
    expect(keysOf(await ask('/v1/datasets/some/records?changedAfter=2020-01-01T00:00:00Z'))).toHaveLength(2);
  });

  it('streams the whole table as CSV and as lines, without records that are gone', async () => {
    await seed('file', [book('1', 1), book('2', 2)]);
    await seed('file', [book('1', 1)], true);
    const { text, headers } = await ask('/v1/datasets/file/records?format=csv');
    expect(headers['content-disposition']).toBe('attachment; filename="file.csv"');
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).toBe('isbn,price,tags,_key,_op,_revision,_firstSeen,_lastSeen,_url,_jobId');
    expect(line).toMatch(/^1,1,"\[""a"",""b""\]",1,upsert,1,/);
    expect(rest).toEqual(['']);
    const lines = await ask('/v1/datasets/file/records?format=ndjson');
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).key),
    ).toEqual(['1']);
    const feed = await ask('/v1/datasets/file/records?format=ndjson&since=0');
    expect(
      feed.text
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).op),
    ).toEqual(['upsert', 'gone']);
  });

  it('streams the table as Parquet, which DuckDB reads back equal to the lines', async () => {
    const records = [0, 1, 2].map((index) => ({
      isbn: `${index}`,
      price: { amount: [1.5, LARGE, null][index], currency: ['EUR', 'GBP', null][index] },
      isNew: index === 0,
      tags: index === 2 ? [] : ['ä', '𝒳'],
      mixed: [1, 'one', true][index],
      none: null,
      _key: `own ${index}`,
    }));
    await seedRecords(bed.stores, owner.accountId, 'parquet', records);
    await seedRecords(bed.stores, owner.accountId, 'parquet', records.slice(0, 2), { isWhole: true });
    for (const [query, keys] of [
      ['', ['0', '1']],
      ['&since=0', ['0', '1', '2']],
      ['&op=gone', ['2']],
      ['&limit=1', ['0']],
      ['&changedAfter=2099-01-01T00:00:00Z', []],
    ] as const) {
      const lines = await ask(`/v1/datasets/parquet/records?format=ndjson${query}`);
      const found = lines.text
        .split('\n')
        .filter(Boolean)
        .map((line): DatasetRecord => JSON.parse(line));
      const { rows, types } = await readParquet(`/v1/datasets/parquet/records?format=parquet${query}`);
      expect(types).toMatchObject({ _revision: 'BIGINT', _lastSeen: 'TIMESTAMP WITH TIME ZONE' });
      expect(rows).toEqual(found.map((record) => rowOf(record, found)));
      expect(found.map(({ key }) => key).toSorted()).toEqual(keys);
    }
  });

  it('tells readers of a deleted dataset that they have to begin again', async () => {
    await seed('gone', [book('1', 1)]);
    expect((await ask('/v1/datasets/gone', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/v1/datasets/gone/records')).json.error.code).toBe('DATASET_NOT_FOUND');
    expect((await ask('/v1/datasets/gone/records?since=1')).status).toBe(410);
    await seed('gone', [book('2', 2)]);
    expect((await ask('/v1/datasets/gone/records?since=1')).json.error.code).toBe('REVISION_GONE');
    const again = await ask('/v1/datasets/gone/records?since=0');
    expect(keysOf(again)).toEqual(['2']);
    expect((await ask(`/v1/datasets/gone/records?since=${again.json.next}`)).json.records).toEqual([]);
    expect((await ask('/v1/datasets/gone/records?since=999')).json.error.code).toBe('REVISION_GONE');
  });

  it('shows the states of a record, whose key may hold anything', async () => {
    await seed('past', [book('a/ä b', 1)]);
    await seed('past', [book('a/ä b', 2)]);
    const { json } = await ask(`/v1/datasets/past/records/${encodeURIComponent('a/ä b')}/history`);
    expect(json.history).toMatchObject([
      { revision: 2, record: { price: 2 } },
      { revision: 1, record: { price: 1 } },
    ]);
  });
});

describe('datasets', () => {
  it('are listed by name, and belong to one account', async () => {
    await seed('mine', [book('1', 1)]);
    const { json } = await ask('/v1/datasets');
    const names = json.datasets.map(({ name }: { name: string }) => name);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain('mine');
    const { key } = await bed.createKey();
    expect((await ask('/v1/datasets', { key })).json.datasets).toEqual([]);
    for (const path of ['', '/records', '/records?since=1', '/records/1/history'])
      expect((await ask(`/v1/datasets/mine${path}`, { key })).status).toBe(404);
    expect((await ask('/v1/datasets/mine', { key, method: 'DELETE' })).status).toBe(404);
    expect((await ask('/v1/datasets/mine')).json.dataset).toMatchObject({
      name: 'mine',
      key: ['isbn'],
      records: 1,
      columns: ['isbn', 'price', 'tags'],
    });
  });
});

const SELECTORS = {
  books: {
    selector: '.book',
    all: true,
    fields: { isbn: '.isbn', price: { selector: '.price', type: 'price' } },
  },
  title: 'h1',
};

describe('the option dataset', () => {
  it.each([
    [{ name: 'b', rows: 'books', key: ['isbm'] }, 'dataset.key.0', 'did you mean "isbn"?'],
    [{ name: 'b', rows: 'boks', key: ['isbn'] }, 'dataset.rows', 'did you mean "books"?'],
    [
      { name: 'b', rows: 'title', key: ['isbn'] },
      'dataset.rows',
      'must be one of the lists of records: books',
    ],
    [{ name: 'b', rows: 'books' }, 'dataset.key', 'is needed to tell the records of "books" apart'],
    [{ name: 'b', key: ['books'] }, 'dataset.key.0', 'is not a field of the page with one value'],
    [{ name: 'a b', key: ['title'] }, 'dataset.name', 'must be a name of 1 to 64 letters'],
    [{ name: 'b', key: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'dataset.key', ''],
  ])('%j is refused by its path', async (dataset, path, message) => {
    for (const [route, pages] of [
      ['/v1/jobs', { urls: ['https://example.com/'] }],
      ['/v1/schedules', { url: 'https://example.com/', cron: '0 9 * * *' }],
    ] as const) {
      const { status, json } = await ask(route, { body: { ...pages, selectors: SELECTORS, dataset } });
      expect(status).toBe(400);
      expect(json.error.details).toContainEqual(
        expect.objectContaining({ path, message: expect.stringContaining(message) }),
      );
    }
  });

  it('takes keys of records, of pages, and of the rules of a crawl', async () => {
    for (const dataset of [
      { name: 'b', rows: 'books', key: ['isbn'] },
      { name: 'b', rows: 'books', key: ['price.amount', 'isbn'], gone: 'run' },
      { name: 'b', key: ['title'] },
      { name: 'b' },
    ]) {
      const body = { urls: ['https://example.com/'], selectors: SELECTORS, dataset };
      expect((await ask('/v1/jobs', { body })).status).toBe(202);
    }
    const crawl = { rules: [{ match: '/p/*', selectors: SELECTORS }] };
    const dataset = { name: 'b', rows: 'books', key: ['isbn'] };
    const body = { urls: ['https://example.com/'], crawl, dataset };
    expect((await ask('/v1/jobs', { body })).status).toBe(202);
  });

  it('needs the key that the dataset has', async () => {
    await seed('keyed', [book('1', 1)]);
    const dataset = { name: 'keyed', key: ['title'] };
    const body = { url: 'https://example.com/', selectors: SELECTORS, cron: '0 9 * * *', dataset };
    const { status, json } = await ask('/v1/schedules', { body });
    expect(status).toBe(409);
    expect(json.error).toMatchObject({
      code: 'DATASET_KEY_DIFFERS',
      message: 'The records of the dataset "keyed" are told apart by ["isbn"], and not by ["title"].',
    });
  });

  it('of a schedule is shown, changed and reset', async () => {
    const dataset = { name: 'plan', rows: 'books', key: ['isbn'] };
    const body = { url: 'https://example.com/', selectors: SELECTORS, cron: '0 9 * * *', dataset };
    const { json } = await ask('/v1/schedules', { body });
    expect(json.schedule.dataset).toEqual(dataset);
    const patch = (change: object) =>
      ask(`/v1/schedules/${json.schedule.id}`, { method: 'PATCH', body: change });
    expect((await patch({ dataset: { ...dataset, gone: 'run' } })).json.schedule.dataset.gone).toBe('run');
    expect((await patch({ dataset: null })).json.schedule.dataset).toBeUndefined();
  });
});

describe('a rerun', () => {
  it('writes to the dataset of its job, and takes nothing for gone if it is of failed URLs only', async () => {
    const dataset = { name: 'again', rows: 'books', key: ['isbn'], gone: 'run' as const };
    const datasetJson = JSON.stringify({ ...dataset, id: 'dst_1' });
    const failure = toFailure(new AppError('NOT_FOUND'));
    const pages = [{ data: {} }, { failure }];
    const { id } = await seedJob(bed.stores, owner.accountId, pages, { selectors: SELECTORS });
    await bed.database.models.jobs.updateOne({ _id: id }, { datasetJson });
    const rerun = async (body: object) => {
      const created = await ask(`/v1/jobs/${id}/rerun`, { method: 'POST', body });
      expect(created.status).toBe(202);
      return orchestrator.commands.at(-1);
    };
    expect(await rerun({})).toMatchObject({ request: { dataset } });
    const { gone: _gone, ...others } = dataset;
    expect(await rerun({ only: 'failed' })).toHaveProperty('request.dataset', others);
  });
});
