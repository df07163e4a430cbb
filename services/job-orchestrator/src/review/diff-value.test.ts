import { describe, expect, it } from '@jest/globals';
import { chooseKey, diffValue, RUN_SAMPLE, shorten, type ValueChange } from './diff-value.ts';
import { unitsOf } from './match-records.ts';

/** Returns the differences of two values. */
function diff(path: string, before: unknown, after: unknown): ValueChange[] {
  return [...diffValue(path, before, after)].flatMap((change) => change ?? []);
}

/** Returns the key of a list with the number of steps in which it was found. */
function keyOfList(before: readonly unknown[], after: readonly unknown[]) {
  const steps = chooseKey(before, after, RUN_SAMPLE);
  for (let count = 0; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { key: value, count };
  }
}

describe('diffValue', () => {
  it('finds nothing in equal data', () => {
    expect(diff('', { a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([]);
  });

  it('names fields in objects', () => {
    const before = { title: 'Emma', price: { amount: 9, currency: 'GBP' } };
    expect(diff('', before, { title: 'Emma', price: { amount: 8, currency: 'GBP' } })).toEqual([
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
    expect(diff('', before, after)).toEqual([
      { path: 'books[Emma]', kind: 'removed', before: { title: 'Emma', price: 9 } },
      { path: 'books[Kim].price', kind: 'changed', before: 5, after: 6 },
      { path: 'books[Ulysses]', kind: 'added', after: { title: 'Ulysses', price: 9 } },
    ]);
  });

  it('compares other lists by place', () => {
    expect(diff('', { tags: ['a', 'b'] }, { tags: ['a', 'c', 'd'] })).toEqual([
      { path: 'tags[1]', kind: 'changed', before: 'b', after: 'c' },
      { path: 'tags[2]', kind: 'added', after: 'd' },
    ]);
  });

  it('finds no change in a value that became null or an empty list from nothing, or in another order of fields', () => {
    expect(diff('', { a: null, b: [], c: 1, d: 2 }, { d: 2, c: 1 })).toEqual([]);
    expect(diff('', { a: null, c: 1 }, { c: 2 })).toEqual([
      { path: 'c', kind: 'changed', before: 1, after: 2 },
    ]);
    expect(diff('', { a: 1, b: ['x'] }, { a: null, b: [] })).toEqual([
      { path: 'a', kind: 'removed', before: 1 },
      { path: 'b[0]', kind: 'removed', before: 'x' },
    ]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'takes a field named %s for nothing but a field',
    (name) => {
      const record = (value: unknown) => JSON.parse(`{"${name}":${JSON.stringify(value)},"b":1}`) as object;
      expect(diff('', record('1'), record('1'))).toEqual([]);
      expect(diff('', { b: 1 }, record('1'))).toEqual([{ path: name, kind: 'added', after: '1' }]);
      expect(diff('', record('1'), record('2'))).toEqual([
        { path: name, kind: 'changed', before: '1', after: '2' },
      ]);
      const list = [record('x'), record('y')];
      expect(diff('l', list, list.toReversed())).toEqual([]);
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
    expect(keyOfList([record, second], [record, second]).key).toBe(key);
  });

  it('differs between records, and is not lost by all of them', () => {
    const before = records({ name: 'A', price: '1' }, { name: 'A', price: '2' });
    expect(keyOfList(before, before).key).toBe('price');
    const [one, other] = [records({ price: '9' }), records({ price: '8' })];
    expect(keyOfList(one, other).key).toBeUndefined();
  });

  it('may be in equal records many times', () => {
    const twice = records({ name: 'A', price: 1 }, { name: 'A', price: 1 }, { name: 'B', price: 1 });
    expect(keyOfList(twice, twice).key).toBe('name');
  });
});

describe('a large list', () => {
  it('has its key sought in a bounded sample, and its content read once a record', () => {
    let reads = 0;
    const record = (index: number) => ({
      ...Object.fromEntries(Array.from({ length: 40 }, (_, field) => [`same${field}`, 'x'])),
      get watched() {
        reads += 1;
        return `value ${index >> 1}`;
      },
    });
    // Each record is there twice, so that all its content has to be compared.
    const list = Array.from({ length: 3000 }, (_, index) => record(index));
    const { key, count } = keyOfList(list, list);
    expect(key).toBe('watched');
    // Once as a key on each side, and once or twice for the text.
    expect(reads).toBeLessThan(4 * list.length);
    expect(count).toBeLessThan(100_000);
  });

  it('of one large record is compared in small steps', () => {
    const value = (last: number) => ({
      rows: [...Array.from({ length: 100_000 }, (_, index) => [index]), [last]],
    });
    const steps = [...diffValue('', value(1), value(2))];
    expect(steps.filter((step) => step !== undefined)).toEqual([
      { path: 'rows[100000][0]', kind: 'changed', before: 1, after: 2 },
    ]);
    expect([...unitsOf(value(1), 'page', new Map())].length).toBeGreaterThan(50);
  });

  it('is compared in small steps', () => {
    const list = (price: number) =>
      Array.from({ length: 1000 }, (_, index) => ({ name: `Book ${index}`, price }));
    const steps = [...diffValue('books', list(1), list(2))];
    expect(steps.filter((step) => step !== undefined)).toHaveLength(1000);
    expect(steps.length).toBeGreaterThan(3000);
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
