import { describe, expect, it } from '@jest/globals';
import { chooseKey, diffValue, shorten } from './diff-value.ts';

describe('diffValue', () => {
  it('finds nothing in equal data', () => {
    expect(diffValue('', { a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([]);
  });

  it('names fields in objects', () => {
    const before = { title: 'Emma', price: { amount: 9, currency: 'GBP' } };
    expect(diffValue('', before, { title: 'Emma', price: { amount: 8, currency: 'GBP' } })).toEqual([
      { path: 'price.amount', kind: 'changed', before: 9, after: 8 },
    ]);
  });

  it('compares the records of a list by what tells them apart, not by their place', () => {
    const before = {
      books: [
        { title: 'Emma', price: 9 },
        { title: 'Kim', price: 5 },
      ],
    };
    const after = {
      books: [
        { title: 'Ulysses', price: 9 },
        { title: 'Kim', price: 6 },
      ],
    };
    expect(diffValue('', before, after)).toEqual([
      { path: 'books[Emma]', kind: 'removed', before: { title: 'Emma', price: 9 } },
      { path: 'books[Kim].price', kind: 'changed', before: 5, after: 6 },
      { path: 'books[Ulysses]', kind: 'added', after: { title: 'Ulysses', price: 9 } },
    ]);
  });

  it('compares other lists by place', () => {
    expect(diffValue('', { tags: ['a', 'b'] }, { tags: ['a', 'c', 'd'] })).toEqual([
      { path: 'tags[1]', kind: 'changed', before: 'b', after: 'c' },
      { path: 'tags[2]', kind: 'added', after: 'd' },
    ]);
  });

  it('finds no change in a value that became null or an empty list from nothing, or in another order of fields', () => {
    expect(diffValue('', { a: null, b: [], c: 1, d: 2 }, { d: 2, c: 1 })).toEqual([]);
    expect(diffValue('', { a: 1, b: ['x'] }, { a: null, b: [] })).toEqual([
      { path: 'a', kind: 'removed', before: 1 },
      { path: 'b[0]', kind: 'removed', before: 'x' },
    ]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'takes a field named %s for nothing but a field',
    (name) => {
      const record = (value: unknown) => JSON.parse(`{"${name}":${JSON.stringify(value)},"b":1}`) as object;
      expect(diffValue('', record('1'), record('1'))).toEqual([]);
      expect(diffValue('', { b: 1 }, record('1'))).toEqual([{ path: name, kind: 'added', after: '1' }]);
      expect(diffValue('', record('1'), record('2'))).toEqual([
        { path: name, kind: 'changed', before: '1', after: '2' },
      ]);
      const list = [record('x'), record('y')];
      expect(diffValue('l', list, list.toReversed())).toEqual([]);
    },
  );
});

describe('the key of a list', () => {
  const records = (...values: object[]) => values;

  it.each([
    ['an id before a URL and a title', { title: 'A', url: 'https://a.test/1', sku: 7 }, 'sku'],
    ['a URL before a title', { title: 'A', more: 'https://a.test/1' }, 'more'],
    ['a text before a number', { position: 1, title: 'A' }, 'title'],
  ])('is %s', (_case, record, key) => {
    const other = { title: 'B', url: 'https://a.test/2', more: 'https://a.test/2', sku: 8, position: 2 };
    const second = Object.fromEntries(
      Object.keys(record).map((name) => [name, Object.entries(other).find(([each]) => each === name)?.[1]]),
    );
    expect(chooseKey([record, second], [record, second])).toBe(key);
  });

  it('differs between records, and is not lost by all of them', () => {
    const before = records({ name: 'A', price: '1' }, { name: 'A', price: '2' });
    expect(chooseKey(before, before)).toBe('price');
    const [one, other] = [records({ price: '9' }), records({ price: '8' })];
    expect(chooseKey(one, other)).toBeUndefined();
  });

  it('may be in equal records many times', () => {
    const twice = records({ name: 'A', price: 1 }, { name: 'A', price: 1 }, { name: 'B', price: 1 });
    expect(chooseKey(twice, twice)).toBe('name');
  });
});

describe('a long value', () => {
  it('is cut to the part around the first difference', () => {
    const text = (word: string) => `${'x'.repeat(10_000)}${word}${'y'.repeat(10_000)}`;
    const { before, after, isCut } = shorten({
      path: 'a',
      kind: 'changed',
      before: text('old'),
      after: text('new'),
    });
    expect(isCut).toBe(true);
    expect(before).toContain('xoldy');
    expect(after).toContain('xnewy');
    expect(String(before).length).toBeLessThan(5000);
  });
});
