import { cutText } from '@gleaner/contracts';
import type { Budget } from '../../budget.ts';
import { isHtmlElement, type Node, nextInside } from '../../dom/node.ts';
import { cellText } from '../figure-text.ts';
import { collapse, type IsLeftOut, isUnseen } from '../text-of.ts';
import { formTable, type GridRow, type Placement, type SourceRow, sourceRowsOf } from './source-rows.ts';

/** Texts of a table; null for slots without a cell. */
export interface TableTexts {
  readonly headerRows: readonly TextRow[];
  readonly bodyRows: readonly TextRow[];
  /** Names of the columns: the texts of their headers, made unique. */
  readonly names: readonly string[];
}

/** Texts of one row. */
export type TextRow = readonly (string | null)[];

/** Options of `readTable`. */
export interface TableReading {
  readonly budget: Budget;
  /** Returns true for nodes in cells to leave out; by default the ones left out by `textOf`. */
  readonly isLeftOut?: IsLeftOut;
}

/**
 * Reads a `table` element. Returns null when most of its grid would be gaps and copies. Pays for texts that are repeated,
 * because a cell can cover many slots; the caller pays for the rest of the output.
 */
export function readTable(table: Node, { budget, isLeftOut = isUnseen }: TableReading): TableTexts | null {
  const grid = gridOf(sourceRowsOf(table, budget), budget);
  if (grid === null) return null;
  const texts = new Map<Node, string>();
  const readCell = (cell: Node | null): string | null => {
    if (cell === null) return null;
    const known = texts.get(cell);
    if (known !== undefined) {
      budget.spendOutput(known);
      return known;
    }
    const text = cellText(cell, budget, isLeftOut);
    texts.set(cell, text);
    return text;
  };
  const read = (row: Slots): TextRow => row.map(readCell);
  const headerRows = grid.headerRows.map(read);
  const bodyRows = grid.bodyRows.map(read);
  const width = (headerRows[0] ?? bodyRows[0] ?? []).length;
  return { headerRows, bodyRows, names: columnNames(headersOf(grid.headerRows, width, texts)) };
}

/** Returns the text of each column's headers; a cell that covers several header rows counts once. */
function headersOf(headerRows: readonly Slots[], width: number, texts: ReadonlyMap<Node, string>): string[] {
  return Array.from({ length: width }, (_none, column) => {
    let header = '';
    let above: Node | null = null;
    for (const row of headerRows) {
      const cell = row[column] ?? null;
      if (cell !== null && cell !== above) header += ` ${texts.get(cell)?.slice(0, MAX_NAME_CHARS) ?? ''}`;
      if (header.length > MAX_NAME_CHARS) break;
      above = cell;
    }
    return collapse(header);
  });
}

/** Returns true for a `table` element of HTML. */
export function isTable(node: Node): boolean {
  return isHtmlElement(node, 'table');
}

/** Longer names are cut: they are repeated in each record. */
const MAX_NAME_CHARS = 256;

/**
 * Returns a name for each column: unlike all others, and fit for JSON and the database. Columns without a text are
 * `column_1`, `column_2` …, and repeated names end in `_2`, `_3` ….
 */
function columnNames(texts: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return texts.map((text, index) => {
    const wanted = safeName(text) || `column_${index + 1}`;
    let name = wanted;
    for (let count = counts.get(wanted) ?? 1; taken.has(name); counts.set(wanted, count)) {
      name = `${wanted}_${++count}`;
    }
    taken.add(name);
    return name;
  });
}

/** Cuts a long name and changes what `findNameError` rejects. */
function safeName(text: string): string {
  const name = cutText(text, MAX_NAME_CHARS).toWellFormed().replaceAll('\0', '\uFFFD').trim();
  return name.startsWith('$') || name === '__proto__' ? `_${name}` : name;
}

/** Rows of slots; a slot is the cell that covers it, or null. All rows have the same number of slots. */
interface TableGrid {
  readonly headerRows: readonly Slots[];
  readonly bodyRows: readonly Slots[];
}

/** Slots of one row. */
type Slots = readonly (Node | null)[];

/** Slots that are gaps or copies: at most seven for each cell, some more in small tables, and this many in any table. */
const MAX_EXTRA_SLOTS = 100_000;
const EXTRA_SLOTS_PER_CELL = 7;
const EXTRA_SLOTS_OF_ANY = 64;

