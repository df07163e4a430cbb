import { describe, expect, it } from '@jest/globals';
import {
  type Candidate,
  changeColumn,
  columnOf,
  draftFrom,
  EMPTY_DRAFT,
  listOf,
  newColumn,
  readTyped,
  selectorsOf,
  withSelectors,
} from './draft.ts';

const column = { distinct: 2, filled: 1, values: [], isPicked: false };
const LIST: Candidate = {
  kind: 'list',
  selector: '.book',
  take: 'text',
  matches: 2,
  values: [],
  score: 1,
  reasons: [],
  columns: [
    { ...column, name: 'title', selector: 'h2', take: 'text' },
    { ...column, name: 'url', selector: 'a', take: 'attr(href)' },
  ],
};

describe('listOf', () => {
  it('takes the proposed columns, with absolute addresses', () => {
    expect(selectorsOf({ list: listOf(LIST), values: [] })).toEqual({
      items: {
        selector: '.book',
        all: true,
        fields: { title: 'h2', url: { selector: 'a::attr(href)', type: 'url' } },
      },
    });
  });

  it('takes the text of records without columns', () => {
    const { columns, ...plain } = LIST;
    expect(selectorsOf({ list: listOf(plain), values: [] })).toEqual({
      items: { selector: '.book', all: true, fields: { text: ':scope' } },
    });
  });

  it('keeps columns that were changed, and replaces others', () => {
    const before = { list: listOf(LIST), values: [] };
    const changed = changeColumn(before, before.list.columns[0]?.key ?? 0, { name: 'name' });
    const narrow = { ...LIST, selector: '.books .book', columns: [] };
    expect(listOf(narrow, changed.list).columns.map(({ name }) => name)).toEqual(['name', 'url']);
    expect(listOf(narrow, before.list).columns.map(({ name }) => name)).toEqual(['text']);
  });
});

describe('selectorsOf', () => {
  it('holds single values beside the list, and leaves out what has no name or selector', () => {
    const price = newColumn({ name: 'price', selector: '.price', type: 'price' });
    const values = [price, newColumn(), newColumn({ name: 'a' }), newColumn({ selector: 'b' })];
    expect(selectorsOf({ values })).toEqual({ price: { selector: '.price', type: 'price' } });
    expect(selectorsOf(EMPTY_DRAFT)).toBeUndefined();
  });
});

describe('columnOf', () => {
  it('has a name of its own', () => {
    const field: Candidate = { ...LIST, kind: 'field', selector: '.price' };
    const first = columnOf(field, []);
    expect(columnOf(field, [first]).name).toBe('price2');
  });
});

describe('readTyped', () => {
  it.each([
    ['a::attr(data-id)', { selector: 'a', take: 'attr(data-id)' }],
    ['h1::text', { selector: 'h1', take: 'text' }],
    ['h1::tex', { selector: 'h1::tex' }],
    ['li > a ', { selector: 'li > a ' }],
  ])('%p: %p', (text, parts) => {
    expect(readTyped(text)).toEqual(parts);
  });
});

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

describe('withSelectors', () => {
  it('adds fields, and replaces those of the same name', () => {
    const link = 'a::attr(href)';
    const draft = withSelectors(draftFrom({ title: 'h1', tags: '.tag::all' }), { title: 'h2', link });
    expect(selectorsOf(draft)).toEqual({ title: 'h2', tags: '.tag::all', link });
  });
});
