import type { ExtractedValue, Selector, SelectorMap } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type DocumentKind, parseDocument } from '../dom/parse-document.ts';
import { type ExtractionResult, extract } from '../extract.ts';
import { compileSelectors } from '../plan/compile-selectors.ts';

const baseUrl = 'https://shop.example/';

function extractAll(source: string, selectors: SelectorMap, kind: DocumentKind = 'html'): ExtractionResult {
  return extract(parseDocument(source, { kind }), compileSelectors(selectors), { baseUrl });
}

function value(source: string, spec: Selector, kind?: DocumentKind): ExtractedValue | undefined {
  return extractAll(source, { field: spec }, kind).data.field;
}

const LD = 'script[type="application/ld+json"]';
const PAGE = `<script type="application/ld+json">{"@type":"BreadcrumbList","name":"a  b"}</script>
  <script type="application/ld+json">{"@type":"Product","sku":"E-1","offers":[
    {"id":1,"price":9.5,"sale":true},{"id":2,"price":null},{"id":3,"price":"auf Anfrage","url":"/x"}]}</script>
  <div class=card data-json='{"id":7}'></div><div class=card></div><div class=card data-json="{">`;
const DOCUMENT = '{"offers":[{"id":1,"price":9.5},{"id":2}],"total":2,"at":"<b>2</b> & more"}';

describe('json with a selector', () => {
  it('keeps the types of JSON, and the texts as they are', () => {
    expect(value(PAGE, { selector: LD, json: '$.offers[0]' })).toEqual({ id: 1, price: 9.5, sale: true });
    expect(value(PAGE, { selector: LD, json: '$.name' })).toBe('a  b');
  });

  it('takes the first value of all elements, or all values with all', () => {
    expect(value(PAGE, { selector: LD, json: '$..sku' })).toBe('E-1');
    expect(value(PAGE, { selector: LD, json: '$["@type"]', all: true })).toEqual([
      'BreadcrumbList',
      'Product',
    ]);
    expect(value(PAGE, { selector: `${LD}::all`, json: '$.offers[*].price' })).toEqual([
      9.5,
      null,
      'auf Anfrage',
    ]);
  });

  it('reads attributes, and skips elements without them', () => {
    const spec: Selector = { selector: '.card::attr(data-json)', json: '$.id', all: true };
    expect(value(PAGE, spec)).toEqual([7]);
    const { warnings } = extractAll(PAGE, { field: spec });
    expect(warnings).toEqual([
      { field: 'field', code: 'NOT_JSON', message: expect.stringContaining('"{": The text is not JSON') },
    ]);
  });

  it('leaves out excluded descendants before it parses', () => {
    expect(value('<p>[1<i>x</i>, 2]</p>', { selector: 'p', exclude: 'i', json: '$[*]', all: true })).toEqual([
      1, 2,
    ]);
  });

  it('warns when the selector or the path finds nothing, and when the text is not JSON', () => {
    const { warnings, data } = extractAll(PAGE, {
      none: { selector: 'pre', json: '$.x' },
      path: { selector: LD, json: '$.x' },
      text: { selector: '.card', json: '$.x' },
      quiet: { selector: LD, json: '$.x', default: 0 },
    });
    expect(data).toEqual({ none: null, path: null, text: null, quiet: 0 });
    expect(warnings.map(({ field, code, message }) => [field, code, message])).toEqual([
      ['none', 'SELECTOR_NO_MATCH', 'The selector "pre" matches nothing on the page.'],
      ['path', 'SELECTOR_NO_MATCH', 'The JSONPath "$.x" selects nothing.'],
      ['text', 'NOT_JSON', '"": The text is empty, which is not JSON.'],
      ['text', 'NOT_JSON', '"": The text is empty, which is not JSON.'],
      ['text', 'NOT_JSON', '"": The text is empty, which is not JSON.'],
    ]);
  });
});

