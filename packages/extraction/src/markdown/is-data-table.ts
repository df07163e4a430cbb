import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, nextInside } from '../dom/node.ts';

/** Elements that do not fit into a line, as the cells of a markdown table are. */
const TOO_LARGE = new Set([
  'table',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'form',
  'hr',
  'article',
  'section',
]);

/**
 * Returns true for a table that can be a table in markdown: two rows of more than one cell, or header cells, and only
 * lines of text in its cells. All others are for layout.
 */
export function isDataTable(table: Node, budget: Budget): boolean {
  const role = attributeOf(table, 'role');
  if (role === 'presentation' || role === 'none') return false;
  let rows = 0;
  let cells = 0;
  let headers = 0;
  // Stops at the first table inside, so that nested tables take one pass together.
  for (let node = nextInside(table, table); node !== null; node = nextInside(table, node)) {
    budget.spend(1);
    if (node.namespace !== Namespace.html) continue;
    if (TOO_LARGE.has(node.name)) return false;
    if (isHtmlElement(node, 'tr')) rows++;
    if (node.name === 'td') cells++;
    if (node.name === 'th') headers++;
  }
  return headers > 0 ? cells + headers > 1 : rows > 1 && cells > rows;
}
