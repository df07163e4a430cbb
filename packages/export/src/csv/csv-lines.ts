import { csvCell, csvLine } from '@gleaner/contracts/csv';
import { rowsOf, type Table } from '../columns/rows.ts';

/** Returns the first line of a CSV: the names of its columns. */
export function csvHead({ columns }: Table): string {
  return csvLine(columns.map(({ name }) => csvCell(name)));
}

/** Yields the lines of one result, which is JSON text. */
export function* linesOf(text: string, table: Table): Generator<string> {
  for (const cells of rowsOf(text, table, csvCell)) yield csvLine(cells);
}
