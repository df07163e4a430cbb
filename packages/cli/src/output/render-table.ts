import { printable } from '../terminal.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  /** True for what people copy, such as ids: it is never cut. */
  readonly isWhole?: boolean;
  readonly value: (row: Row) => unknown;
}

const GAP = 2;
const NARROWEST = 8;

/** Renders rows as a table that fits into the width; the widest columns are cut first. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string {
  const cells = [
    columns.map(({ name }) => name.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cellOf(column.value(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  fit(widths, width, columns);
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cut(cell, widths[index] ?? 0).padEnd(widths[index] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Renders names and values, one pair a line; pairs without a value are left out. */
export function renderFields(fields: readonly (readonly [string, unknown])[]): string {
  const shown = fields.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}\n`).join('');
}

/** Renders a value for people: one line, without characters that a terminal would obey. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value.toLocaleString('en-US');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text);
  return time ? `${time[1]} ${time[2]}Z` : printable(text.replaceAll(/\s+/g, ' '));
}

/** Makes the widest columns narrower until the table fits, or nothing is left to cut. */
function fit(widths: number[], width: number, columns: readonly { readonly isWhole?: boolean }[]): void {
  const total = () => widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1);
  while (total() > width) {
    const widest = Math.max(...widths.filter((_, index) => !columns[index]?.isWhole));
    if (!(widest > NARROWEST)) return;
    widths[widths.findIndex((each, index) => each === widest && !columns[index]?.isWhole)] = widest - 1;
  }
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
