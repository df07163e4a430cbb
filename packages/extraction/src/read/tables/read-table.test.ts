import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../budget.ts';
import { parseDocument } from '../../dom/parse-document.ts';
import { rowsOf, tableOf } from './read-table.ts';

const body = (html: string) => {
  const element = parseDocument(html).elements.find(({ name }) => name === 'body');
  if (!element) throw new Error('There is no body.');
  return element;
};
const recordsIn = (html: string) => tableOf(body(html), { budget: new Budget() });
const rowsIn = (html: string) => rowsOf(body(html), { budget: new Budget() });
const problem = expect.stringMatching(/gaps and repeated cells/);

describe('tableOf', () => {
  it('names the columns by thead', () => {
    expect(
      recordsIn(`<table><caption>Books</caption><thead><tr><th>Title<td>Pages</thead>
        <tr><td> Emma <td>512<tr><th>Persuasion</th><td>249`),
    ).toEqual({
      value: [
        { Title: 'Emma', Pages: '512' },
        { Title: 'Persuasion', Pages: '249' },
      ],
    });
  });

  it('names the columns by the first rows that have only th, and keeps later ones as rows', () => {
    expect(
      recordsIn(`<table><tr><th rowspan=2>Name<th colspan=2>Area<tr><th>km²<th>mi²
        <tr><td>Alaska<td>1723337<td>665384<tr><th colspan=3>Islands<tr><td>Guam<td>541<td>209`),
    ).toEqual({
      value: [
        { Name: 'Alaska', 'Area km²': '1723337', 'Area mi²': '665384' },
        { Name: 'Islands', 'Area km²': 'Islands', 'Area mi²': 'Islands' },
        { Name: 'Guam', 'Area km²': '541', 'Area mi²': '209' },
      ],
    });
  });

  it('separates lines and blocks inside a cell by a space', () => {
    expect(
      recordsIn(`<table><tr><th>Size<br>(outer)<th>Parts<tr><td>20<br/>× 30 <b>c</b>m
        <td><ul><li>Lid</li><li>Base</li></ul>two<p>in all</p>`),
    ).toEqual({ value: [{ 'Size (outer)': '20 × 30 cm', Parts: 'Lid Base two in all' }] });
  });

  it('takes one row as the header of a table that has only th', () => {
    expect(recordsIn('<table><tr><th>a<th>b<tr><th>1<th>2')).toEqual({ value: [{ a: '1', b: '2' }] });
  });

  it('names columns without a header by their number, and repeated names by a count', () => {
    expect(recordsIn('<table><tr><td>1<td>2')).toEqual({ value: [{ column_1: '1', column_2: '2' }] });
    const names = ['A', '', 'A', 'A_2', 'column_2', '', 'A'].map((name) => `<th>${name}`).join('');
    expect(recordsIn(`<table><tr>${names}<tr>${'<td>x'.repeat(8)}`)).toEqual({
      value: [
        {
          A: 'x',
          column_2: 'x',
          A_2: 'x',
          A_2_2: 'x',
          column_2_2: 'x',
          column_6: 'x',
          A_3: 'x',
          column_8: 'x',
        },
      ],
    });
  });

  it('changes names that the database rejects, and cuts long ones', () => {
    const result = recordsIn(`<table><tr><th>$set<th>__proto__<th>${'long '.repeat(100)}<tr><td>1<td>2<td>3`);
    expect(JSON.stringify(result)).toBe(
      JSON.stringify({ value: [{ _$set: '1', ___proto__: '2', ['long '.repeat(100).slice(0, 256)]: '3' }] }),
    );
  });

  it('repeats a cell in all rows and columns that it covers, and gives null for missing cells', () => {
    expect(
      recordsIn('<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<tr><td>4'),
    ).toEqual({
      value: [
        { a: '1', b: '2', c: '2' },
        { a: '1', b: '3', c: null },
        { a: '4', b: null, c: null },
      ],
    });
  });

  it('leaves out rows and columns in which no cell starts', () => {
    expect(recordsIn('<table><tr><th>a<th colspan=2>b<tr></tr><tr><td>1<td colspan=99>2')).toEqual({
      value: [{ a: '1', b: '2' }],
    });
  });

  it('reads the first table inside an element, and no rows of nested tables', () => {
    expect(recordsIn('<p>x<div><table><tr><td>1<td>2 <table><tr><td>in<td>side</table></table>')).toEqual({
      value: [{ column_1: '1', column_2: '2 in side' }],
    });
  });

  it('explains why there is no value', () => {
    expect(recordsIn('<p>x')).toEqual({ problem: 'The element <body> is not a table and has none inside.' });
    expect(recordsIn('<table></table>')).toEqual({ value: [] });
  });
});

