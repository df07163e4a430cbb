import { AppError, type ErrorDetail } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { compileSelectors } from './compile-selectors.ts';
import type { SelectorMap } from './plan.ts';

function faultsOf(selectors: unknown): readonly ErrorDetail[] {
  try {
    compileSelectors(selectors as SelectorMap);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_SELECTOR') return error.details ?? [];
    throw error;
  }
  return [];
}

function faultOf(spec: unknown): string {
  return faultsOf({ field: spec })
    .map(({ message }) => message)
    .join(' ');
}

describe('compileSelectors', () => {
  it('names every fault at once, nested ones by their path', () => {
    const faults = faultsOf({
      ok: 'h1::text',
      bad: 'h1 >',
      cards: {
        selector: '.card',
        all: true,
        fields: { title: 'h2::txt', deep: { selector: 'p', fields: { x: '' } } },
      },
    });
    expect(faults.map(({ path }) => path)).toEqual([
      'selectors.bad',
      'selectors.cards.fields.title',
      'selectors.cards.fields.deep.fields.x',
    ]);
  });

  it.each([
    ['h1::txt', 'Did you mean ::text?'],
    ['a::href', 'Did you mean ::attr(href)?'],
    ['a::attr', 'Did you mean ::attr(name)?'],
    ['p::before', 'There is no suffix ::before'],
    ['p::', 'After "::"'],
    ['p::text::text', 'Only one of'],
    ['p::text::html', 'Only one of'],
    ['p::all::all', '::all stands once'],
    ['p::all::text', '::all stands once, and last'],
    ['a::attr()', 'needs the name'],
    ['a::attr( )', 'needs the name'],
    ['a::attr("")', 'is not the name'],
    ['a::attr(a b)', 'is not the name'],
    ['a::attr(href', 'closing parenthesis'],
    ['h1::text, h2::text', 'at the end of the whole list'],
    ['h1::text ::all', 'Nothing can follow a suffix'],
    ['h1::text b', 'Nothing can follow a suffix'],
    ['::text', 'no selector before the suffix'],
    ['//div[@class]', 'XPath'],
    ['/html/body', 'XPath'],
    ['', 'empty'],
  ])('refuses %j and says what to write: %s', (selector, hint) => {
    expect(faultOf(selector)).toContain(hint);
  });

  it.each([
    'h1',
    'h1::text',
    'h1::text::all',
    'h1::TEXT::ALL ',
    'h1, h2::html',
    'a::attr(href)',
    'a::attr( "href" )::all',
    'a::attr(xlink:href)',
    'a::attr(@click.prevent)',
    '[title="a::b"]::text',
    'a:is(::before, b)::all',
    '/* comment */ a',
  ])('takes %j', (selector) => {
    expect(faultOf(selector)).toBe('');
  });

  it.each([
    [5, 'selector string, or an object'],
    [null, 'selector string, or an object'],
    [['a'], 'selector string, or an object'],
    [{}, '"selector" is missing'],
    [{ selector: 5 }, '"selector" has to be a string'],
    [{ selector: 'a', all: 'yes' }, '"all" has to be a boolean'],
    [{ selector: 'a', fields: [] }, '"fields" has to be an object'],
    [{ selector: 'a', limit: 3 }, '"limit" is not known here'],
    [{ selector: 'a', toString: 3 }, '"toString" is not known here'],
    [{ selector: 'a', fields: {} }, 'fields is empty'],
    [{ selector: 'a::text', fields: { b: 'b' } }, 'leave ::text out'],
    [{ selector: 'a', absolute: true }, 'add ::attr(href)'],
    [{ selector: 'a::attr(title)', absolute: true }, 'holds none'],
    [{ selector: 'img::attr(srcset)', absolute: true }, 'holds none'],
  ])('refuses the object %j: %s', (spec, hint) => {
    expect(faultOf(spec)).toContain(hint);
  });

  it.each([
    ['__proto__', 'cannot be called'],
    ['$set', 'cannot begin with "$"'],
    ['a\0b', 'NUL'],
    ['', 'needs a name'],
    ['\ud800', 'valid Unicode'],
  ])('refuses the field name %j, which would not survive storage', (name, hint) => {
    const [fault] = faultsOf(JSON.parse(`{${JSON.stringify(name)}: "a"}`));
    expect(fault?.message).toContain(hint);
  });

  it('refuses selectors that are no map', () => {
    for (const given of [null, [], 'h1', 5]) expect(faultsOf(given)).toHaveLength(1);
  });

  it('takes 100 fields, nested ones counted, and refuses one more', () => {
    const fields = (count: number): SelectorMap =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'a']));
    expect(faultsOf({ cards: { selector: 'a', fields: fields(99) } })).toEqual([]);
    expect(faultsOf({ cards: { selector: 'a', fields: fields(100) } })[0]?.message).toContain('100 fields');
  });

  it('takes 64 KiB of names and selectors, and refuses more', () => {
    expect(faultsOf({ f: 'a'.repeat(65_535) })).toEqual([]);
    expect(faultsOf({ f: 'a'.repeat(65_536) })[0]?.message).toContain('65536 bytes');
  });

  it('makes a plan that is plain data', () => {
    const plan = compileSelectors({
      cards: { selector: 'a:nth-child(2)', fields: { x: ':scope::attr(id)' } },
    });
    expect(structuredClone(plan)).toEqual(plan);
  });
});
