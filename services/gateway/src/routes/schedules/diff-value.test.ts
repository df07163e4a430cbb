import { describe, expect, it } from '@jest/globals';
import { diffValue } from './diff-value.ts';

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
});
