import type { PageResult } from '@gleaner/contracts';
import { csvCell, csvLine } from '@gleaner/contracts/csv';
import { allColumnsOf, type CsvChoice, columnsOf, type ExportedOptions } from './crawl-columns.ts';
import { type Column, type ListField, memberOf } from './csv-columns.ts';

/** Choice of the columns and rows of a CSV; with names, the columns are those, in their order. */
export interface CsvPlan extends CsvChoice {
  readonly columns?: readonly string[] | undefined;
}

/** Columns and rows that are written of each result. */
export interface CsvWriter extends CsvChoice {
  readonly columns: readonly Column[];
  /** Columns of what was extracted: a page without any of them has no record. */
  readonly fields: readonly Column[];
}

/** Plans what is written of each result. */
export function planLines(exported: ExportedOptions, { columns: names, ...choice }: CsvPlan): CsvWriter {
  const own = columnsOf(exported, choice);
  const known = names && new Map(allColumnsOf(exported, choice).map((column) => [column.name, column]));
  const columns = names ? names.flatMap((name) => known?.get(name) ?? []) : own;
  return { ...choice, columns, fields: own.filter(({ isOfPage }) => !isOfPage) };
}

/** Yields the lines of one result, which is JSON text. */
export function* linesOf(text: string, { columns, fields, rows, pages }: CsvWriter): Generator<string> {
  const result: PageResult = JSON.parse(text);
  if (pages !== 'all' && !hasRecord(result, fields, rows)) return;
  const ofPage = columns.map(({ read, isOfRow }) => (isOfRow ? '' : csvCell(read(result))));
  for (const data of rows ? rowsOf(result.data, rows.names) : [result.data]) {
    const row = { ...result, data } as PageResult;
    yield csvLine(
      columns.map(({ read, isOfRow }, index) => (isOfRow ? csvCell(read(row)) : (ofPage[index] ?? ''))),
    );
  }
}

/** Returns whether a page has something to write: an entry of the list, if it was looked for, or a value. */
function hasRecord(result: PageResult, fields: readonly Column[], rows: ListField | undefined): boolean {
  const [first] = rows?.names ?? [];
  const isListed = first !== undefined && result.data !== null && Object.hasOwn(result.data ?? {}, first);
  const [row] = rows && isListed ? rowsOf(result.data, rows.names) : [result.data];
  const read = { ...result, data: row } as PageResult;
  const wanted = isListed ? fields.filter(({ isOfRow }) => isOfRow) : fields;
  return wanted.some((column) => csvCell(column.read(read)) !== '');
}

/** Yields the data once for each entry of the list, which the entry replaces; once for a list without entries. */
function* rowsOf(data: unknown, names: readonly string[]): Generator<unknown> {
  const [name, ...inner] = names;
  if (name === undefined) return yield data;
  const value = memberOf(data, name);
  if (value === undefined || value === null) return yield data;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0) return yield { ...(data as object), [name]: null };
  for (const entry of entries) {
    for (const row of rowsOf(entry, inner)) yield { ...(data as object), [name]: row };
  }
}
