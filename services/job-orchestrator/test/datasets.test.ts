import type { DatasetOptions, PageCommand } from '@gleaner/contracts';
import type { StoredRecord } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, foundAs, report, type ScriptedScraper } from './scripted-scraper.ts';
import { pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

const BOOKS: DatasetOptions = { name: 'books', rows: 'books', key: ['isbn'] };

type Shelf = Readonly<Record<string, readonly object[]>>;

/** Answers each page with its shelf of books. */
function serve(shelves: Shelf): void {
  scraper.follow(({ body }) => found(body, dataOf(shelves, body)));
}

function dataOf(shelves: Shelf, body: PageCommand): string {
  return JSON.stringify({ books: shelves[pathOf(body)] ?? [] });
}

async function runJob(shelves: Shelf, dataset = BOOKS, status: 'completed' | 'partial' = 'completed') {
  serve(shelves);
  const { id } = await bed.create({ urls: urlsOf(2), dataset });
  return await bed.untilJob(id, status);
}

async function recordsOf(name = 'books', since = 0): Promise<StoredRecord[]> {
  const dataset = await bed.stores.datasets.findDataset(bed.accountId, name);
  const records: StoredRecord[] = [];
  if (!dataset) return records;
  for await (const record of bed.stores.datasets.readFeed(dataset, { since })) records.push(record);
  return records;
}

const table = (records: readonly StoredRecord[]) =>
  Object.fromEntries(records.map(({ key, json, isGone }) => [key, isGone ? 'gone' : JSON.parse(json).price]));

describe('a dataset', () => {
  it('gains the records of jobs, and a revision only where one has changed', async () => {
    await bed.startOrchestrator();
    const first = await runJob({ '/0': [{ isbn: 'a', price: 1 }], '/1': [{ isbn: 'b', price: 2 }] });
    expect(first.dataset).toEqual({ name: 'books', from: 0, to: 2 });
    const second = await runJob({
      '/0': [{ isbn: 'a', price: 1 }],
      '/1': [
        { price: 3, isbn: 'b' },
        { isbn: 'c', price: 4 },
      ],
    });
    expect(second.dataset).toEqual({ name: 'books', from: 2, to: 4 });
    expect(table(await recordsOf())).toEqual({ a: 1, b: 3, c: 4 });
    expect((await recordsOf('books', 2)).map(({ key }) => key).toSorted()).toEqual(['b', 'c']);
    const third = await runJob({ '/0': [{ isbn: 'a', price: 1 }], '/1': [{ isbn: 'b', price: 3 }] });
    expect(third.dataset).toEqual({ name: 'books' });
  });

  it('says which records are gone after a run that read every page, and that they are back', async () => {
    await bed.startOrchestrator();
    const dataset: DatasetOptions = { ...BOOKS, gone: 'run' };
    await runJob(
      {
        '/0': [
          { isbn: 'a', price: 1 },
          { isbn: 'b', price: 2 },
        ],
      },
      dataset,
    );
    await runJob({ '/0': [{ isbn: 'a', price: 1 }] }, dataset);
    expect(table(await recordsOf())).toEqual({ a: 1, b: 'gone' });
    await runJob(
      {
        '/0': [
          { isbn: 'a', price: 1 },
          { isbn: 'b', price: 2 },
        ],
      },
      dataset,
    );
    expect(table(await recordsOf())).toEqual({ a: 1, b: 2 });
    const { datasetId = '' } = (await bed.stores.datasets.findDataset(bed.accountId, 'books')) ?? {};
    const history = await bed.stores.datasets.findHistory(datasetId, 'b', 10);
    expect(history?.map(({ isGone, revision }) => [revision, isGone])).toEqual([
      [4, false],
      [3, true],
      [2, false],
    ]);
  });

  it('does not take records for gone because a page failed, or was no content', async () => {
    await bed.startOrchestrator();
    const dataset: DatasetOptions = { ...BOOKS, gone: 'run' };
    const whole = { '/0': [{ isbn: 'a', price: 1 }], '/1': [{ isbn: 'b', price: 2 }] };
    await runJob(whole, dataset);
    scraper.follow(({ body }) =>
      pathOf(body) === '/1' ? failed('NOT_FOUND') : found(body, dataOf(whole, body)),
    );
    await bed.untilJob((await bed.create({ urls: urlsOf(2), dataset })).id, 'partial');
    expect(table(await recordsOf())).toEqual({ a: 1, b: 2 });
    const wall = JSON.stringify({ books: [{ isbn: 'x', price: 0 }] });
    scraper.follow(({ body }) =>
      pathOf(body) === '/1' ? foundAs('login', body, wall) : found(body, dataOf(whole, body)),
    );
    await bed.untilJob((await bed.create({ urls: urlsOf(2), dataset })).id, 'completed');
    expect(table(await recordsOf())).toEqual({ a: 1, b: 2 });
    // A redesign that hides every book takes none away.
    await runJob({}, dataset);
    expect(table(await recordsOf())).toEqual({ a: 1, b: 2 });
  });

  it('leaves out records without a key and says so on their page', async () => {
    await bed.startOrchestrator();
    const { id } = await runJob({
      '/0': [{ isbn: 'a', price: 1 }, { isbn: null, price: 2 }, { isbn: 'x'.repeat(513) }],
    });
    expect(table(await recordsOf())).toEqual({ a: 1 });
    const pages = await bed.stores.pages.findInOrder(id, { states: ['succeeded'], limit: 1 });
    const [json = '{}'] = (await bed.stores.results.findResults(pages)).values();
    expect(JSON.parse(json).warnings).toEqual([
      {
        field: 'books',
        code: 'KEY_MISSING',
        message: expect.stringContaining('2 records without a value of isbn'),
      },
    ]);
  });

  it('tells pages apart by their URLs, and texts of several fields together', async () => {
    await bed.startOrchestrator();
    serve({});
    await bed.untilJob((await bed.create({ urls: urlsOf(2), dataset: { name: 'pages' } })).id, 'completed');
    expect((await recordsOf('pages')).map(({ key }) => key).toSorted()).toEqual(urlsOf(2));
    await runJob(
      { '/0': [{ shop: 'x', id: 1, price: 5 }] },
      { name: 'two', rows: 'books', key: ['shop', 'id'] },
    );
    expect(table(await recordsOf('two'))).toEqual({ '["x","1"]': 5 });
  });

  it('is not changed by an outcome that comes again, by a page that was cancelled, or once it is deleted', async () => {
    await bed.startOrchestrator();
    const { id } = await runJob({ '/0': [{ isbn: 'a', price: 1 }] });
    await runJob({ '/0': [{ isbn: 'a', price: 2 }] });
    const [page] = scraper.commands;
    if (!page) throw new Error('No page was sent.');
    expect(page.jobId).toBe(id);
    await report(bed.broker, page, found(page, JSON.stringify({ books: [{ isbn: 'a', price: 1 }] })));
    let cancelled: PageCommand | undefined;
    scraper.follow(({ body }) => {
      cancelled = body;
      return undefined;
    });
    const running = await bed.create({ urls: urlsOf(1), dataset: BOOKS });
    await eventually(() => expect(cancelled).toBeDefined());
    await bed.cancel(running.id);
    await bed.untilJob(running.id, 'cancelled');
    if (cancelled)
      await report(
        bed.broker,
        cancelled,
        found(cancelled, JSON.stringify({ books: [{ isbn: 'a', price: 9 }] })),
      );
    let open: PageCommand | undefined;
    scraper.follow(({ body }) => {
      open = body;
      return undefined;
    });
    const late = await bed.create({ urls: urlsOf(1), dataset: BOOKS });
    await eventually(() => expect(open).toBeDefined());
    expect(table(await recordsOf())).toEqual({ a: 2 });
    await bed.stores.datasets.removeDataset(bed.accountId, 'books', new Date());
    if (open)
      await report(bed.broker, open, found(open, JSON.stringify({ books: [{ isbn: 'a', price: 9 }] })));
    await bed.untilJob(late.id, 'completed');
    expect((await bed.stores.datasets.findDataset(bed.accountId, 'books'))?.isLive).toBe(false);
    // The records of the deleted dataset go, and the next job begins a new one behind the last revision.
    await eventually(async () => expect(await bed.count('records')).toBe(0));
    const next = await runJob({ '/0': [{ isbn: 'a', price: 3 }] });
    expect(next.dataset).toEqual({ name: 'books', from: 3, to: 4 });
    expect(table(await recordsOf())).toEqual({ a: 3 });
  });

  it('belongs to one account, with one key', async () => {
    await bed.startOrchestrator();
    await runJob({ '/0': [{ isbn: 'a', price: 1 }] });
    await expect(
      bed.create({ urls: urlsOf(1), dataset: { ...BOOKS, key: ['title'] } }),
    ).rejects.toMatchObject({
      code: 'DATASET_KEY_DIFFERS',
    });
    const other = await bed.addAccount();
    serve({ '/0': [{ title: 't', price: 2 }] });
    const dataset = { ...BOOKS, key: ['title'] };
    const { id } = await bed.create({ urls: urlsOf(1), dataset }, { accountId: other });
    await eventually(async () =>
      expect((await bed.stores.jobs.findJob(other, id))?.status).toBe('completed'),
    );
    expect(table(await recordsOf())).toEqual({ a: 1 });
    expect((await bed.stores.datasets.findDataset(other, 'books'))?.records).toBe(1);
  });

  it('that is full says so on the job', async () => {
    await bed.startOrchestrator({ DATASET_QUOTA_BYTES: String(1024 * 1024) });
    const text = 'x'.repeat(60_000);
    const books = Array.from({ length: 30 }, (_, index) => ({ isbn: String(index), text }));
    serve({ '/0': books });
    const { id } = await bed.create({ urls: urlsOf(1), dataset: BOOKS });
    const { warnings } = await bed.untilJob(id, 'completed');
    expect(warnings).toMatchObject([{ code: 'DATASET_FULL' }]);
    expect(await recordsOf()).toHaveLength(17);
  });

  it('gets every record of two jobs that write the same keys at once, in two orchestrators', async () => {
    await bed.startOrchestrator();
    await bed.startOrchestrator();
    const books = Array.from({ length: 40 }, (_, index) => ({ isbn: String(index) }));
    scraper.follow(({ body }) =>
      found(body, JSON.stringify({ books: books.map((book) => ({ ...book, price: body.jobId })) })),
    );
    const jobs = await Promise.all([1, 2].map(() => bed.create({ urls: urlsOf(20), dataset: BOOKS })));
    const ids = jobs.map(({ id }) => id);
    for (const id of ids) await bed.untilJob(id, 'completed');
    const records = await recordsOf();
    expect(records).toHaveLength(40);
    expect(new Set(records.map(({ revision }) => revision)).size).toBe(40);
    for (const { json } of records) expect(ids).toContain(JSON.parse(json).price);
  });
});
