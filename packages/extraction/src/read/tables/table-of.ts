import type { Budget } from '../../budget.ts';
import { type Node, nextInside } from '../../dom/node.ts';
import { isTable, readTable, type TableReading, type TableTexts, type TextRow } from './read-table.ts';

/** Cells of one row by the names of their columns; null for those that are missing. */
export interface TableRecord {
  readonly [column: string]: string | null;
}

/** Value of a table, or a sentence that explains why there is none. */
export type TableConversion<Value> = { readonly value: Value } | { readonly problem: string };

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