describe('rowsOf', () => {
  it('returns all rows as browsers show them: the head first, the foot last', () => {
    expect(
      rowsIn(
        '<table><tfoot><tr><td>f<tbody><tr><td rowspan=9>b<td>c<thead><tr><th>h<tbody><tr><td rowspan=0>d<tr><td>e',
      ),
    ).toEqual({
      value: [
        ['h', null],
        ['b', 'c'],
        ['d', null],
        ['d', 'e'],
        ['f', null],
      ],
    });
  });

  it('shows the cell that starts last where cells overlap', () => {
    expect(rowsIn('<table><tr><td>a<td rowspan=3>b<td>c<tr><td colspan=3 rowspan=2>d<tr><td>e')).toEqual({
      value: [
        ['a', 'b', 'c', null],
        ['d', 'b', 'd', null],
        ['d', 'b', 'd', 'e'],
      ],
    });
  });
});

describe('a hostile table', () => {
  const table = (rows: string) => `<table>${rows}</table>`;

  it('costs no more than its cells for any colspan', () => {
    const rows = '<tr><td colspan=1000000>a<td colspan=1000000>b'.repeat(10_000);
    const result = rowsIn(table(rows));
    expect(result).toEqual({ value: Array.from({ length: 10_000 }, () => ['a', 'b']) });
  });

  it('has no value when most of it is repeated by rowspan', () => {
    expect(rowsIn(table(`<tr>${'<td rowspan=65534>a'.repeat(10_000)}${'<tr><td>b'.repeat(10_000)}`))).toEqual(
      {
        problem,
      },
    );
    expect(rowsIn(table('<tr><td rowspan=0 colspan=9>a<td>b'.repeat(10_000)))).toEqual({ problem });
  });

  it('has no value when most of it is missing', () => {
    expect(rowsIn(table(`<tr>${'<td>a'.repeat(10_000)}${'<tr><td>b'.repeat(10_000)}`))).toEqual({ problem });
  });

  it('is read whatever its number of real cells', () => {
    const result = rowsIn(table(`<tr>${'<td>a'.repeat(10)}`.repeat(20_000)));
    expect('value' in result && result.value).toHaveLength(20_000);
  });

  it('pays for each copy of a text and of a name', () => {
    const copies = (rows: string) => () =>
      tableOf(body(table(rows)), { budget: new Budget({ maxOutputBytes: 100_000 }) });
    const long = 'long '.repeat(2000);
    const tooLarge = expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' });
    expect(copies(`<tr><td rowspan=0>${long}<td>b${'<tr><td>c'.repeat(5)}`)).not.toThrow();
    expect(copies(`<tr><td rowspan=0>${long}<td>b${'<tr><td>c'.repeat(50)}`)).toThrow(tooLarge);
    expect(copies(`<tr><th>${long}${'<tr><td>c'.repeat(500)}`)).toThrow(tooLarge);
  });

  it('may have empty rows, runs of no-break spaces and many repeated names', () => {
    const result = tableOf(
      body(
        table(`<tr>${'<th>a'.repeat(1000)}${'<tr></tr>'.repeat(10_000)}<tr><td>${'&nbsp;'.repeat(100_000)}b`),
      ),
      { budget: new Budget() },
    );
    expect('value' in result && result.value).toMatchObject([{ a: 'b', a_2: null, a_1000: null }]);
  });
});
