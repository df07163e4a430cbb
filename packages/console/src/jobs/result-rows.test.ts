import { describe, expect, it } from '@jest/globals';
import { resultRows } from './result-rows.ts';

const PAGES = [
  { url: 'https://a.example/', data: { title: 'A', books: [{ name: 'Emma' }, { name: 'Kim', price: 2 }] } },
  { url: 'https://b.example/', data: { title: null } },
];

describe('resultRows', () => {
  it('returns a row per page', () => {
    const { columns, rows, lists } = resultRows(PAGES, undefined);
    expect(columns).toEqual(['url', 'title', 'books']);
    expect(rows[1]).toEqual(['https://b.example/', null, undefined]);
    expect(lists).toEqual(['books']);
  });

  it('has a column for the verdicts of pages that are not content', () => {
    const verdict = { page: 'login' as const, basis: 'observed' as const, signals: [] };
    const { columns, rows } = resultRows(
      [...PAGES, { url: '/c', data: {}, metadata: { verdict } }],
      undefined,
    );
    expect(columns).toEqual(['url', 'verdict', 'title', 'books']);
    expect(rows.map((row) => row[1])).toEqual(['content', 'content', 'login']);
  });

  it('has a column for the names of files', () => {
    const file = { id: 'fil_1', name: 'a.zip', contentType: 'application/zip', size: 1, sha256: '' };
    const { columns, rows } = resultRows([...PAGES, { url: '/a.zip', file }], undefined);
    expect(columns).toEqual(['url', 'title', 'books', 'file']);
    expect(rows[2]).toEqual(['/a.zip', undefined, undefined, 'a.zip']);
  });

  it('returns a row per record of a list', () => {
    expect(resultRows(PAGES, 'books')).toMatchObject({
      pages: [0, 0],
      columns: ['url', 'name', 'price'],
      rows: [
        ['https://a.example/', 'Emma', undefined],
        ['https://a.example/', 'Kim', 2],
      ],
    });
  });
});
