import type { PageKind, Verdict } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { comparePage, valueAt } from './compare-page.ts';
import type { PageValues } from './reading.ts';

const verdictOf = (page: PageKind): Verdict => ({ page, basis: 'inferred', signals: [] });
const pageOf = (data: object, rest: Partial<PageValues> = {}): PageValues => ({
  dataJson: JSON.stringify(data),
  warnings: [],
  verdict: verdictOf('content'),
  mayBeShell: false,
  times: { parse: 0, extract: 0 },
  ...rest,
});

describe('comparePage', () => {
  const data = { title: 'A', price: { amount: 1.5, currency: 'GBP' }, books: [{ t: 'x' }, { t: null }] };

  it('passes values that are equal, whatever the order of their fields', () => {
    const expect_ = {
      title: 'A',
      price: { currency: 'GBP', amount: 1.5 },
      'price.amount': 1.5,
      'books.length': 2,
      'books.1.t': null,
      books: [{ t: 'x' }, { t: null }],
      'formats.markdown': '# A',
    };
    const page = pageOf(data, { formatsJson: '{"markdown":"# A"}' });
    expect(comparePage(page, { expect: expect_, verdict: 'content' })).toEqual({
      passed: true,
      verdict: 'content',
      differences: [],
    });
  });

  it.each([
    ['title', 'B', '"A"'],
    ['title', null, '"A"'],
    ['price.amount', '1.5', '1.5'],
    ['price', { amount: 1.5 }, '{"amount":1.5,"currency":"GBP"}'],
    ['books', [{ t: 'x' }], '[{"t":"x"},{"t":null}]'],
    ['books', {}, '[{"t":"x"},{"t":null}]'],
    ['books.1.t', 'x', 'null'],
  ])('shows how %s differs from %j', (path, value, actual) => {
    const found = comparePage(pageOf(data), { expect: { [path]: value } });
    expect(found).toMatchObject({
      passed: false,
      differences: [{ path, expected: JSON.stringify(value), actual }],
    });
  });

  it.each(['none', 'title.length', 'books.2', 'books.01', 'price.amount.x', '__proto__', 'constructor', ''])(
    'shows no value at "%s", which is not there',
    (path) => {
      const found = comparePage(pageOf(data), { expect: { [path]: 1 } });
      expect(found.differences).toEqual([{ path, expected: '1' }]);
    },
  );

  it('cuts what is long', () => {
    const found = comparePage(pageOf({ text: 'x'.repeat(5000) }), { expect: { text: 'y'.repeat(5000) } });
    const [difference] = found.differences;
    expect([difference?.expected.length, difference?.actual?.length]).toEqual([1001, 1001]);
  });

  it('fails a page of another kind, and one that lacks a required field', () => {
    const login = pageOf(data, { verdict: verdictOf('login') });
    expect(comparePage(login, { expect: {}, verdict: 'content' }).differences).toEqual([
      { path: 'verdict', expected: '"content"', actual: '"login"' },
    ]);
    expect(comparePage(login, { expect: {} })).toMatchObject({ passed: true, verdict: 'login' });
    const missing = {
      code: 'REQUIRED_FIELD_MISSING',
      message: '',
      suggestion: '',
      source: 'target',
    } as const;
    expect(comparePage(pageOf({}, { missing }), { expect: { title: 'A' } })).toMatchObject({
      passed: false,
      differences: [],
      error: missing,
    });
  });
});

describe('valueAt', () => {
  it('takes the longest name that a path may begin with', () => {
    const value = { a: { b: 1 }, 'a.b': { c: 2 }, 'd.e': 3 };
    expect(valueAt(value, 'a.b.c')).toBe(2);
    expect(valueAt(value, 'd.e')).toBe(3);
    expect(valueAt(value, 'a.b')).toEqual({ c: 2 });
  });

  it('takes time in proportion to a path of many names', () => {
    const names = Array.from({ length: 250 }, (_, index) => `${'a.'.repeat(index)}a`);
    const value = Object.fromEntries(names.slice(0, -1).map((name) => [name, { a: 1 }]));
    expect(valueAt(value, `${'a.'.repeat(400)}b`)).toBeUndefined();
  });
});
