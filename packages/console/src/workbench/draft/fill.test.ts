import { describe, expect, it } from '@jest/globals';
import { type Draft, newColumn } from './draft.ts';
import { describeFill, fillOf } from './fill.ts';

const title = newColumn({ name: 'title', selector: 'h2' });
const price = newColumn({ name: 'price', selector: '.price' });
const total = newColumn({ name: 'total', selector: '.total' });
const draft: Draft = { list: { name: 'items', selector: '.item', columns: [title, price] }, values: [total] };

describe('fillOf', () => {
  it('counts the records that have a value, and shows different ones', () => {
    const items = [
      { title: 'Emma', price: 0 },
      { title: 'Kim', price: null },
      { title: 'Emma', price: '' },
    ];
    const extracted = { data: { items, total: null }, matches: {} };
    expect(fillOf(extracted, draft, title)).toEqual({
      filled: 3,
      total: 3,
      isSingle: false,
      samples: ['Emma', 'Kim'],
    });
    expect(fillOf(extracted, draft, price)).toEqual({ filled: 1, total: 3, isSingle: false, samples: [0] });
    expect(fillOf(extracted, draft, total)).toEqual({ filled: 0, total: 1, isSingle: true, samples: [] });
  });

  it('is empty without data', () => {
    expect(fillOf({ matches: {} }, draft, title)).toEqual({
      filled: 0,
      total: 0,
      isSingle: false,
      samples: [],
    });
  });
});

describe('describeFill', () => {
  it.each([
    [3, 3, 'all 3'],
    [1, 3, '1 of 3'],
    [0, 0, 'no records'],
  ])('%d and %d: %s', (filled, of, words) => {
    expect(describeFill({ filled, total: of, isSingle: false, samples: [] })).toBe(words);
  });

  it('is a word for a value of the page', () => {
    const fill = { total: 1, isSingle: true, samples: [] };
    expect([0, 1].map((filled) => describeFill({ ...fill, filled }))).toEqual(['missing', 'found']);
  });
});
