import type { Budget } from '../../budget.ts';
import { isHtmlElement, type Node } from '../../dom/node.ts';

/** A row of a table as it is written, without the cells that reach into it from earlier rows. */
export interface SourceRow {
  readonly cells: readonly Node[];
  /** Index of the row after the last one of its row group. */
  readonly groupEnd: number;
  readonly isInHead: boolean;
}

/** Returns the rows in the order in which browsers show them. Rows of nested tables are not among them. */
export function sourceRowsOf(table: Node, budget: Budget): SourceRow[] {
  const groups = rowGroupsOf(table, budget);
  const head = groups.find(({ element }) => element !== null && isHtmlElement(element, 'thead'));
  const foot = groups.find(({ element }) => element !== null && isHtmlElement(element, 'tfoot'));
  const bodies = groups.filter((group) => group !== head && group !== foot);
  const rows: SourceRow[] = [];
  for (const group of [head, ...bodies, foot]) {
    if (!group) continue;
    const groupEnd = rows.length + group.rows.length;
    for (const row of group.rows) {
      rows.push({ cells: cellsOf(row, budget), groupEnd, isInHead: group === head });
    }
  }
  return rows;
}

interface RowGroup {
  /** The thead, tbody or tfoot; null for rows that are children of the table, as in XHTML. */
  readonly element: Node | null;
  readonly rows: Node[];
}

function rowGroupsOf(table: Node, budget: Budget): RowGroup[] {
  const groups: RowGroup[] = [];
  for (let child = table.first; child !== null; child = child.next) {
    budget.spend(1);
    if (isHtmlElement(child, 'tr')) {
      const last = groups.at(-1);
      if (last?.element === null) last.rows.push(child);
      else groups.push({ element: null, rows: [child] });
    } else if (ROW_GROUPS.some((name) => isHtmlElement(child as Node, name))) {
      groups.push({ element: child, rows: childrenNamed(child, ['tr'], budget) });
    }
  }
  return groups;
}

const ROW_GROUPS = ['thead', 'tbody', 'tfoot'];

function cellsOf(row: Node, budget: Budget): Node[] {
  return childrenNamed(row, ['td', 'th'], budget);
}

function childrenNamed(parent: Node, names: readonly string[], budget: Budget): Node[] {
  const found: Node[] = [];
  for (let child = parent.first; child !== null; child = child.next) {
    budget.spend(1);
    if (names.some((name) => isHtmlElement(child as Node, name))) found.push(child);
  }
  return found;
}
