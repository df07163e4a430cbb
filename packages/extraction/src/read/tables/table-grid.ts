import type { Budget } from '../../budget.ts';
import { isHtmlElement, type Node } from '../../dom/node.ts';
import { formTable, type GridRow, type Placement } from './form-table.ts';
import type { SourceRow } from './source-rows.ts';

/** Rows of slots; a slot is the cell that covers it, or null. All rows have the same number of slots. */
export interface TableGrid {
  readonly headerRows: readonly Slots[];
  readonly bodyRows: readonly Slots[];
}

/** Slots of one row. */
export type Slots = readonly (Node | null)[];

/** Slots that are gaps or copies: at most seven for each cell, some more in small tables, and this many in any table. */
const MAX_EXTRA_SLOTS = 100_000;
const EXTRA_SLOTS_PER_CELL = 7;
const EXTRA_SLOTS_OF_ANY = 64;

/**
 * Forms the grid of a table. Rows and columns in which no cell starts are left out: browsers show them without height or
 * width, and they only repeat the cells before them. Returns null when most of the grid would be gaps and copies.
 */
export function gridOf(rows: readonly SourceRow[], budget: Budget): TableGrid | null {
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

/** Returns the cell at each column. Of cells that overlap, the one that starts last shows. */
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
