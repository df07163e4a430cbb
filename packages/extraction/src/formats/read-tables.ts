import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import { isTable, readTable, type TableTexts } from '../read/tables/read-table.ts';
import { isUnseen, textOf } from '../read/text-of.ts';
import type { FormatReader } from './format-reader.ts';

/**
 * Reads the tables of the page: `caption`, `headers` (the names of the columns, or null without a header) and `rows` (those
 * below the header, as arrays with null for missing cells). A nested table is a table of its own, and no part of the text
 * around it. Left out are layout tables, and tables that `readTable` rejects.
 */
export const readTables: FormatReader = ({ elements }, { budget }) =>
  elements
    .filter((element) => isTable(element) && !isPresentational(element))
    .flatMap((table) => {
      const texts = readTable(table, { budget, isLeftOut });
      return texts === null || isSingleCell(texts) ? [] : [toJson(table, texts, budget)];
    });

function toJson(table: Node, { headerRows, bodyRows, names }: TableTexts, budget: Budget) {
  return {
    caption: captionOf(table, budget),
    headers: headerRows.length > 0 ? names : null,
    rows: bodyRows,
  };
}

function isLeftOut(node: Node): boolean {
  return isUnseen(node) || isTable(node);
}

/** Returns true for tables that their author marks as layout: the first role that is known counts. */
function isPresentational(table: Node): boolean {
  const [role] = (attributeOf(table, 'role') ?? '').trim().toLowerCase().split(/\s+/, 1);
  return role === 'presentation' || role === 'none';
}

/** Returns true for a grid of at most one cell. */
function isSingleCell({ headerRows, bodyRows, names }: TableTexts): boolean {
  return (headerRows.length + bodyRows.length) * names.length <= 1;
}

function captionOf(table: Node, budget: Budget): string | null {
  for (let child = table.first; child !== null; child = child.next) {
    budget.spend(1);
    if (isHtmlElement(child, 'caption')) return textOf(child, budget, isLeftOut);
  }
  return null;
}
