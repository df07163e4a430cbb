import { AppError, type ExtractedValue, type Selector, type SelectorMap } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { type ExtractionResult, extract } from '../extract.ts';
import { compileSelectors } from '../plan/compile-selectors.ts';

const baseUrl = 'https://shop.example/list/page?x=1';

function extractAll(html: string, selectors: SelectorMap): ExtractionResult {
  const plan = compileSelectors(selectors);
  return extract(parseDocument(html, { projection: plan.projection }), plan, { baseUrl });
}

function value(html: string, spec: Selector): ExtractedValue | undefined {
  return extractAll(html, { field: spec }).data.field;
}

/** Returns the code and message of each warning about the field. */
function warningsOf(html: string, spec: Selector): string[] {
  return extractAll(html, { field: spec }).warnings.map(({ code, message }) => `${code}: ${message}`);
}

function errorOf(html: string, selectors: SelectorMap): AppError {
  try {
    extractAll(html, selectors);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('No error was thrown.');
}

describe('whitespace', () => {
  it('keeps the text of code as it is', () => {
    const html = '<pre>  if (x) {\n    y();\n  }</pre>';
    expect(value(html, { selector: 'pre', whitespace: 'keep' })).toBe('  if (x) {\n    y();\n  }');
    expect(value(html, { selector: 'pre', whitespace: 'collapse' })).toBe('if (x) { y(); }');
  });
});

describe('exclude', () => {
  const html =
    '<h1>Emma <sup>1</sup><b class=ad>Ad<i>!</i></b> (1815)</h1><h1>Two<sup>2</sup></h1><sup>3</sup>';

  it('leaves out the text of descendants', () => {
    expect(value(html, { selector: 'h1', exclude: 'sup, .ad' })).toBe('Emma (1815)');
    expect(value(html, { selector: 'h1', all: true, exclude: 'sup' })).toEqual(['Emma Ad! (1815)', 'Two']);
    expect(value(html, { selector: 'h1', exclude: 'h1' })).toBe('Emma 1Ad! (1815)');
  });

  it('matches relative to the element with :scope', () => {
    expect(value(html, { selector: 'h1', exclude: ':scope > b > *' })).toBe('Emma 1Ad (1815)');
    expect(value(html, { selector: 'h1', exclude: ':scope > i' })).toBe('Emma 1Ad! (1815)');
  });
});

describe('pattern', () => {
  const html = '<p>12 left</p><p>none</p><p>7 left</p>';

  it('takes the first group, or the whole match without one', () => {
    expect(value(html, { selector: 'p', pattern: '(\\d+) left' })).toBe('12');
    expect(value(html, { selector: 'p', pattern: '\\d+ left' })).toBe('12 left');
    expect(value(html, { selector: 'p', pattern: '(?i)LEFT' })).toBe('left');
  });

  it('gives null for texts that it does not match, in their place', () => {
    const spec: Selector = { selector: 'p', all: true, pattern: '(\\d+) left' };
    expect(value(html, spec)).toEqual(['12', null, '7']);
    expect(warningsOf(html, spec)).toEqual([
      'PATTERN_NO_MATCH: "none" does not match the pattern "(\\d+) left".',
    ]);
    expect(value(html, { selector: 'p', pattern: '(x)|left' })).toBeNull();
  });

  it('reads the first 64 KiB of a text', () => {
    const long = `<p>${'a'.repeat(65_530)}123456789</p>`;
    expect(value(long, { selector: 'p', pattern: '\\d+' })).toBe('123456');
  });

  it('reads texts with their white space when that is kept', () => {
    const spec: Selector = { selector: 'pre', whitespace: 'keep', pattern: '(?m)^b=(.*)$' };
    expect(value('<pre>a=1\nb=2\nc=3</pre>', spec)).toBe('2');
  });
});

describe('default', () => {
  it('replaces null, and silences the warnings about it', () => {
    const html = '<p>a</p><p>b 2</p>';
    expect(extractAll(html, { f: { selector: 'h1', default: 0 } })).toEqual({ data: { f: 0 }, warnings: [] });
    const spec: Selector = { selector: 'p', all: true, pattern: '\\d', default: { none: true } };
    expect(extractAll(html, { f: spec })).toEqual({ data: { f: [{ none: true }, '2'] }, warnings: [] });
    expect(value(html, { selector: 'p', default: 'x' })).toBe('a');
    expect(value(html, { selector: 'i', fields: { a: 'b' }, default: {} })).toEqual({});
  });
});

describe('the type boolean', () => {
  const html = '<p>On SALE</p><p>Regular</p><input disabled>';

  it('tells whether something matches, without a warning', () => {
    const spec = { selector: 'p', type: 'boolean' } as const;
    expect(value(html, spec)).toBe(true);
    expect(extractAll(html, { f: { ...spec, selector: 'h1' } })).toEqual({
      data: { f: false },
      warnings: [],
    });
    expect(value(html, { selector: 'input::attr(disabled)', type: 'boolean' })).toBe(true);
    expect(value(html, { selector: 'input::attr(checked)', type: 'boolean' })).toBe(false);
  });

  it('tells whether the text matches the pattern', () => {
    const spec = { selector: 'p', type: 'boolean', pattern: '(?i)sale' } as const;
    expect(value(html, spec)).toBe(true);
    expect(extractAll(html, { f: { ...spec, all: true } })).toEqual({
      data: { f: [true, false] },
      warnings: [],
    });
  });
});

describe('the type count', () => {
  it('counts all matches', () => {
    expect(value('<p><p><p>', { selector: 'p', type: 'count' })).toBe(3);
    expect(extractAll('<p>', { f: { selector: 'h1', type: 'count' } })).toEqual({
      data: { f: 0 },
      warnings: [],
    });
    const cards = {
      selector: 'ul',
      all: true,
      fields: { items: { selector: 'li', type: 'count' } },
    } as const;
    expect(value('<ul><li><li></ul><ul></ul>', cards)).toEqual([{ items: 2 }, { items: 0 }]);
  });
});

describe('the type url', () => {
  it('resolves URLs with http and https, and gives null for all others', () => {
    const html = '<base href=/b/><a href="x y">1</a><a href="mailto:x@y.z">2</a><a href=" ">3</a><a>4</a>';
    const spec: Selector = { selector: 'a::attr(href)::all', type: 'url' };
    expect(value(html, spec)).toEqual(['https://shop.example/b/x%20y', null, null]);
    expect(warningsOf(html, spec)).toEqual([
      'VALUE_NOT_CONVERTED: "mailto:x@y.z" is not a URL with http or https.',
      'VALUE_NOT_CONVERTED: "" is not a URL with http or https.',
    ]);
  });
});

describe('the types table and rows', () => {
  const html = '<div><table><tr><th>A<th>B<tr><td>1<td>2<sup>*</sup></table></div><p>';

  it('read the table of an element', () => {
    expect(value(html, { selector: 'div', type: 'table' })).toEqual([{ A: '1', B: '2*' }]);
    expect(value(html, { selector: 'table', type: 'rows', exclude: 'sup' })).toEqual([
      ['A', 'B'],
      ['1', '2'],
    ]);
  });

  it('give null for an element without a table', () => {
    const spec: Selector = { selector: 'p, div', type: 'rows', all: true };
    expect(value(html, spec)).toEqual([expect.any(Array), null]);
    expect(warningsOf(html, spec)).toEqual([
      expect.stringMatching(/^VALUE_NOT_CONVERTED: .*<p> is not a table/),
    ]);
  });
});

describe('the type markdown', () => {
  it('writes the element, without what is excluded', () => {
    const html = '<div><h2>A</h2><p>b <a href=/c>c</a><i class=ad>d <b>e</b></i></p></div>';
    expect(value(html, { selector: 'div', type: 'markdown', exclude: '.ad' })).toBe(
      '## A\n\nb [c](https://shop.example/c)',
    );
  });
});

describe('the types number, integer and price', () => {
  const html = '<html lang=de><p>1.234,50 €</p><p>auf Anfrage</p><p>12 Stück</p>';

  it('convert the texts of a field, and give null in place', () => {
    const spec = { selector: 'p', all: true } as const;
    expect(value(html, { ...spec, type: 'number' })).toEqual([1234.5, null, 12]);
    expect(value(html, { ...spec, type: 'integer', default: 0 })).toEqual([0, 0, 12]);
    expect(value(html, { selector: 'p', type: 'price' })).toEqual({ amount: 1234.5, currency: 'EUR' });
    expect(value('<p>9.99', { selector: 'p', type: 'price', currency: 'usd' })).toEqual({
      amount: 9.99,
      currency: 'USD',
    });
    expect(warningsOf(html, { ...spec, type: 'number' })).toEqual([
      'VALUE_NOT_CONVERTED: "auf Anfrage" contains no number.',
    ]);
  });

  it('warn about a guess', () => {
    const warnings = warningsOf('<p>3.350</p>', { selector: 'p', type: 'number' });
    expect(warnings).toEqual([expect.stringContaining('VALUE_AMBIGUOUS: "3.350"')]);
  });
});

describe('the types date and datetime', () => {
  it('read the datetime attribute first, and the text if that is not a date', () => {
    const html =
      '<time datetime=2024-03-04>5 May 2024</time><time datetime=PT2H>6 May 2024</time><time>x</time>';
    const spec = { selector: 'time', type: 'date', all: true } as const;
    expect(value(html, spec)).toEqual(['2024-03-04', '2024-05-06', null]);
    expect(value(html, { ...spec, selector: 'time::text' })).toEqual(['2024-05-05', '2024-05-06', null]);
    expect(value(html, { ...spec, pattern: '\\d.*' })).toEqual(['2024-05-05', '2024-05-06', null]);
    expect(warningsOf(html, spec)).toEqual([expect.stringMatching(/^VALUE_NOT_CONVERTED: "x"/)]);
  });

  it('have one order for all values of a field in the page', () => {
    const html = '<li><b>03/04/2024</b></li><li><b>25/04/2024</b></li>';
    const cards: Selector = { selector: 'li', all: true, fields: { on: { selector: 'b', type: 'date' } } };
    expect(value(html, cards)).toEqual([{ on: '2024-04-03' }, { on: '2024-04-25' }]);
  });

  it('use the options of the field, else of the record, else of the page', () => {
    const html = '<html lang=en-US><p>03/04/2024 10:00</p>';
    const on = { selector: 'p', type: 'datetime' } as const;
    expect(value(html, on)).toBe('2024-03-04T10:00:00+00:00');
    expect(value(html, { ...on, locale: 'de', timezone: 'Europe/Berlin' })).toBe('2024-04-03T10:00:00+02:00');
    const record: Selector = { selector: 'body', locale: 'fr', timezone: 'Asia/Tokyo', fields: { on } };
    expect(value(html, record)).toEqual({ on: '2024-04-03T10:00:00+09:00' });
    expect(value(html, { ...on, format: 'MM/dd/yyyy HH:mm', locale: 'de' })).toBe(
      '2024-03-04T10:00:00+00:00',
    );
    const plan = compileSelectors({ f: on, g: { ...on, locale: 'en-US' } });
    expect(extract(parseDocument(html), plan, { baseUrl, locale: 'de' }).data).toEqual({
      f: '2024-04-03T10:00:00+00:00',
      g: '2024-03-04T10:00:00+00:00',
    });
  });
});

describe('warnings', () => {
  it('are at most five of a kind about a field, and count the rest', () => {
    const html = '<p>x</p>'.repeat(199);
    const warnings = warningsOf(html, { selector: 'p', all: true, pattern: '\\d' });
    expect(warnings).toHaveLength(6);
    expect(warnings[5]).toBe('PATTERN_NO_MATCH: … and 194 more.');
  });

  it('quote at most 80 characters of a text', () => {
    const [warning = ''] = warningsOf(`<p>${'x'.repeat(1000)}</p>`, { selector: 'p', pattern: '\\d' });
    expect(warning.length).toBeLessThan(150);
  });
});

describe('required', () => {
  it('fails the page with all fields that have no value', () => {
    const error = errorOf('<h2>x</h2>', {
      title: { selector: 'h1', required: true },
      name: { selector: 'h2', required: true },
      stock: { selector: 'h2', pattern: '\\d+', required: true },
      prices: { selector: '.price', all: true, required: true },
    });
    expect(error).toMatchObject({
      code: 'REQUIRED_FIELD_MISSING',
      source: 'target',
      message: '3 required fields have no value: title, stock, prices.',
      details: [
        { path: 'selectors.title', message: 'The selector "h1" matches nothing on the page.' },
        { path: 'selectors.stock', message: '"x" does not match the pattern "\\d+".' },
        { path: 'selectors.prices', message: 'The selector ".price" matches nothing on the page.' },
      ],
    });
  });

  const fields = { name: { selector: 'h2', required: true }, tag: 'i' } as const;
  const html = '<li><h2>A</h2><i>1</i></li><li><i>2</i></li><li><h2>C</h2></li>';

  it('leaves a record without a value out of its list, and counts those', () => {
    const { data, warnings } = extractAll(html, { cards: { selector: 'li', all: true, fields } });
    expect(data.cards).toEqual([
      { name: 'A', tag: '1' },
      { name: 'C', tag: null },
    ]);
    expect(warnings).toEqual([
      {
        field: 'cards',
        code: 'RECORD_LEFT_OUT',
        message: '1 of 3 records were left out: they have no value of "name".',
      },
    ]);
  });

  it('leaves out a record of a list for a missing value of a record inside it', () => {
    const nested: Selector = { selector: 'li', all: true, fields: { inner: { selector: ':scope', fields } } };
    expect(value(html, nested)).toEqual([
      { inner: { name: 'A', tag: '1' } },
      { inner: { name: 'C', tag: null } },
    ]);
  });

  it('fails the page for a single record, unless it has a default', () => {
    const record = { selector: 'li:nth-child(2)', fields };
    expect(errorOf(html, { card: record }).details).toEqual([
      { path: 'selectors.card.fields.name', message: 'The selector "h2" matches nothing on the page.' },
    ]);
    expect(value(html, { ...record, default: 'none' })).toBe('none');
    expect(value(html, { ...record, selector: 'b' })).toBeNull();
  });

  it('fails the page for a required list whose records are all left out', () => {
    const cards: Selector = { selector: 'li:nth-child(2)', all: true, required: true, fields };
    expect(errorOf(html, { cards }).details?.map(({ path }) => path)).toEqual(['selectors.cards']);
  });
});

it('spends the budget on patterns and on waiting texts', () => {
  const document = parseDocument('<p>some text'.repeat(1000));
  const within = (spec: Selector, maxSteps: number) => () =>
    extract(document, compileSelectors({ f: spec }), { baseUrl, budget: new Budget({ maxSteps }) });
  expect(within({ selector: 'p', all: true }, 50_000)).not.toThrow();
  const unsupported = expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' });
  expect(within({ selector: 'p', all: true, pattern: '(?:a?){500}b' }, 50_000)).toThrow(unsupported);
  const nested = parseDocument('<div>text'.repeat(2000));
  const all = compileSelectors({ f: { selector: 'div::text::all', type: 'url' } });
  expect(() => extract(nested, all, { baseUrl, budget: new Budget({ maxSteps: 1_000_000 }) })).toThrow(
    unsupported,
  );
});

it('resolves URLs of XML against the bases around their elements, and those of pages as browsers do', () => {
  const base = 'xml:base="https://a.test/"';
  const feed = `<feed ${base}><link href="self"/><entry xml:base="one/"><link href="1"/><uri> 2 </uri></entry><entry><link href="3"/></entry></feed>`;
  const read = (xml: string) =>
    extract(
      parseDocument(xml, { kind: 'xml' }),
      compileSelectors({
        links: { selector: 'link::attr(href)', type: 'url', all: true },
        texts: { selector: 'uri::text', type: 'url', all: true },
        absolute: { selector: 'entry link::attr(href)', absolute: true },
      }),
      { baseUrl },
    ).data;
  expect(read(feed)).toEqual({
    links: ['https://a.test/self', 'https://a.test/one/1', 'https://a.test/3'],
    texts: ['https://a.test/one/2'],
    absolute: 'https://a.test/one/1',
  });
  const page = `<html xmlns="http://www.w3.org/1999/xhtml" ${base}><link href="1"/></html>`;
  expect(read(page).links).toEqual(['https://shop.example/list/1']);
});
