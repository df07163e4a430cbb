import { AppError, type ErrorDetail } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../dom/parse-document.ts';
import { extract } from '../values/extract.ts';
import { compileSelectors, planSelectors } from './compile-selectors.ts';
import type { SelectorMap } from './plan.ts';

function errorsOf(selectors: unknown): readonly ErrorDetail[] {
  try {
    compileSelectors(selectors as SelectorMap);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_SELECTOR') return error.details ?? [];
    throw error;
  }
  return [];
}

function messageOf(spec: unknown): string {
  return errorsOf({ field: spec })
    .map(({ message }) => message)
    .join(' ');
}

describe('compileSelectors', () => {
  it('lists every error at once, nested ones by their path', () => {
    const errors = errorsOf({
      ok: 'h1::text',
      bad: 'h1 >',
      cards: {
        selector: '.card',
        all: true,
        fields: { title: 'h2::txt', deep: { selector: 'p', fields: { x: '' } } },
      },
    });
    expect(errors.map(({ path }) => path)).toEqual([
      'selectors.bad',
      'selectors.cards.fields.title',
      'selectors.cards.fields.deep.fields.x',
    ]);
  });

  it.each([
    ['h1::txt', 'Did you mean ::text?'],
    ['a::href', 'Did you mean ::attr(href)?'],
    ['a::attr', 'Did you mean ::attr(name)?'],
    ['p::before', 'The suffix ::before does not exist'],
    ['p::', 'is expected after "::"'],
    ['p::text::text', 'Only one of'],
    ['p::text::html', 'Only one of'],
    ['p::all::all', '::all can be given once'],
    ['p::all::text', '::all can be given once, as the last suffix'],
    ['a::attr()', 'needs the name'],
    ['a::attr( )', 'needs the name'],
    ['a::attr("")', 'is not a valid attribute name'],
    ['a::attr(a b)', 'is not a valid attribute name'],
    ['a::attr(href', 'closing parenthesis'],
    ['h1::text, h2::text', 'at the end of the whole list'],
    ['h1::text ::all', 'Only ::all can follow a suffix'],
    ['h1::text b', 'Only ::all can follow a suffix'],
    ['::text', 'A selector is missing before the suffix'],
    ['//div[@class]', 'XPath'],
    ['/html/body', 'XPath'],
    ['a@href', '"a::attr(href)"'],
    ['.card > a@href::all', '".card > a::attr(href)::all"'],
    ['//h1', 'XPath'],
    ['', 'empty'],
  ])('rejects %j with a suggestion: %s', (selector, hint) => {
    expect(messageOf(selector)).toContain(hint);
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
  ])('accepts %j', (selector) => {
    expect(messageOf(selector)).toBe('');
  });

  it.each([
    [5, 'selector string, or an object'],
    [null, 'selector string, or an object'],
    [['a'], 'selector string, or an object'],
    [{}, '"selector" is missing'],
    [{ selector: 5 }, '"selector" must be a string'],
    [{ selector: 'a', all: 'yes' }, '"all" must be a boolean'],
    [{ selector: 'a', fields: [] }, '"fields" must be an object'],
    [{ selector: 'a', limit: 3 }, '"limit" is not a known property'],
    [{ selector: 'a', toString: 3 }, '"toString" is not a known property'],
    [{ selector: 'a', fields: {} }, '"fields" is empty'],
    [{ selector: 'a::text', fields: { b: 'b' } }, 'leave out ::text'],
    [{ selector: 'a', absolute: true }, 'add ::attr(href)'],
    [{ selector: 'a::attr(title)', absolute: true }, 'does not hold a URL'],
    [{ selector: 'img::attr(srcset)', absolute: true }, 'does not hold a URL'],
  ])('rejects the object %j: %s', (spec, hint) => {
    expect(messageOf(spec)).toContain(hint);
  });

  it.each([
    ['__proto__', 'cannot be named'],
    ['$set', 'cannot begin with "$"'],
    ['a\0b', 'NUL'],
    ['', 'needs a name'],
    ['\ud800', 'valid Unicode'],
  ])('rejects the field name %j, which would not survive storage', (name, hint) => {
    const [error] = errorsOf(JSON.parse(`{${JSON.stringify(name)}: "a"}`));
    expect(error?.message).toContain(hint);
  });

  it('rejects a map without fields, and suggests leaving it out', () => {
    expect(errorsOf({})).toEqual([
      { path: 'selectors', message: expect.stringContaining('leave out selectors') },
    ]);
  });

  it('rejects selectors that are not a map', () => {
    for (const given of [null, [], 'h1', 5]) expect(errorsOf(given)).toHaveLength(1);
  });

  it('accepts 100 fields, including nested ones, and rejects one more', () => {
    const fields = (count: number): SelectorMap =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'a']));
    expect(errorsOf({ cards: { selector: 'a', fields: fields(99) } })).toEqual([]);
    expect(errorsOf({ cards: { selector: 'a', fields: fields(100) } })[0]?.message).toContain('100 fields');
  });

  it('accepts 64 KiB of names and selectors, and rejects more', () => {
    expect(errorsOf({ f: 'a'.repeat(65_535) })).toEqual([]);
    expect(errorsOf({ f: 'a'.repeat(65_536) })[0]?.message).toContain('65536 bytes');
  });

  it('returns a plan that is plain data', () => {
    const plan = compileSelectors({
      cards: { selector: 'a:nth-child(2)', fields: { x: ':scope::attr(id)' } },
    });
    expect(structuredClone(plan)).toEqual(plan);
  });
});

