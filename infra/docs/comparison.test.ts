import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
/** Characters of a cell that takes two lines where seven columns share the width of a page on GitHub. */
const MAX_SHORT_CHARS = 30;
const MARK = / <sup>([\d, ]+)<\/sup>/g;

let page: string;
beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs/comparison.md'), 'utf8');
});

/** Returns the rows of the table that begins with Gleaner's column. */
function comparisonIn(markdown: string): string[] {
  return /^\| \| Gleaner \|.*\n(?:\|.*\n)+/m.exec(markdown)?.[0].trim().split('\n') ?? [];
}

const cellsOf = (row: string) => row.slice(2, -2).split(' | ');
const numbersIn = (cell: string) =>
  [...cell.matchAll(MARK)].flatMap(([, numbers = '']) => numbers.split(', ').map(Number));

describe('docs/comparison.md', () => {
  it('has the rows and the tools of README.md, which says each in few words', async () => {
    const short = comparisonIn(await readFile(join(ROOT, 'README.md'), 'utf8'));
    const nameOf = (row: string) => cellsOf(row)[0];
    expect(short[0]).toBe(comparisonIn(page)[0]);
    expect(short.map(nameOf)).toEqual(comparisonIn(page).map(nameOf));
    expect(short.length).toBeGreaterThan(5);
    const cells = short.slice(2).flatMap((row) => cellsOf(row).slice(1));
    expect(cells.filter((cell) => cell.length > MAX_SHORT_CHARS)).toEqual([]);
  });

  it('has a source for each cell of the others, and a link for each of ours', () => {
    for (const row of comparisonIn(page).slice(2)) {
      const [, ours = '', ...others] = cellsOf(row);
      expect(ours).toContain('](');
      expect(others.filter((cell) => numbersIn(cell).length === 0)).toEqual([]);
    }
  });

  it('lists the sources that it names', () => {
    const listed = [...page.matchAll(/^(\d+)\. \[.+\]\(https:\/\/\S+\)$/gm)].map(([, number]) =>
      Number(number),
    );
    expect(listed).toEqual(listed.map((_, index) => index + 1));
    const named = new Set(comparisonIn(page).flatMap(numbersIn));
    expect([...named].filter((number) => !listed.includes(number))).toEqual([]);
  });
});
