import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { eventually, type Site, startSite, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';
import { runPython } from './run-python.ts';

type Books = Readonly<Record<string, number>>;

/** Prices of the books on each page of the shop. */
let pages: Readonly<Record<string, Books>> = {};
let shop: Site;
let bed: TestStack;
let folder: string;
let gleaner: Gleaner;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-datasets-'));
  shop = await startSite(({ url, response }) => {
    const books = pages[url.pathname];
    if (!books) return void response.writeHead(url.pathname === '/robots.txt' ? 404 : 503).end();
    const items = Object.entries(books).map(([isbn, price]) => `<li><b>${isbn}</b> <i>${price} EUR</i></li>`);
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<title>Books</title><h1>Books of the shop</h1><ul>${items.join('')}</ul>`);
  });
  bed = await joinStack();
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const SELECTORS = {
  books: {
    selector: 'li',
    all: true,
    fields: { isbn: 'b', price: { selector: 'i', type: 'price' as const } },
  },
};

/** Runs the script of the documentation, and returns the table that it keeps. */
async function sqliteTable(name: string): Promise<Record<string, number>> {
  const docs = await readFile(resolve(import.meta.dirname, '../../docs/datasets.md'), 'utf8');
  const [, script = ''] = /```python\n(.*?)```/s.exec(docs) ?? [];
  const { url, apiKey } = bed.stack;
  const args = ['', url, apiKey, name, join(folder, `${name}.sqlite`)];
  const printed = await runPython(
    bed,
    folder,
    `import sys\nsys.argv = ${JSON.stringify(args)}\n${script}\nprint(json.dumps([json.loads(r) for (r,) in db.execute("SELECT record FROM records")]))`,
  );
  const records: { isbn: string; price: { amount: number } }[] = JSON.parse(printed);
  return Object.fromEntries(records.map(({ isbn, price }) => [isbn, price.amount]));
}

it('a schedule keeps a table, and a script keeps a table of SQLite equal to it', async () => {
  await using receiver = await startWebhookReceiver();
  const cli = (...words: string[]) => runGleaner(bed.stack, folder, words);
  pages = { '/1': { a: 1, b: 2 }, '/2': { c: 3 } };
  const schedule = await gleaner.schedules.create({
    urls: ['/1', '/2'].map((path) => shop.origin + path),
    cron: '0 0 1 1 *',
    selectors: SELECTORS,
    dataset: { name: 'shop', rows: 'books', key: ['isbn'], gone: 'run' },
    webhook: { url: receiver.url, events: ['dataset.changed'] },
  });
  const run = async () => {
    const { id } = await gleaner.schedules.run(schedule.id);
    return await gleaner.jobs.wait(id);
  };
  expect((await run()).dataset).toEqual({ name: 'shop', from: 0, to: 3 });
  expect(await sqliteTable('shop')).toEqual({ a: 1, b: 2, c: 3 });

  // A price moves, a book goes and one comes, on another page than before.
  pages = { '/1': { a: 1, d: 4 }, '/2': { c: 30 } };
  const second = await run();
  expect(second.dataset).toMatchObject({ from: 3 });
  expect(await sqliteTable('shop')).toEqual({ a: 1, c: 30, d: 4 });
  const gone = await gleaner.datasets.changes('shop', { op: 'gone' }).next();
  expect(gone.value.records).toMatchObject([{ key: 'b', op: 'gone', record: { isbn: 'b' } }]);

  // An outage takes nothing away, and an unchanged shop adds nothing.
  pages = { '/1': { a: 1, d: 4 } };
  await run();
  pages = { '/1': { a: 1, d: 4 }, '/2': { c: 30 } };
  expect((await run()).dataset).toEqual({ name: 'shop' });
  expect(await sqliteTable('shop')).toEqual({ a: 1, c: 30, d: 4 });
  await eventually(() => {
    const sent = receiver.deliveries.map(({ json }) => (json as { data: { dataset: object } }).data.dataset);
    expect(sent).toMatchObject([
      { name: 'shop', from: 0, to: 3 },
      { name: 'shop', from: 3, to: second.dataset?.to },
    ]);
  });

  const listed = await cli('dataset', 'list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'shop', records: 3, gone: 1 }]);
  const table = await cli('dataset', 'pull', 'shop', '--format', 'csv');
  const lines = table.stdout.trim().split('\r\n');
  expect(lines[0]).toMatch(/^isbn,price.amount,price.currency,_key,_op,/);
  expect(lines).toHaveLength(4);
  expect(table.stderr).toContain(`--since ${second.dataset?.to}`);
  const pulled = await cli('dataset', 'pull', 'shop', '--since', '3', '--format', 'ndjson');
  const changes = pulled.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(Object.fromEntries(changes.map(({ key, op }) => [key, op]))).toEqual({
    b: 'gone',
    c: 'upsert',
    d: 'upsert',
  });
  const history = await cli('dataset', 'show', 'shop', '--record', 'c', '--json');
  expect(JSON.parse(history.stdout)).toMatchObject([
    { record: { price: { amount: 30 } } },
    { record: { price: { amount: 3 } } },
  ]);
  await cli('dataset', 'delete', 'shop');
  expect(JSON.parse((await cli('dataset', 'list', '--json')).stdout)).toEqual([]);
});

it('a crawl of pages of their own keeps one record for each URL', async () => {
  pages = { '/1': { a: 1 } };
  const words = [
    'crawl',
    `${shop.origin}/1`,
    '-s',
    'title=h1',
    '--dataset',
    'pages',
    '--sitemap',
    'skip',
    '--json',
  ];
  await runGleaner(bed.stack, folder, words);
  const records = [];
  for await (const record of gleaner.datasets.records('pages')) records.push(record);
  expect(records).toMatchObject([{ key: `${shop.origin}/1`, record: { title: 'Books of the shop' } }]);
});
