import type { CrawlOptions, PageResult, ScrapeOptions } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { renderCsv } from '../csv/render-csv.ts';
import { columnsOf, rowFieldsOf } from './crawl-columns.ts';

const CRAWL: CrawlOptions = {
  rules: [
    { match: '/shelf/*', keep: false },
    { match: '/p/*', selectors: { title: 'h1', price: { selector: '.price', type: 'price' } } },
    { match: '/blog/*', selectors: { title: 'h2', price: '.fee', tags: '.tag::all' }, formats: ['markdown'] },
  ],
};

const OUTCOMES = 'error,errorMessage,errorSuggestion,targetStatusCode,verdict';

const namesOf = (options: ScrapeOptions, crawl: CrawlOptions) =>
  columnsOf({ options, crawl }, {}).map(({ name }) => name);

async function csvOf(results: readonly object[], options: ScrapeOptions, rows?: string): Promise<string[]> {
  const exported = { options, crawl: CRAWL };
  const list = rowFieldsOf(exported).find(({ path }) => path === rows);
  async function* read() {
    yield results.map((result) => JSON.stringify(result));
  }
  const parts: Buffer[] = [];
  for await (const part of renderCsv(read(), exported, { rows: list, pages: 'all' }))
    parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString().split('\r\n').slice(0, -1);
}

describe('a CSV', () => {
  it('has the same lines for a large result as for a small one', async () => {
    const cards = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ title: `"${index}", ünï` }));
    const result = (count: number) => ({ url: 'https://example.com/p/1', data: { cards: cards(count) } });
    const options = { selectors: { cards: { selector: '.card', all: true, fields: { title: 'h2' } } } };
    const small = await csvOf([result(100)], options, 'cards');
    const large = await csvOf([result(100), result(50_000), result(100)], options, 'cards');
    expect(large).toHaveLength(50_201);
    expect(large.slice(0, 101)).toEqual(small);
    expect(large.slice(101, 201)).toEqual(small.slice(1));
    expect(large.slice(-100)).toEqual(small.slice(1));
  });
});

describe('the columns of a crawl', () => {
  it('are those of its pages, their place in the crawl, and the fields of all rules, each once', () => {
    expect(namesOf({ selectors: { name: 'h1' } }, CRAWL)).toEqual([
      ...['name', 'title', 'price.amount', 'price.currency', 'price', 'tags', 'formats.markdown', 'url'],
    ]);
  });

  it('include the default fields where pages have no selectors', () => {
    expect(namesOf({}, {})).toEqual(['title', 'description', 'text', 'links', 'url']);
    expect(namesOf({}, { rules: [{ match: '**', selectors: { a: 'b' } }] })).toEqual(['a', 'url']);
    expect(
      namesOf(
        {},
        {
          rules: [
            { match: '/x', keep: false },
            { match: '**', selectors: { a: 'b' } },
          ],
        },
      ),
    ).toEqual(['a', 'url']);
  });

  it('are filled by the rule of each page, also where rules use one name for different values', async () => {
    const results = [
      { url: 'https://a.test/', depth: 0, data: { name: 'Shop' } },
      {
        url: 'https://a.test/p/1',
        depth: 2,
        foundOn: 'https://a.test/shelf/1',
        rule: 1,
        data: { title: 'Emma', price: { amount: 9.5, currency: 'EUR' } },
      },
      {
        url: 'https://a.test/blog/1',
        depth: 1,
        foundOn: 'https://a.test/',
        rule: 2,
        data: { title: 'News', price: 'free', tags: ['a', 'b'] },
        formats: { markdown: '# News' },
      },
      {
        url: 'https://a.test/p/2',
        depth: 2,
        foundOn: 'https://a.test/shelf/1',
        rule: 1,
        data: null,
        error: {
          code: 'NOT_FOUND',
          message: 'Gone.',
          suggestion: 'Look.',
          source: 'target',
          targetStatusCode: 404,
        },
      },
    ];
    expect(await csvOf(results, { selectors: { name: 'h1' } })).toEqual([
      `name,title,price.amount,price.currency,price,tags,formats.markdown,url,${OUTCOMES}`,
      'Shop,,,,,,,https://a.test/,,,,,',
      ',Emma,9.5,EUR,,,,https://a.test/p/1,,,,,',
      ',News,,,free,"[""a"",""b""]",# News,https://a.test/blog/1,,,,,',
      ',,,,,,,https://a.test/p/2,NOT_FOUND,Gone.,Look.,404,',
    ]);
  });

  it('can have a row for each entry of a list of one rule', async () => {
    const results: Partial<PageResult>[] = [
      { url: 'https://a.test/blog/1', depth: 1, rule: 2, data: { title: 'News', tags: ['a', 'b'] } },
      { url: 'https://a.test/p/1', depth: 1, rule: 1, data: { title: 'Emma' } },
    ];
    const lines = await csvOf(results, { formats: ['text'] }, 'tags');
    expect(
      lines.slice(1).map((line) =>
        line
          .split(',')
          .filter((cell) => cell !== '')
          .join(),
      ),
    ).toEqual(['News,a,https://a.test/blog/1', 'News,b,https://a.test/blog/1', 'Emma,https://a.test/p/1']);
  });
});
