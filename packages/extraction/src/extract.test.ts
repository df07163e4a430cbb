import type { ExtractedValue, Selector } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from './budget.ts';
import { parseDocument } from './dom/parse-document.ts';
import { type ExtractionResult, extract, extractWithMatches } from './extract.ts';
import { compileSelectors } from './plan/compile-selectors.ts';
import type { SelectorMap } from './plan/plan.ts';

const baseUrl = 'https://shop.example/list/page?x=1';

function extractAll(html: string, selectors: SelectorMap): ExtractionResult {
  const plan = compileSelectors(selectors);
  return extract(parseDocument(html, { projection: plan.projection }), plan, { baseUrl });
}

function value(html: string, spec: Selector): ExtractedValue | undefined {
  return extractAll(html, { field: spec }).data.field;
}

const CARDS = `
  <div class="card" id="one"><h2>First</h2><a href="/1">more</a><a href="/1b">again</a></div>
  <div class="card" id="two"><h2>Second</h2><div class="card" id="inner"><h2>Inner</h2></div></div>`;

describe('extract', () => {
  it('takes the first match in document order, or all of them', () => {
    expect(value('<p>a<p>b', 'p')).toBe('a');
    expect(value('<h2>second<h1>first</h1>', 'h1, h2')).toBe('second');
    expect(value('<p>a<p>b', 'p::all')).toEqual(['a', 'b']);
    expect(value('<p>a<p>b', { selector: 'p', all: true })).toEqual(['a', 'b']);
  });

  it('distinguishes no match from an empty element', () => {
    const { data, warnings } = extractAll('<p></p>', {
      none: 'i',
      list: 'i::all',
      html: 'i::html',
      empty: 'p',
    });
    expect(data).toStrictEqual({ none: null, list: [], html: null, empty: '' });
    expect(warnings.map(({ field, code }) => [field, code])).toEqual([
      ['none', 'SELECTOR_NO_MATCH'],
      ['list', 'SELECTOR_NO_MATCH'],
      ['html', 'SELECTOR_NO_MATCH'],
    ]);
  });

  it('collapses white space, including no-break spaces, and joins inline text without adding any', () => {
    expect(value('<p> a\n\t b&nbsp; c<b>d</b> </p>', 'p')).toBe('a b cd');
  });

  it('leaves code out of text unless the element itself is code', () => {
    const html =
      '<div>a<script>s</script><style>t</style><template><i>u</i></template><svg><style>v</style></svg></div>';
    expect(value(html, 'div')).toBe('a');
    expect(value(html, 'script')).toBe('s');
    expect(value(html, 'style::all')).toEqual(['t', 'v']);
    expect(value(html, 'template')).toBe('u');
  });

  it('returns raw attributes, ignoring case in names on HTML elements only', () => {
    expect(value('<a HREF=" /x ">', 'a::attr(HREF)')).toBe(' /x ');
    expect(value('<svg viewbox="0 0 1 1">', 'svg::attr(viewBox)')).toBe('0 0 1 1');
    expect(value('<svg viewbox="0 0 1 1">', 'svg::attr(viewbox)')).toBeNull();
    expect(value('<svg><use xlink:href="#a">', 'use::attr(xlink:href)')).toBe('#a');
    expect(value('<input disabled>', 'input::attr(disabled)')).toBe('');
  });

  it('takes a single attribute from the first match only, and skips elements without it in a list', () => {
    const html = '<a>x</a><a href=1>y</a><a href="">z</a>';
    expect(value(html, 'a::attr(href)')).toBeNull();
    expect(value(html, 'a::attr(href)::all')).toEqual(['1', '']);
  });

  it('returns outer HTML as browsers serialize it', () => {
    const html = '<p CLASS=a>1 < 2 &amp; "q"&nbsp;<br><img alt="<&quot;>"><!--c--><script>1<2</script></p>';
    expect(value(html, 'p::html')).toBe(
      '<p class="a">1 &lt; 2 &amp; "q"&nbsp;<br><img alt="&lt;&quot;&gt;"><!--c--><script>1<2</script></p>',
    );
    expect(value('<template><p>t</template>', 'template::html')).toBe('<template><p>t</p></template>');
  });

  it('returns a record for each match, with fields searched inside it', () => {
    const record = {
      selector: '.card',
      all: true,
      fields: { id: ':scope::attr(id)', title: 'h2', own: ':scope > h2::all' },
    };
    expect(value(CARDS, record)).toStrictEqual([
      { id: 'one', title: 'First', own: ['First'] },
      { id: 'two', title: 'Second', own: ['Second'] },
      { id: 'inner', title: 'Inner', own: ['Inner'] },
    ]);
    expect(value(CARDS, { selector: '#two', fields: { title: 'h2' } })).toStrictEqual({ title: 'Second' });
    expect(value(CARDS, { selector: 'b', fields: { title: 'h2' } })).toBeNull();
  });

  it('matches fields against the whole document but finds only descendants, as element.querySelectorAll does', () => {
    const record = (selector: string): Selector => ({
      selector: '#two',
      fields: { ids: `${selector}::attr(id)::all` },
    });
    expect(value(CARDS, record('.card'))).toStrictEqual({ ids: ['inner'] });
    expect(value(CARDS, record('body > .card .card'))).toStrictEqual({ ids: ['inner'] });
    expect(value(CARDS, record(':scope > .card, :scope'))).toStrictEqual({ ids: ['two', 'inner'] });
    expect(value(CARDS, record('.card:is(:scope > *)'))).toStrictEqual({ ids: ['inner'] });
    expect(value(CARDS, record(':scope + .card'))).toStrictEqual({ ids: [] });
    expect(value(CARDS, record(':scope ~ *, :scope > h2 ~ div'))).toStrictEqual({ ids: ['inner'] });
    expect(value(CARDS, record('html:scope'))).toStrictEqual({ ids: [] });
  });

  it('warns about a nested field only if its record was found and it never was', () => {
    const fields = { more: 'a', price: '.price', deep: { selector: 'ul', fields: { item: 'li' } } };
    const { warnings } = extractAll(CARDS, { cards: { selector: '.card', all: true, fields } });
    expect(warnings.map(({ field }) => field)).toEqual(['cards.price', 'cards.deep']);
  });

  it('resolves URLs against the base of the page if absolute is set', () => {
    const link: Selector = { selector: 'a::attr(href)', absolute: true };
    expect(value('<a href="../x#y">', link)).toBe('https://shop.example/x#y');
    expect(value('<base href="//cdn.example/d/"><a href="x">', link)).toBe('https://cdn.example/d/x');
    expect(value('<base target=x><base href="/b/"><a href="x">', link)).toBe('https://shop.example/b/x');
    expect(value('<base href="data:x"><a href="x">', link)).toBe('https://shop.example/list/x');
    expect(value('<a href="http://[">', link)).toBe('http://[');
    expect(value('<a href="x">', 'a::attr(href)')).toBe('x');
  });

  it('applies absolute of a record to its fields that hold URLs', () => {
    const fields = { url: 'a::attr(href)', title: 'h2', id: ':scope::attr(id)' };
    expect(value(CARDS, { selector: '#one', absolute: true, fields })).toStrictEqual({
      url: 'https://shop.example/1',
      title: 'First',
      id: 'one',
    });
  });

  it('returns data that survives JSON for any field names', () => {
    const { data } = extractAll('<p>x', { constructor: 'p', 'a.b': 'p', toString: 'i::all' });
    expect(JSON.parse(JSON.stringify(data))).toStrictEqual({ constructor: 'x', 'a.b': 'x', toString: [] });
  });

  it('returns fields in the order of the selectors, whatever their types', () => {
    const document = parseDocument('<p>1</p><i>x</i>');
    const fields = {
      number: { selector: 'p', type: 'number' },
      text: 'i',
      count: { selector: 'i', type: 'count' },
    } as const;
    const plan = compileSelectors({ ...fields, records: { selector: 'body', fields } });
    const { data } = extract(document, plan, { baseUrl });
    expect(JSON.stringify(data)).toBe(
      '{"number":1,"text":"x","count":1,"records":{"number":1,"text":"x","count":1}}',
    );
  });

  it('stops at the budgets of work and of output', () => {
    const document = parseDocument('<p>some text'.repeat(100));
    const plan = compileSelectors({ all: 'p::all' });
    const within = (budget: Budget) => () => extract(document, plan, { baseUrl, budget });
    const unsupported = (message: string) =>
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining(message) });
    expect(within(new Budget({ maxSteps: 50 }))).toThrow(unsupported('more work'));
    expect(within(new Budget({ maxOutputBytes: 50 }))).toThrow(unsupported('50 bytes'));
  });
});

