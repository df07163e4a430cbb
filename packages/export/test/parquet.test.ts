import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageResult, ScrapeOptions } from '@gleaner/contracts';
import { compileSelectors, extract, parseDocument } from '@gleaner/extraction';
import { askDuckDb, createRandom } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExportedOptions, renderParquet, rowFieldsOf } from '../src/index.ts';

type Selectors = NonNullable<ScrapeOptions['selectors']>;

/** A field of every type, and values of docs/values.md for each. */
const SELECTORS: Selectors = {
  title: 'h1',
  code: { selector: '.n', type: 'string' },
  number: { selector: '.n', type: 'number', locale: 'en' },
  integer: { selector: '.i', type: 'integer', default: 'none' },
  price: { selector: '.p', type: 'price', locale: 'en' },
  sold: { selector: '.sold', type: 'boolean' },
  day: { selector: '.d', type: 'date', locale: 'en-GB' },
  time: { selector: '.t', type: 'datetime', locale: 'en-GB', timezone: 'Europe/Berlin' },
  link: { selector: 'a::attr(href)', type: 'url' },
  state: { selector: 'script', type: 'json' },
  any: { selector: 'script', json: '$.any' },
  table: { selector: 'table', type: 'table' },
  cells: { selector: 'table', type: 'rows' },
  text: { selector: 'div', type: 'markdown' },
  items: { selector: 'li', type: 'count' },
  all: 'li::all',
  amounts: { selector: '.p', type: 'price', all: true },
  by: { selector: 'div', fields: { name: 'b', born: { selector: '.d', type: 'date' } } },
  cards: { selector: 'li', all: true, fields: { name: 'b', cost: { selector: '.c', type: 'price' } } },
};

