import type { PageResult } from '@gleaner/contracts';
import { allColumnsOf, columnsOf, type ExportedOptions, type TableChoice } from './crawl-columns.ts';
import { type Column, type ListField, memberOf } from './field-columns.ts';

/** Choice of the columns and rows of a table; with names, the columns are those, in their order. */
export interface TablePlan extends TableChoice {
  readonly columns?: readonly string[] | undefined;
}

/** Columns and rows that are written of each result. */
export interface Table extends TableChoice {
  readonly columns: readonly Column[];
  /** Columns of what was extracted: a page without any of them has no record. */
  readonly fields: readonly Column[];
}

/** Plans what is written of each result. */
export function planTable(exported: ExportedOptions, { columns: names, ...choice }: TablePlan): Table {
  const own = columnsOf(exported, choice);
  const known = names && new Map(allColumnsOf(exported, choice).map((column) => [column.name, column]));
  const columns = names ? names.flatMap((name) => known?.get(name) ?? []) : own;
  return { ...choice, columns, fields: own.filter(({ isOfPage }) => !isOfPage) };
}

/** Yields the rows of one result, which is JSON text; a value of the whole page is written once. */
export function* rowsOf<Cell>(
  text: string,
  { columns, fields, rows, pages }: Table,
  write: (value: unknown, column: Column) => Cell,
): Generator<Cell[]> {
  const result: PageResult = JSON.parse(text);
  if (pages !== 'all' && !hasRecord(result, fields, rows)) return;
  const ofPage = columns.map((column) => (column.isOfRow ? undefined : write(column.read(result), column)));
  for (const data of rows ? entriesOf(result.data, rows.names) : [result.data]) {
    const row = { ...result, data } as PageResult;
    yield columns.map((column, index) =>
      column.isOfRow ? write(column.read(row), column) : (ofPage[index] as Cell),
    );
  }
}

/** Returns whether a page has something to write: an entry of the list, if it was looked for, or a value. */
function hasRecord(result: PageResult, fields: readonly Column[], rows: ListField | undefined): boolean {
  const [first] = rows?.names ?? [];
  const isListed = first !== undefined && result.data !== null && Object.hasOwn(result.data ?? {}, first);
  const [row] = rows && isListed ? entriesOf(result.data, rows.names) : [result.data];
  const read = { ...result, data: row } as PageResult;
  const wanted = isListed ? fields.filter(({ isOfRow }) => isOfRow) : fields;
  return wanted.some((column) => {
    const value = column.read(read);
    return value !== undefined && value !== null && value !== '';
  });
}

/** Yields the data once for each entry of the list, which the entry replaces; once for a list without entries. */
function* entriesOf(data: unknown, names: readonly string[]): Generator<unknown> {
  const [name, ...inner] = names;
  if (name === undefined) return yield data;
  const value = memberOf(data, name);
  if (value === undefined || value === null) return yield data;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0) return yield { ...(data as object), [name]: null };
  for (const entry of entries) {
    for (const row of entriesOf(entry, inner)) yield { ...(data as object), [name]: row };
  }
}
