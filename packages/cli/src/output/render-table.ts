import stringWidth from 'string-width';
import { printable } from '../terminal.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  /** True for columns never cut, such as ids (for copying), times and states. */
  readonly isWhole?: boolean;
  /** True for what a narrow terminal leaves out. */
  readonly isMinor?: boolean;
  readonly value: (row: Row) => unknown;
}

const GAP = 2;
/** Widths to which columns are cut: before a minor column is left out, and when there are none left. */
const READABLE = 16;
const NARROWEST = 8;

/** Renders rows as a table that fits into the width: the widest columns are cut, minor ones left out. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string {
  const filled = columns.map((column) => {
    const cells = [printable(column.name.toUpperCase()), ...rows.map((row) => cellOf(column.value(row)))];
    return { column, cells, width: cells.reduce((widest, cell) => Math.max(widest, stringWidth(cell)), 0) };
  });
  const shown = fit(filled, width);
  const lines = [...Array(rows.length + 1).keys()].map((index) =>
    shown
      .map((each) => pad(cut(each.cells[index] ?? '', each.width), each.width))
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

interface Fitting {
  readonly column: Pick<Column<never>, 'isWhole' | 'isMinor'>;
  readonly width: number;
}

/** Cuts columns while they can be read, then leaves out minor ones, the last first, then cuts what is left. */
function fit<Each extends Fitting>(columns: readonly Each[], width: number): readonly Each[] {
  const readable = narrow(columns, width, READABLE);
  const lastMinor = columns.findLastIndex(({ column }) => column.isMinor);
  if (totalOf(readable) <= width) return readable;
  if (lastMinor === -1) return narrow(readable, width, NARROWEST);
  return fit(columns.toSpliced(lastMinor, 1), width);
}

/** Makes the widest columns narrower until all fit, or none is wider than the limit. */
function narrow<Each extends Fitting>(
  columns: readonly Each[],
  width: number,
  limit: number,
): readonly Each[] {
  const narrowed = [...columns];
  for (let excess = totalOf(narrowed) - width; excess > 0; excess -= 1) {
    const flexible = narrowed.filter(({ column }) => !column.isWhole);
    const widest = Math.max(...flexible.map((each) => each.width));
    const index = narrowed.findIndex(({ column, width: each }) => each === widest && !column.isWhole);
    const found = narrowed[index];
    if (!found || widest <= limit) break;
    narrowed[index] = { ...found, width: widest - 1 };
  }
  return narrowed;
}

function totalOf(columns: readonly Fitting[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0) + GAP * (columns.length - 1);
}

/** Cuts a text to a number of columns of a terminal; what a person sees as one character stays whole. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let left = width - 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