const SELECTORS = {
  title: 'h1, h2:not(:nth-child(2))',
  books: { selector: 'li:has(a)', all: true, fields: { link: 'a::attr(href)', whole: ':scope > a' } },
};
const PAGE = '<h1 class=a>One</h1><ul><li><a href=/b>B</a></li><li><a href=/c>C</a></li></ul>';

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

describe('planSelectors', () => {
  it('returns what compileSelectors does, and the same plan again for the same selectors', () => {
    const plan = planSelectors(SELECTORS);
    expect(plan).toEqual(compileSelectors(SELECTORS));
    expect(planSelectors(structuredClone(SELECTORS))).toBe(plan);
  });

  it('distinguishes maps that differ in an option, a name or the order of fields', () => {
    const maps = [
      { a: 'p', b: 'i' },
      { b: 'i', a: 'p' },
      { a: 'p', b: 'i::all' },
      { a: { selector: 'p', all: true }, b: 'i' },
    ];
    expect(maps.map((map) => planSelectors(map))).toEqual(maps.map((map) => compileSelectors(map)));
    expect(new Set(maps.map((map) => planSelectors(map))).size).toBe(maps.length);
  });

  it('rejects invalid selectors every time', () => {
    for (let time = 0; time < 2; time++)
      expect(() => planSelectors({ a: 'p[' })).toThrow('A selector is not valid: selectors.a');
  });

  it('keeps at most 100 plans, and none of long selectors', () => {
    const first = planSelectors({ first: 'p' });
    for (let index = 0; index < 100; index++) planSelectors({ [`field${index}`]: 'p' });
    expect(planSelectors({ first: 'p' })).not.toBe(first);
    const long = { long: `p${' '.repeat(9000)}b` };
    expect(planSelectors(long)).not.toBe(planSelectors(long));
  });
});

it('does not change a plan by running it', () => {
  const plan = compileSelectors(SELECTORS);
  const values = () => extract(parseDocument(PAGE), plan, { baseUrl: 'http://example.com/' }).data;
  const before = values();
  deepFreeze(plan);
  expect(values()).toEqual(before);
  expect(before.books).toEqual([
    { link: '/b', whole: 'B' },
    { link: '/c', whole: 'C' },
  ]);
});
