import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { readTables } from './extract-formats.ts';

const tablesIn = (html: string) =>
  readTables(parseDocument(html), { baseUrl: 'https://example.org/', budget: new Budget() });

describe('readTables', () => {
  it('returns caption, headers and the rows below them', () => {
    expect(
      tablesIn(
        '<table><caption> The <b>books</b></caption><tr><th>Title<th>Title<tr><td>Emma<td>512<tr><td>Sanditon</table>',
      ),
    ).toEqual([
      {
        caption: 'The books',
        headers: ['Title', 'Title_2'],
        rows: [
          ['Emma', '512'],
          ['Sanditon', null],
        ],
      },
    ]);
  });

  it('has null for a caption and headers that a table has not', () => {
    expect(tablesIn('<table><tr><td>1<td>2')).toEqual([{ caption: null, headers: null, rows: [['1', '2']] }]);
  });

  it('leaves out layout tables: those of one cell, and those whose role says so', () => {
    const cells = '<tr><td>a<td>b';
    expect(
      tablesIn(`<table></table><table><tr><td colspan=3>one</table><table role=presentation>${cells}</table>
        <table role=" None table">${cells}</table><table role=table>${cells}</table>`),
    ).toHaveLength(1);
  });

  it('reads a nested table for itself', () => {
    expect(tablesIn('<table><tr><td>out<table><tr><td>1<td>2</table>er<td>x')).toEqual([
      { caption: null, headers: null, rows: [['out er', 'x']] },
      { caption: null, headers: null, rows: [['1', '2']] },
    ]);
  });

  it('reads 100,000 nested tables', () => {
    const nested = tablesIn('<table><tr><td>a<td>'.repeat(100_000));
    expect(nested).toHaveLength(100_000);
    expect(Array.isArray(nested) && nested.at(-1)).toEqual({
      caption: null,
      headers: null,
      rows: [['a', '']],
    });
  });

  it('leaves out tables of which most would be gaps and copies', () => {
    const bomb = `<table>${'<tr><td rowspan=0 colspan=1000>a<td>b'.repeat(1000)}</table>`;
    expect(tablesIn(`${bomb.repeat(20)}<table><tr><td>1<td>2</table>`)).toHaveLength(1);
  });
});
