import { describe, expect, it } from '@jest/globals';
import { selectorsOf } from './draft.ts';
import { draftFrom } from './draft-from.ts';

const SELECTORS = {
  title: 'h1',
  link: { selector: 'a::attr(href)', type: 'url' },
  items: {
    selector: '.item',
    all: true,
    fields: { name: 'h2', price: { selector: '.price', type: 'price' } },
  },
  tags: '.tag::all',
  stock: { selector: '.stock', pattern: '\\d+' },
  more: { selector: '.more', all: true, fields: { name: 'h2' } },
} as const;

describe('draftFrom', () => {
  it('has fields for single values and a list, and keeps everything else', () => {
    const draft = draftFrom(SELECTORS);
    expect(draft.values.map(({ name, take }) => [name, take])).toEqual([
      ['title', 'text'],
      ['link', 'attr(href)'],
    ]);
    expect(draft.list?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['name', ''],
      ['price', 'price'],
    ]);
    expect(Object.keys(draft.others ?? {})).toEqual(['tags', 'stock', 'more']);
    expect(selectorsOf(draft)).toEqual(SELECTORS);
  });

  it('keeps a list with a column that the editor has no fields for', () => {
    const items = { selector: '.item', all: true, fields: { tags: 'i::all' } };
    expect(draftFrom({ items })).toEqual({ values: [], others: { items } });
  });
});