describe('json with later steps', () => {
  it('matches patterns in texts, and in the JSON of other values', () => {
    expect(value(PAGE, { selector: LD, json: '$.sku', pattern: '\\d+' })).toBe('1');
    expect(value(PAGE, { selector: LD, json: '$.offers', pattern: '"id":(\\d)' })).toBe('1');
  });

  it('converts to types', () => {
    const of = (json: string, type: NonNullable<Exclude<Selector, string>['type']>) =>
      value(PAGE, { selector: LD, json, type, all: true });
    expect(of('$.offers[*].price', 'string')).toEqual(['9.5', null, 'auf Anfrage']);
    expect(of('$.offers[*].price', 'number')).toEqual([9.5, null, null]);
    expect(of('$.offers[*].price', 'integer')).toEqual([null, null, null]);
    expect(of('$.offers[*].price', 'price')).toEqual([{ amount: 9.5, currency: null }, null, null]);
    expect(of('$.offers[*].sale', 'number')).toEqual([null]);
    expect(of('$.offers[*].url', 'url')).toEqual(['https://shop.example/x']);
    expect(of('$.offers[*].id', 'url')).toEqual([null, null, null]);
    expect(of('$.offers[*].sale', 'boolean')).toEqual([true]);
    expect(value(PAGE, { selector: LD, json: '$.offers[*]', type: 'count' })).toBe(3);
    expect(value(PAGE, { selector: LD, json: '$.x', type: 'boolean' })).toBe(false);
  });
});

describe('numbers that JavaScript rounds', () => {
  const NUMBERS = '[12345678901234567890, -1e400, 7]';

  it.each(['number', 'integer', 'price', 'string', undefined] as const)(
    'are texts with the type %s',
    (type) => {
      const spec: Selector = { json: '$[*]', all: true, ...(type && { type }) };
      const { data, warnings } = extractAll(NUMBERS, { field: spec }, 'json');
      const values = data.field as readonly unknown[];
      const amounts =
        type === 'price' ? values.map((value) => (value as { amount: unknown }).amount) : values;
      expect(amounts).toEqual([
        '12345678901234567890',
        '-1e400',
        type === 'string' || type === undefined ? '7' : 7,
      ]);
      const exact = warnings.filter(({ code }) => code === 'VALUE_NOT_EXACT');
      // A string is what was asked for.
      expect(exact).toHaveLength(type === 'string' ? 0 : 1);
    },
  );

  it('are texts inside other values, with a warning', () => {
    const { data, warnings } = extractAll(`{"a": {"id": ${NUMBERS}}}`, { field: { json: '$.a' } }, 'json');
    expect(data.field).toEqual({ id: ['12345678901234567890', '-1e400', 7] });
    expect(warnings.map(({ code }) => code)).toEqual(['VALUE_NOT_EXACT']);
  });

  it('make texts of all numbers of their field in a list, with one warning', () => {
    const items = [{ id: 1 }, { id: 12345678901234567n }, { id: 3 }, { id: 98765432109876543n }]
      .map(({ id }) => `{"id": ${id}, "n": 5}`)
      .join();
    const spec: Selector = {
      json: '$.items[*]',
      all: true,
      fields: { id: { json: '$.id' }, n: { json: '$.n' } },
    };
    const { data, warnings } = extractAll(`{"items": [${items}]}`, { items: spec }, 'json');
    expect(data.items).toEqual([
      { id: '1', n: 5 },
      { id: '12345678901234567', n: 5 },
      { id: '3', n: 5 },
      { id: '98765432109876543', n: 5 },
    ]);
    expect(warnings).toEqual([
      {
        field: 'items.id',
        code: 'VALUE_NOT_EXACT',
        message:
          '12345678901234567 is kept as text, because a number would lose some of its digits. So are 1 more.',
      },
    ]);
  });
});

describe('the currency that a page declares', () => {
  const of = (head: string) => value(`<html lang=en>${head}<b>$12</b>`, { selector: 'b', type: 'price' });

  it('is that of its metadata and JSON-LD, if they agree', () => {
    const cad = { amount: 12, currency: 'CAD' };
    const usd = { amount: 12, currency: 'USD' };
    const ld = (code: string) =>
      `<script type="application/ld+json">{"offers":{"priceCurrency": "${code}"}}</script>`;
    expect(of('<meta property="og:price:currency" content=cad>')).toEqual(cad);
    expect(of('<meta property="product:price:currency" content=CAD>')).toEqual(cad);
    expect(of('<meta itemprop=priceCurrency content=CAD>')).toEqual(cad);
    expect(of(ld('CAD'))).toEqual(cad);
    expect(of(ld('CAD') + ld('AUD'))).toEqual(usd);
    expect(of(ld('EUR'))).toEqual(usd);
  });
});

