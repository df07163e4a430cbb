import { describe, expect, it } from '@jest/globals';
import { cellText, tablesIn } from './tables-in.ts';

describe('tablesIn', () => {
  it('makes a table of each list, and one of the single values', () => {
    const data = {
      heading: 'Books',
      books: [{ title: 'Emma', price: 9 }, { title: 'Kim' }],
      tags: ['a', 'b'],
    };
    expect(tablesIn(data)).toEqual([
      {
        field: 'books',
        columns: ['title', 'price'],
        rows: [
          ['Emma', 9],
          ['Kim', undefined],
        ],
      },
      { field: 'tags', columns: ['tags'], rows: [['a'], ['b']] },
      { field: undefined, columns: ['field', 'value'], rows: [['heading', 'Books']] },
    ]);
  });

  it('keeps the place of a record that is null', () => {
    expect(tablesIn({ rows: [{ a: 1, b: 2 }, null] })[0]?.rows).toEqual([
      [1, 2],
      [null, null],
    ]);
  });
});

describe('cellText', () => {
  it.each([
    [null, ''],
    ['a', 'a'],
    [0, '0'],
    [{ amount: 1 }, '{"amount":1}'],
  ])('%p: %p', (value, text) => {
    expect(cellText(value)).toBe(text);
  });
});
