import { cutText } from '@gleaner/contracts';
import type { Budget } from '../../budget.ts';
import { isHtmlElement, type Node } from '../../dom/node.ts';
import { collapse, type IsLeftOut, isUnseen, textOf } from '../text-of.ts';
import { sourceRowsOf } from './source-rows.ts';
import { gridOf, type Slots } from './table-grid.ts';

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
  /** Returns true for nodes inside cells whose text is left out; by default those that `textOf` leaves out. */
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
    const text = textOf(cell, budget, isLeftOut);
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
