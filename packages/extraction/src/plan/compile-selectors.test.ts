import { AppError, type ErrorDetail, SelectorSchema } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../dom/parse-document.ts';
import { extract } from '../extract.ts';
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
    [{ selector: 'a', patern: 'x' }, 'did you mean "pattern"?'],
    [{ selector: 'a', type: 'nubmer' }, 'Did you mean "number"?'],
    [{ selector: 'a', type: 'constructor' }, '"type" must be one of string, number'],
    [{ selector: 'a', whitespace: 'pre' }, '"whitespace" must be "collapse" or "keep"'],
    [{ selector: 'a', expect: { fill: 2 } }, '"expect" must be an object with "fill"'],
    [{ selector: 'a', expect: {} }, '"expect" must be an object with "fill"'],
    [{ selector: 'a', expect: { fill: 1, max: 2 } }, '"expect" must be an object with "fill"'],
    [{ selector: 'a', expect: { min: 2 } }, '"expect.min" counts values'],
    [{ selector: 'a', exclude: '' }, '"exclude" must be a string that is not empty'],
    [{ selector: 'a', exclude: 'b::text' }, '"exclude": Only an element is needed here'],
    [{ selector: 'a', exclude: 'b >' }, '"exclude": '],
    [{ selector: 'a', default: 'x'.repeat(4095) }, 'at most 4096 bytes as JSON'],
    [{ selector: 'a', default: Array.from({ length: 5000 }, () => 1) }, 'at most 4096 bytes as JSON'],
    [{ selector: 'a', default: Number.NaN }, '"default" must be JSON'],
    [{ selector: 'a', default: { f: () => 1 } }, '"default" must be JSON'],
    [{ selector: 'a', pattern: 'x'.repeat(1025) }, 'at most 1024 bytes'],
    [{ selector: 'a', pattern: '(?:ab){1000}{1000}' }, 'lower its repetition counts'],
    [{ selector: 'a', pattern: '(?:(?:ab){100}){100}' }, 'lower its repetition counts'],
    [{ selector: 'a', pattern: `(?i)${'[\\pL\\pN\\pS\\pM]'.repeat(60)}` }, 'use fewer classes'],
    [{ selector: 'a', pattern: '(?<=x)y' }, 'RE2 syntax has no look-around'],
    [{ selector: 'a', pattern: 'x(?!y)' }, 'RE2 syntax has no look-around'],
    [{ selector: 'a', pattern: '(a)\\1' }, 'RE2 syntax has no backreferences'],
    [{ selector: 'a', pattern: 'a++' }, 'a plain one does the same'],
    [{ selector: 'a', pattern: '[z-a]' }, 'invalid character class range'],
    [{ selector: 'a', pattern: '(' }, 'missing closing )'],
    [{ selector: 'a', pattern: 'x', fields: { b: 'b' } }, '"pattern" matches a text'],
    [{ selector: 'a', type: 'url', fields: { b: 'b' } }, 'leave out "type"'],
    [{ selector: 'a::attr(href)', whitespace: 'keep' }, '"whitespace" applies to texts'],
    [{ selector: 'a', type: 'url', whitespace: 'keep' }, '"whitespace" applies to texts'],
    [{ selector: 'a::html', exclude: 'b' }, 'leave out ::attr and ::html'],
    [{ selector: 'a', exclude: 'b', type: 'count' }, '"exclude" leaves out text of one element'],
    [{ selector: 'a::all', type: 'count' }, 'leave out "all"'],
    [{ selector: 'a::text', type: 'count' }, 'counts elements'],
    [{ selector: 'a', type: 'count', pattern: 'x' }, '"pattern" matches a text'],
    [{ selector: 'a', type: 'boolean', default: true }, 'leave out "default"'],
    [{ selector: 'a', type: 'count', required: true }, 'leave out "required"'],
    [{ selector: 'a', all: true, type: 'boolean' }, 'add a "pattern"'],
    [{ selector: 'a', default: 1, required: true }, 'leave out "default" or "required"'],
    [{ selector: 'a', json: '$[' }, '"json": '],
    [{ selector: 'a::html', json: '$.x' }, 'leave out ::html'],
    [{ selector: 'a', json: '$.x', type: 'table' }, 'leave out "json"'],
    [{ selector: 'a', json: '$.x', whitespace: 'keep' }, '"whitespace" applies to texts'],
    [{ selector: 'a', fields: { b: { json: '$.x' } } }, 'add a "selector"'],
    [{ json: '$.x', fields: { b: 'b' } }, 'write {"json": "$.name"}'],
    [{ json: '$.x', fields: { b: { selector: 'b', json: '$.x' } } }, 'leave out "selector"'],
    [{ json: '$.x', exclude: 'b' }, '"exclude" leaves out text of one element'],
    [{ selector: 'table::text', type: 'rows' }, 'read the element'],
    [{ selector: 'a', locale: 'de' }, '"locale" needs the type number'],
    [{ selector: 'a', type: 'url', currency: 'EUR' }, '"currency" needs the type price'],
    [{ selector: 'a', format: 'dd.MM.yyyy' }, '"format" needs the type date'],
    [{ selector: 'a', type: 'date', timezone: 'UTC' }, '"timezone" needs the type datetime'],
    [{ selector: 'a', fields: { b: 'b' }, locale: 'not a tag' }, 'not "not a tag".'],
    [{ selector: 'a', fields: { b: 'b' }, locale: 'de_DE' }, 'not "de_DE"; write "de-DE".'],
    [{ selector: 'a', type: 'date', format: 'dd.QQ' }, '"format": "QQ" is not a field of a date'],
    [{ selector: 'a', fields: { b: 'b' }, currency: 'XYZ' }, 'ISO 4217'],
    [{ selector: 'a', fields: { b: 'b' }, timezone: 'Mars/Olympus' }, 'IANA time zone'],
    [{ selector: 'a', key: 'b' }, 'add "all" and "fields"'],
    [{ selector: 'a', all: true, fields: { b: 'b' }, key: 'c' }, 'the name of one of "fields"'],
    [{ selector: 'a::attr(href)', absolute: true, json: '$.x' }, 'use the type url with "json"'],
    [{ selector: 'a', type: 'url' }, 'add ::attr(href)'],
    [{ selector: 'a::attr(href)', absolute: true, type: 'count' }, '"absolute" returns a URL'],
  ])('rejects the options %j: %s', (spec, hint) => {
    expect(messageOf(spec)).toContain(hint);
  });

  it('knows the keys of the request schema', () => {
    const forms: { properties?: object }[] = Object(SelectorSchema).anyOf;
    for (const key of Object.keys(forms[1]?.properties ?? {})) {
      expect(messageOf({ [key]: Symbol.iterator })).toMatch(new RegExp(`^"${key}" must `));
    }
    expect(messageOf({ selector: 'a', unknown: 1 })).toContain(
      `use ${Object.keys(forms[1]?.properties ?? {}).join(', ')}.`,
    );
  });

  it('lists every error of one field', () => {
    const spec = { selector: 'a', pattern: '(', locale: '!', currency: 'EUR' };
    expect(errorsOf({ f: spec })).toHaveLength(4);
    expect(errorsOf({ f: spec }).every(({ path }) => path === 'selectors.f')).toBe(true);
  });

  it('accepts options for all fields of a record', () => {
    expect(
      messageOf({ selector: 'a', locale: 'de', currency: 'eur', timezone: 'UTC', fields: { b: 'b' } }),
    ).toBe('');
  });

  it('rejects patterns that are too large together', () => {
    const spec = { selector: 'a', pattern: '.{1000}' };
    const map = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, spec]));
    expect(errorsOf(map(12))).toEqual([]);
    expect(errorsOf(map(13))).toEqual([
      { path: 'selectors', message: expect.stringContaining('too large together') },
    ]);
  });

  it('counts the bytes of all texts', () => {
    const spec = { selector: 'a', default: 'x'.repeat(4000) };
    const map = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, spec]));
    expect(errorsOf(map(16))).toEqual([]);
    expect(errorsOf(map(17))[0]?.message).toContain('65536 bytes');
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

  it('keeps the plans that were used last, at most 200, and none of long selectors', () => {
    const first = planSelectors({ first: 'p' });
    for (let index = 0; index < 99; index++) planSelectors({ [`field${index}`]: 'p' });
    expect(planSelectors({ first: 'p' })).toBe(first);
    for (let index = 99; index < 299; index++) planSelectors({ [`field${index}`]: 'p' });
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
