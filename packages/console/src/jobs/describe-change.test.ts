import { describe, expect, it } from '@jest/globals';
import { describeValue, markDifference, placeOf } from './describe-change.ts';

describe('the place of a change', () => {
  it.each([
    ['products[Emma].price.amount', { list: 'products', record: 'Emma', field: 'price.amount' }],
    ['products[Emma [2nd ed.]].price', { list: 'products', record: 'Emma [2nd ed.]', field: 'price' }],
    ['products[https://a.test/b.html]', { list: 'products', record: 'https://a.test/b.html', field: '' }],
    ['tags[1]', { list: 'tags', record: '1', field: '' }],
    ['title', { list: '', record: '', field: 'title' }],
    ['', { list: '', record: '', field: 'the page' }],
  ])('of %s is the list, the record and the field', (path, place) => {
    expect(placeOf(path)).toEqual(place);
  });
});

describe('the difference of two texts', () => {
  it('is the whole of short ones', () => {
    expect(markDifference('£12.99', '£11.99')).toEqual({
      start: '',
      old: '£12.99',
      fresh: '£11.99',
      end: '',
    });
  });

  it('is the words of long ones that differ, with some around them', () => {
    const [before, after] = ['red', 'blue'].map(
      (color) => `${'word '.repeat(50)}${color}${' more'.repeat(50)}`,
    );
    const { start, old, fresh, end } = markDifference(before ?? '', after ?? '');
    expect([old, fresh]).toEqual(['red', 'blue']);
    expect(start).toMatch(/^….{40}$/);
    expect(end).toMatch(/^.{40}…$/);
  });
});

describe('a value', () => {
  it('is shown as one line, a record by its fields', () => {
    expect(describeValue({ title: 'Emma', price: { amount: 9, currency: 'GBP' }, stock: null })).toBe(
      'title: Emma · price: amount: 9 · currency: GBP',
    );
    expect(describeValue(['a', 'b'])).toBe('a, b');
  });
});
