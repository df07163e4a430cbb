import type { Budget } from '../../budget.ts';
import { type Node, nextInside } from '../../dom/node.ts';
import { isTable, readTable, type TableTexts, type TextRow } from './read-table.ts';

/** Cells of one row by the names of their columns; null for those that are missing. */
export interface TableRecord {
  readonly [column: string]: string | null;
}

/** Value of a table, or a sentence that explains why there is none. */
export type TableConversion<Value> = { readonly value: Value } | { readonly problem: string };

/** Context of a conversion. */
export interface TableContext {
  readonly budget: Budget;
}

/**
 * Returns the rows below the header as records with the columns' names. The table is the element, or the first one inside
 * it.
 */
export function tableOf(element: Node, { budget }: TableContext): TableConversion<readonly TableRecord[]> {
  return convert(element, budget, ({ bodyRows, names }) => {
    const repeated = JSON.stringify(names);
    return bodyRows.map((row, index) => {
      budget.spend(names.length);
      if (index > 0) budget.spendOutput(repeated);
      return Object.fromEntries(names.map((name, column) => [name, row[column] ?? null]));
    });
  });
}

/** Returns all rows as arrays, those of the header first. The table is the element, or the first one inside it. */
export function rowsOf(element: Node, { budget }: TableContext): TableConversion<readonly TextRow[]> {
  return convert(element, budget, ({ headerRows, bodyRows }) => [...headerRows, ...bodyRows]);
}

function convert<Value>(
  element: Node,
  budget: Budget,
  toValue: (texts: TableTexts) => Value,
): TableConversion<Value> {
  const table = findTable(element, budget);
  if (table === null) {
    return { problem: `The element <${element.name.slice(0, 40)}> is not a table and has none inside.` };
  }
  const texts = readTable(table, { budget });
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
