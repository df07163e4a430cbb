import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { askOurs } from './ask-ours.ts';
import { readTableCorpus } from './corpus.ts';
import { type GridSheet, toGridSheet } from './grid.ts';

/** Layouts of Chromium, written by record.ts. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as GridSheet;

describe('the grid of a table', () => {
  const documents = readTableCorpus().map(({ name, html }) => ({ name, grids: askOurs(html) }));

  it('is compared on over 400 tables with over 5,000 cells', () => {
    const counts = Object.values(golden.documents).map((summary) => summary.split(' ').map(Number));
    expect(counts.reduce((sum, [tables = 0]) => sum + tables, 0)).toBeGreaterThan(400);
    expect(counts.reduce((sum, [, cells = 0]) => sum + cells, 0)).toBeGreaterThan(5000);
  });

  it('has each cell where Chromium lays it out', () => {
    expect(toGridSheet(golden.browser, documents)).toEqual(golden);
  });
});
