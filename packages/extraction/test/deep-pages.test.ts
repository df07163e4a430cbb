import { describe, expect, it } from '@jest/globals';
import { compileSelectors, extract, extractDefaults, parseDocument, type SelectorMap } from '../src/index.ts';

const DEPTH = 100_000;
const baseUrl = 'https://example.org/';

describe(`A page of ${DEPTH} levels`, () => {
  const document = parseDocument(`${'<div>'.repeat(DEPTH)}<b><a href=x>core</a></b>`);
  const valuesOf = (selectors: SelectorMap) =>
    extract(document, compileSelectors(selectors), { baseUrl }).data;

  it('is parsed whole', () => {
    expect(document.elements).toHaveLength(DEPTH + 5);
  });

  it('gives its text and its HTML', () => {
    const { text, html } = valuesOf({ text: 'div', html: 'div::html' });
    expect(text).toBe('core');
    expect(html).toHaveLength(DEPTH * '<div></div>'.length + '<b><a href="x">core</a></b>'.length);
  });

  it('is searched in one pass a compound, whatever the combinators', () => {
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

  it('gives a record for every level', () => {
    const { levels } = valuesOf({
      levels: { selector: 'div', all: true, fields: { inner: ':scope > b > a::attr(href)' } },
    }) as { levels: readonly unknown[] };
    expect(levels).toHaveLength(DEPTH);
    expect(levels.at(-1)).toEqual({ inner: 'x' });
  });

  it('gives its defaults', () => {
    expect(extractDefaults(document, { baseUrl })).toMatchObject({
      text: 'core',
      links: ['https://example.org/x'],
    });
  });

  it('stops where the values themselves would be quadratic', () => {
    const refusal = (message: string) =>
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining(message) });
    expect(() => valuesOf({ all: 'div::html::all' })).toThrow(refusal('bytes'));
    expect(() => valuesOf({ all: 'div::all' })).toThrow(refusal('more work'));
  });
});