/**
 * Forms the grid of a table. Rows and columns in which no cell starts are left out: browsers show them without height or
 * width, and they only repeat the cells before them. Returns null when most of the grid would be gaps and copies.
 */
function gridOf(rows: readonly SourceRow[], budget: Budget): TableGrid | null {
  const cellCount = rows.reduce((count, { cells }) => count + cells.length, 0);
  const maxExtra = Math.min(cellCount * EXTRA_SLOTS_PER_CELL + EXTRA_SLOTS_OF_ANY, MAX_EXTRA_SLOTS);
  const formed = formTable(rows, cellCount + maxExtra, budget);
  if (formed === null) return null;
  const started = formed.map(({ placements }, row) =>
    placements.filter((placement) => placement.row === row),
  );
  const columns = [...new Set(started.flat().map(({ column }) => column))].sort((a, b) => a - b);
  const kept = formed.filter((_row, index) => started[index]?.length !== 0);
  if (kept.length * columns.length > cellCount + maxExtra) return null;
  budget.spend(kept.length * columns.length);
  const slots = kept.map(({ placements }) => fillSlots(placements, columns));
  const headerCount = countHeaderRows(
    kept,
    started.filter(({ length }) => length > 0),
  );
  return { headerRows: slots.slice(0, headerCount), bodyRows: slots.slice(headerCount) };
}

/** Returns the cell at each column. Of overlapping cells, the one that starts last shows. */
function fillSlots(placements: readonly Placement[], columns: readonly number[]): Slots {
  const open: Placement[] = [];
  let next = 0;
  return columns.map((column) => {
    for (; (placements[next]?.column ?? Number.POSITIVE_INFINITY) <= column; next++) {
      open.push(placements[next] as Placement);
    }
    while ((open.at(-1)?.columnEnd ?? Number.POSITIVE_INFINITY) <= column) open.pop();
    return open.at(-1)?.cell ?? null;
  });
}

/** Counts the rows of thead; without them, the first rows that have only th: one, if no other rows would be left. */
function countHeaderRows(rows: readonly GridRow[], started: readonly (readonly Placement[])[]): number {
  const inHead = rows.filter(({ isInHead }) => isInHead).length;
  if (inHead > 0) return inHead;
  const first = started.findIndex((row) => row.some(({ cell }) => !isHtmlElement(cell, 'th')));
  return first === -1 ? Math.min(1, rows.length) : first;
}

/** Cells of one row by column name; null for missing ones. */
interface TableRecord {
  readonly [column: string]: string | null;
}

/** Value of a table, or a sentence that explains why it cannot be read. */
type TableConversion<Value> = { readonly value: Value } | { readonly problem: string };

/**
 * Returns the rows below the header as records with the columns' names. The table is the element, or the first one inside
 * it.
 */
export function tableOf(element: Node, context: TableReading): TableConversion<readonly TableRecord[]> {
  return convert(element, context, ({ bodyRows, names }) => {
    const repeated = JSON.stringify(names);
    return bodyRows.map((row, index) => {
      context.budget.spend(names.length);
      if (index > 0) context.budget.spendOutput(repeated);
      return Object.fromEntries(names.map((name, column) => [name, row[column] ?? null]));
    });
  });
}

/** Returns all rows as arrays, those of the header first. The table is the element, or the first one inside it. */
export function rowsOf(element: Node, context: TableReading): TableConversion<readonly TextRow[]> {
  return convert(element, context, ({ headerRows, bodyRows }) => [...headerRows, ...bodyRows]);
}

function convert<Value>(
  element: Node,
  context: TableReading,
  toValue: (texts: TableTexts) => Value,
): TableConversion<Value> {
  const table = findTable(element, context.budget);
  if (table === null) {
    return { problem: `The element <${element.name.slice(0, 40)}> is not a table and has none inside.` };
  }
  const texts = readTable(table, context);
  if (texts === null) {
    return {
      problem: 'Most of the table would be gaps and repeated cells, because of its spans or uneven rows.',
    };
  }
  return { value: toValue(texts) };
}

function findTable(element: Node, budget: Budget): Node | null {
  let node: Node | null = element;
  while (node !== null && !isTable(node)) {
    budget.spend(1);
    node = nextInside(element, node);
  }
  return node;
}
