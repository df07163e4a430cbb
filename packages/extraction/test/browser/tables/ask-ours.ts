import { Budget } from '../../../src/budget.ts';
import type { Node } from '../../../src/dom/node.ts';
import { parseDocument } from '../../../src/dom/parse-document.ts';
import { isTable } from '../../../src/read/tables/read-table.ts';
import { formTable, sourceRowsOf } from '../../../src/read/tables/source-rows.ts';
import type { Grid } from './grid.ts';

/** Returns our grids of all tables, in the same form as the browser's. */
export function askOurs(html: string): Grid[] {
  const budget = new Budget({ maxSteps: Number.MAX_SAFE_INTEGER });
  return parseDocument(html)
    .elements.filter(isTable)
    .map((table) => gridOf(table, budget));
}

function gridOf(table: Node, budget: Budget): Grid {
  const rows = formTable(sourceRowsOf(table, budget), Number.POSITIVE_INFINITY, budget) ?? [];
  return rows
    .flatMap(({ placements }, row) => placements.filter((placement) => placement.row === row))
    .sort((one, other) => one.cell.order - other.cell.order)
    .map(({ row, rowEnd, column, columnEnd }) => `${row} ${column} ${rowEnd - row} ${columnEnd - column}`);
}