const PAGES = [
  `<h1>Say "hi" 😀</h1><p class=n>1,234.56<p class=i>17<p class=p>£8.49<p class=sold>yes<p class=d>31/01/2026
   <p class=t>30 June 2026 12:30:15.5<a href=/a>x</a><script type=application/json>{"a":[1,null],"any":2.5}</script>
   <table><tr><th>a<th>b<tr><td>1<td>2</table><div>A <b>B</b></div>
   <ul><li><b>x</b><i class=c>€1</i><li><b>y</b></ul>`,
  `<h1></h1><p class=n>9007199254740993<p class=i>9007199254740991<p class=p>1,000,000 kr<p class=d>1 January 1000
   <p class=t>2026-06-30T12:30:15+09:00<script type=application/json>{"any":{"b":"ü"}}</script>`,
  `<h1>１\u{10ffff}</h1><p class=n>-0.1<p class=i>1,5<p class=p>free<p class=d>31/12/2999<p class=t>today
   <script type=application/json>{"any":"2.5"}</script>`,
  '<h1>bare</h1>',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function* inBatches(results: readonly object[], size = 2) {
  for (let at = 0; at < results.length; at += size)
    yield results.slice(at, at + size).map((result) => JSON.stringify(result));
}

/** Writes results as Parquet, and returns what DuckDB reads of the file. */
async function readBack(results: readonly object[], exported: ExportedOptions, rows?: string, select = '*') {
  const path = join(folder, `${Math.random()}.parquet`);
  const list = rowFieldsOf(exported).find((each) => each.path === rows);
  await writeFile(path, renderParquet(inBatches(results), exported, { rows: list }));
  const answer = await askDuckDb(`SELECT ${select} FROM read_parquet('${path}')`);
  const groups = await askDuckDb(
    `SELECT row_group_id, any_value(row_group_num_rows) AS n FROM parquet_metadata('${path}') GROUP BY 1 ORDER BY 1`,
  );
  return { ...answer, groups: groups.rows.map(({ n }) => Number(n)) };
}

const extracted = PAGES.map((html, index) => ({
  url: `https://shop.example/${index}`,
  data: extract(parseDocument(html), compileSelectors(SELECTORS), { baseUrl: 'https://shop.example/' }).data,
}));

/** Returns the value of a field in a row of DuckDB as it is in the JSON of results. */
function valueIn(row: Readonly<Record<string, unknown>>, name: string): unknown {
  const exact = JSON.parse((row.exactValues as string | null) ?? '{}');
  return Object.hasOwn(exact, name) ? exact[name] : row[name];
}

describe('a Parquet file', () => {
  it('has columns of the types of the selectors, however the values are', async () => {
    const types = {
      title: 'VARCHAR',
      code: 'VARCHAR',
      number: 'DOUBLE',
      integer: 'BIGINT',
      'price.amount': 'DOUBLE',
      'price.currency': 'VARCHAR',
      sold: 'BOOLEAN',
      day: 'DATE',
      time: 'TIMESTAMP WITH TIME ZONE',
      link: 'VARCHAR',
      state: 'VARCHAR',
      any: 'VARCHAR',
      table: 'VARCHAR',
      cells: 'VARCHAR',
      text: 'VARCHAR',
      items: 'BIGINT',
      all: 'VARCHAR',
      amounts: 'VARCHAR',
      'by.name': 'VARCHAR',
      'by.born': 'DATE',
      cards: 'VARCHAR',
      url: 'VARCHAR',
      exactValues: 'VARCHAR',
    };
    for (const results of [extracted, extracted.slice(3), []]) {
      const read = await readBack(results, { options: { selectors: SELECTORS } });
      expect(read.types).toEqual(types);
      expect(read.rows).toHaveLength(results.length);
    }
  });

  it('is read back equal to the results', async () => {
    const { rows } = await readBack(extracted, { options: { selectors: SELECTORS } });
    for (const [index, { url, data }] of extracted.entries()) {
      const row = rows[index] ?? {};
      expect(row.url).toBe(url);
      const text = (name: string) => valueIn(row, name);
      const json = (name: string) => JSON.parse((row[name] as string | null) ?? 'null');
      const integer = (name: string) => {
        const value = valueIn(row, name);
        return value === null || (typeof value === 'string' && !/^\d+$/.test(value)) ? value : Number(value);
      };
      const instant =
        row.time === null ? null : Date.parse(`${row.time}`.replace(' ', 'T').replace(/\+00$/, 'Z'));
      const price = data.price as { amount: number; currency: string } | null;
      expect({
        ...Object.fromEntries(
          ['title', 'code', 'number', 'sold', 'day', 'link', 'text'].map((name) => [name, text(name)]),
        ),
        ...Object.fromEntries(['integer', 'items'].map((name) => [name, integer(name)])),
        ...Object.fromEntries(
          ['state', 'any', 'table', 'cells', 'all', 'amounts', 'cards'].map((name) => [name, json(name)]),
        ),
        price: { amount: row['price.amount'], currency: row['price.currency'] },
        time: instant,
        by: { name: row['by.name'], born: row['by.born'] },
      }).toEqual({
        ...data,
        price: price ?? { amount: null, currency: null },
        time: data.time === null ? null : Date.parse(data.time as string),
        by: data.by ?? { name: null, born: null },
      });
    }
    expect(extracted[1]?.data.number).toBe('9007199254740993');
    expect(rows[1]?.number).toBeNull();
    expect(rows[3]?.integer).toBeNull();
  });

  it('has a row for each record of a list, with the types of its fields', async () => {
    const { rows, types } = await readBack(
      extracted,
      { options: { selectors: SELECTORS } },
      'cards',
      'name, "cost.amount", "cost.currency", url',
    );
    expect(types).toEqual({
      name: 'VARCHAR',
      'cost.amount': 'DOUBLE',
      'cost.currency': 'VARCHAR',
      url: 'VARCHAR',
    });
    const url = 'https://shop.example/0';
    expect(rows).toEqual([
      { name: 'x', 'cost.amount': 1, 'cost.currency': 'EUR', url },
      { name: 'y', 'cost.amount': null, 'cost.currency': null, url },
    ]);
  });

  it('writes fields of one name and several types, of different rules of a crawl, as JSON', async () => {
    const crawl = {
      rules: [
        { match: '/a/*', selectors: { size: { selector: 'b', type: 'number' as const } } },
        { match: '/b/*', selectors: { size: 'b' } },
      ],
    };
    const results = [
      { url: 'https://shop.example/a/1', rule: 0, data: { size: 4.5 } },
      { url: 'https://shop.example/b/1', rule: 1, data: { size: 'XL' } },
    ];
    const { rows } = await readBack(results, { options: {}, crawl }, undefined, 'size');
    expect(rows).toEqual([{ size: '4.5' }, { size: '"XL"' }]);
  });

  it('keeps names and texts that readers could take for something else', async () => {
    const selectors: Selectors = {
      'a.b': 'b',
      exactValues: { selector: 'i', type: 'number' },
      "quote'": 'u',
      Ä: 'u',
      rows: 'u',
    };
    const data = { 'a.b': 'NaN', exactValues: 1.5, "quote'": '\ud800 half', Ä: '=1+1', rows: '\0' };
    const { rows } = await readBack([{ url: 'u', data }], { options: { selectors } });
    expect(rows).toEqual([{ ...data, "quote'": '\ufffd half', url: 'u', _exactValues: null }]);
  });

  it('has row groups of limited size, and their statistics find every row', async () => {
    const random = createRandom(20_261_128);
    const numberOf = (index: number) => random.below(1000) + index;
    const results = Array.from({ length: 25_000 }, (_, index): Partial<PageResult> & object => ({
      url: `https://shop.example/${index}`,
      data: { name: `${random.next() > 0.5 ? '😀' : '！'}${index % 7}`, n: numberOf(index) },
    }));
    const selectors: Selectors = { name: 'b', n: { selector: 'i', type: 'number' } };
    const { rows, groups } = await readBack(results, { options: { selectors } }, undefined, 'name, n, url');
    expect(groups).toEqual([10_000, 10_000, 5000]);
    expect(rows).toEqual(
      results.map((result) => ({ url: result.url, ...(result as { data: object }).data })),
    );
    const path = join(folder, 'filtered.parquet');
    await writeFile(path, renderParquet(inBatches(results, 1000), { options: { selectors } }));
    const wanted = results.filter((result) => (result as { data: { name: string } }).data.name === '😀3');
    const found = await askDuckDb(`SELECT url FROM read_parquet('${path}') WHERE name = '😀3' AND n >= 0`);
    expect(found.rows.map(({ url }) => url)).toEqual(wanted.map(({ url }) => url));
  });

  it('ends a row group at 16 MiB', async () => {
    const text = 'ü'.repeat(1024 * 1024);
    const results = Array.from({ length: 20 }, (_, index) => ({
      url: `${index}`,
      data: { text: `${index}${text}` },
    }));
    const { groups } = await readBack(results, { options: { selectors: { text: 'p' } } }, undefined, 'url');
    expect(groups).toEqual([8, 8, 4]);
  });
});