describe('extractWithMatches', () => {
  const matchesOf = (html: string, selectors: SelectorMap) =>
    extractWithMatches(parseDocument(html), compileSelectors(selectors), { baseUrl }).matches;

  it('returns the same data and warnings as extract', () => {
    const selectors = { cards: { selector: '.card', all: true, fields: { name: 'h2' } }, none: 'i' };
    const { data, warnings } = extractWithMatches(parseDocument(CARDS), compileSelectors(selectors), {
      baseUrl,
    });
    expect({ data, warnings }).toEqual(extractAll(CARDS, selectors));
  });

  it('returns all matches of a selector by their place in the document, also for a field that takes the first', () => {
    expect(matchesOf('<p>a<p>b<i>c</i>', { first: 'p', all: 'p::all', none: 'b' })).toEqual({
      first: [3, 4],
      all: [3, 4],
      none: [],
    });
  });

  it('returns the matches of fields inside records by path, each element once', () => {
    const cards = { selector: '.card', all: true, fields: { name: 'h2', link: 'a::attr(href)' } } as const;
    expect(matchesOf(CARDS, { cards })).toEqual({
      cards: [3, 7, 9],
      'cards.name': [4, 8, 10],
      'cards.link': [5, 6],
    });
    expect(matchesOf(CARDS, { cards: { ...cards, all: false } })).toEqual({
      cards: [3, 7, 9],
      'cards.name': [4],
      'cards.link': [5, 6],
    });
  });

  it('returns the matches of fields with steps and of counts, and none for fields that read JSON without a selector', () => {
    const selectors: SelectorMap = {
      price: { selector: 'b', type: 'number' },
      count: { selector: 'i', type: 'count' },
      body: { json: '$.a', default: null },
    };
    expect(matchesOf('<b>1</b><i></i><i></i><b>2</b>', selectors)).toEqual({
      price: [3, 6],
      count: [4, 5],
      body: [],
    });
  });

  it('stops at the budget where overlapping records would have quadratic matches', () => {
    const document = parseDocument('<div>'.repeat(50_000));
    const plan = compileSelectors({ a: { selector: 'div', all: true, fields: { b: 'div::html::all' } } });
    const work = () =>
      extractWithMatches(document, plan, { baseUrl, budget: new Budget({ maxSteps: 5_000_000 }) });
    expect(work).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }));
  });
});
