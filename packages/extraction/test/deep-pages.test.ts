import { describe, expect, it } from '@jest/globals';
import { compileSelectors, extract, extractDefaults, parseDocument, type SelectorMap } from '../src/index.ts';

const DEPTH = 100_000;
const baseUrl = 'https://example.org/';

describe(`extraction from a page of ${DEPTH} levels`, () => {
  const document = parseDocument(`${'<div>'.repeat(DEPTH)}<b><a href=x>core</a></b>`);
  const valuesOf = (selectors: SelectorMap) =>
    extract(document, compileSelectors(selectors), { baseUrl }).data;

  it('parses all of it', () => {
    expect(document.elements).toHaveLength(DEPTH + 5);
  });

  it('returns its text and its HTML', () => {
    const { text, html } = valuesOf({ text: 'div', html: 'div::html' });
    expect(text).toBe('core');
    expect(html).toHaveLength(DEPTH * '<div></div>'.length + '<b><a href="x">core</a></b>'.length);
  });

  it('matches in one pass per compound with any combinators', () => {
    const found = valuesOf({
      has: 'div:has(b)',
      steps: 'div div div div div div b',
      childless: 'div:not(:has(div)) > b',
      nested: ':is(div div, div > div):not(div b *) a',
      counted: 'div:nth-child(1 of :has(a)) ~ b, div:only-child b',
      states: 'a:link:dir(ltr):read-only:not(:disabled, :lang(en))',
    });
    for (const value of Object.values(found)) expect(['core', null]).toContain(value);
    expect(found).toMatchObject({
      has: 'core',
      steps: 'core',
      childless: 'core',
      nested: 'core',
      states: 'core',
    });
  });

  it('returns a record for every level', () => {
    const { levels } = valuesOf({
      levels: { selector: 'div', all: true, fields: { inner: ':scope > b > a::attr(href)' } },
    }) as { levels: readonly unknown[] };
    expect(levels).toHaveLength(DEPTH);
    expect(levels.at(-1)).toEqual({ inner: 'x' });
  });

  it('returns its default data', () => {
    expect(extractDefaults(document, { baseUrl })).toMatchObject({
      text: 'core',
      links: ['https://example.org/x'],
    });
  });

  it.each([
    ['compounds', 'div '.repeat(13_000)],
    ['classes', `div${'.a'.repeat(30_000)}`],
    ['alternatives', `:is(${'i,'.repeat(30_000)}b)`],
    ['exclusions', ':not(i)'.repeat(9000)],
  ])('stops at the budget for a selector of very many %s', (_what, selector) => {
    expect(() => valuesOf({ all: `${selector}::all` })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining('more work') }),
    );
  });

  it('stops at the budget where the values would be quadratic', () => {
    const unsupported = (message: string) =>
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining(message) });
    expect(() => valuesOf({ all: 'div::html::all' })).toThrow(unsupported('bytes'));
    expect(() => valuesOf({ all: 'div::all' })).toThrow(unsupported('more work'));
  });
});