describe('the type json', () => {
  it('parses the text as it is', () => {
    expect(value('<pre>{"a":"x  y"}</pre>', { selector: 'pre', type: 'json' })).toEqual({ a: 'x  y' });
    const state: Selector = { selector: 'script', pattern: 'state = (\\{.*?\\});', type: 'json' };
    expect(value('<script>let state = {"a":[1]};</script>', state)).toEqual({ a: [1] });
    const { data, warnings } = extractAll('<pre>{a', { field: { selector: 'pre', type: 'json' } });
    expect(data).toEqual({ field: null });
    expect(warnings).toMatchObject([{ code: 'VALUE_NOT_CONVERTED' }]);
  });
});

describe('records of JSON', () => {
  const fields = { id: { json: '$.id' }, price: { json: '$.price', default: 0 } } as const;

  it('read their fields relative to the record', () => {
    const offers: Selector = { selector: LD, json: '$.offers[*]', all: true, fields };
    expect(value(PAGE, offers)).toEqual([
      { id: 1, price: 9.5 },
      { id: 2, price: 0 },
      { id: 3, price: 'auf Anfrage' },
    ]);
    expect(value(PAGE, { ...offers, all: false })).toEqual({ id: 1, price: 9.5 });
    const nested = { list: { json: '$.offers[*]', all: true, fields } } as const;
    expect(value(PAGE, { selector: LD, json: '$[?@.sku]', fields: nested })).toBeNull();
    expect(value(`<p>[${DOCUMENT}]`, { selector: 'p', json: '$[*]', fields: nested })).toEqual({
      list: [
        { id: 1, price: 9.5 },
        { id: 2, price: 0 },
      ],
    });
  });

  it('are null for null, and are left out without a required value', () => {
    const spec: Selector = {
      json: '$[*]',
      all: true,
      fields: { id: { json: '$.id', required: true }, tag: { json: '$.tag' } },
    };
    const { data, warnings } = extractAll('[{"id":1},null,{"tag":2},3,{"id":null}]', { list: spec }, 'text');
    expect(data.list).toEqual([{ id: 1, tag: null }, null]);
    expect(warnings).toEqual([
      {
        field: 'list',
        code: 'RECORD_LEFT_OUT',
        message: '3 of 5 records were left out: they have no value of "id".',
      },
    ]);
  });
});

describe('json without a selector', () => {
  const spec: Selector = { json: '$.offers[*].id', all: true };

  it('reads the body of a document of JSON or plain text', () => {
    expect(value(DOCUMENT, spec, 'json')).toEqual([1, 2]);
    expect(value(DOCUMENT, spec, 'text')).toEqual([1, 2]);
    expect(value(DOCUMENT, { json: '$.at' }, 'text')).toBe('<b>2</b> & more');
  });

  it('reads JSON as a browser shows it, and JSON that was sent as HTML', () => {
    const shown = `<html><head><meta charset=utf-8></head><body><pre>${DOCUMENT.replaceAll('<', '&lt;')}</pre>
      <div class="json-formatter-container"></div></body></html>`;
    expect(value(shown, spec)).toEqual([1, 2]);
    expect(value('\n {"offers":[{"id":5}]}', spec)).toEqual([5]);
    expect(value(DOCUMENT, { json: '$.at' }, 'html')).toBe('<b>2</b> & more');
  });

  it('asks for a selector on an HTML page', () => {
    const { data, warnings } = extractAll(PAGE, { ids: spec, total: { json: '$.total' } });
    expect(data).toEqual({ ids: [], total: null });
    expect(warnings).toEqual([
      { field: 'ids', code: 'NOT_JSON', message: expect.stringContaining('add a "selector"') },
      { field: 'total', code: 'NOT_JSON', message: expect.stringContaining('add a "selector"') },
    ]);
  });
});

it('parses a text once for all its fields', () => {
  const json = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ index })));
  const fields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${index}`, { json: `$[${index}].index` }]),
    );
  const maxSteps = 200_000;
  const run = (count: number) =>
    extract(parseDocument(json, { kind: 'text' }), compileSelectors(fields(count)), {
      baseUrl,
      budget: new Budget({ maxSteps }),
    }).data;
  expect(Object.values(run(100))).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
