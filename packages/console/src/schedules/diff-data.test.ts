import { describe, expect, it } from '@jest/globals';
import { diffData } from './diff-data.ts';

describe('diffData', () => {
  it('finds nothing in equal data', () => {
    expect(diffData({ a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([]);
  });

  it('names fields in objects', () => {
    const before = { title: 'Emma', price: { amount: 9, currency: 'GBP' } };
    expect(diffData(before, { title: 'Emma', price: { amount: 8, currency: 'GBP' } })).toEqual([
      { path: 'price.amount', before: 9, after: 8 },
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
    expect(diffData(before, after)).toEqual([
      { path: 'books[Emma]', before: { title: 'Emma', price: 9 }, after: undefined },
      { path: 'books[Kim].price', before: 5, after: 6 },
      { path: 'books[Ulysses]', before: undefined, after: { title: 'Ulysses', price: 9 } },
    ]);
  });

  it('compares other lists by place', () => {
    expect(diffData({ tags: ['a', 'b'] }, { tags: ['a', 'c', 'd'] })).toEqual([
      { path: 'tags[1]', before: 'b', after: 'c' },
      { path: 'tags[2]', before: undefined, after: 'd' },
    ]);
  });
});
