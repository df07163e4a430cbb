import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PageResult } from '@gleaner/contracts';
import { type CsvChoice, columnsOf, type ExportedOptions } from './crawl-columns.ts';
import { type Column, type ListField, memberOf } from './csv-columns.ts';
import { cellOf, lineOf } from './csv-line.ts';

/** Characters after which lines are sent on: the rows of a page repeat its other columns, and may exceed the memory. */
const MAX_CHARACTERS = 64 * 1024;
/** Characters of a result between whose parsing and writing other calls get their turn. */
const LARGE_RESULT = 1024 * 1024;

/**
 * Writes a line for each page with a record, or one for each entry of a list; with `pages: all`, pages without a record have
 * a line as well.
 */
export async function* renderCsv(
  results: AsyncIterable<readonly string[]>,
  exported: ExportedOptions,
  choice: CsvChoice & { readonly columns?: readonly Column[] | undefined } = {},
): AsyncGenerator<string> {
  const { rows, pages } = choice;
  const fields = columnsOf(exported, choice).filter(({ isOfPage }) => !isOfPage);
  const { columns = columnsOf(exported, choice) } = choice;
  let lines = lineOf(columns.map(({ name }) => cellOf(name)));
  for await (const texts of results) {
    for (const text of texts) {
      const result: PageResult = JSON.parse(text);
      if (text.length > LARGE_RESULT) await nextTurn();
      if (pages !== 'all' && !hasRecord(result, fields, rows)) continue;
      for (const line of linesOf(result, columns, rows)) {
        lines += line;
        if (lines.length < MAX_CHARACTERS) continue;
        yield lines;
        lines = '';
      }
    }
    yield lines;
    lines = '';
  }
  yield lines;
}

function* linesOf(
  result: PageResult,
  columns: readonly Column[],
  rows: ListField | undefined,
): Generator<string> {
  const ofPage = columns.map(({ read, isOfRow }) => (isOfRow ? '' : cellOf(read(result))));
  for (const data of rows ? rowsOf(result.data, rows.names) : [result.data]) {
    const row = { ...result, data } as PageResult;
    yield lineOf(
      columns.map(({ read, isOfRow }, index) => (isOfRow ? cellOf(read(row)) : (ofPage[index] ?? ''))),
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
  return wanted.some((column) => cellOf(column.read(read)) !== '');
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
