import type { Budget } from '../../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';

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

/** A cell in the grid of its table; ends are exclusive. */
export interface Placement {
  readonly cell: Node;
  readonly row: number;
  readonly rowEnd: number;
  readonly column: number;
  readonly columnEnd: number;
}

/** A row of the grid. */
export interface GridRow {
  /** Cells that start in the row or reach into it, by column; where two overlap, the later one covers the slot. */
  readonly placements: readonly Placement[];
  readonly isInHead: boolean;
}

/** Limits of the HTML standard. */
const MAX_COLSPAN = 1000;
const MAX_ROWSPAN = 65_534;

/** Cost of placing a cell, and of a row. */
const STEPS_PER_CELL = 64;

/**
 * Places the cells of a table as browsers do (https://html.spec.whatwg.org/#forming-a-table): the first thead comes
 * first, the first tfoot last, and a cell ends with its row group. Returns null when the cells reach into more than
 * `maxReached` rows besides those where they start.
 */
export function formTable(rows: readonly SourceRow[], maxReached: number, budget: Budget): GridRow[] | null {
  const formed: GridRow[] = [];
  let reaching: readonly Placement[] = [];
  let reached = 0;
  for (const [row, { cells, groupEnd, isInHead }] of rows.entries()) {
    reached += reaching.length;
    if (reached > maxReached) return null;
    budget.spend((1 + cells.length) * STEPS_PER_CELL + reaching.length);
    const started = placeCells(cells, { row, groupEnd, reaching });
    const placements = reaching.length === 0 ? started : inColumnOrder([...reaching, ...started]);
    formed.push({ placements, isInHead });
    reaching = placements.filter(({ rowEnd }) => rowEnd > row + 1);
  }
  return formed;
}

function inColumnOrder(placements: Placement[]): readonly Placement[] {
  return placements.sort((one, other) => one.column - other.column);
}

interface RowSpace {
  readonly row: number;
  /** Row after the last one of the group. */
  readonly groupEnd: number;
  /** Cells of earlier rows that reach into this one, by column. */
  readonly reaching: readonly Placement[];
}

/** Puts each cell in the first free slot after the previous one. */
function placeCells(cells: readonly Node[], { row, groupEnd, reaching }: RowSpace): Placement[] {
  let column = 0;
  let passed = 0;
  return cells.map((cell) => {
    for (; passed < reaching.length; passed++) {
      const occupied = reaching[passed] as Placement;
      if (occupied.column > column) break;
      column = Math.max(column, occupied.columnEnd);
    }
    const columnEnd = column + (Math.min(spanOf(cell, 'colspan') ?? 1, MAX_COLSPAN) || 1);
    const rowSpan = Math.min(spanOf(cell, 'rowspan') ?? 1, MAX_ROWSPAN);
    const rowEnd = rowSpan === 0 ? groupEnd : Math.min(row + rowSpan, groupEnd);
    const placement = { cell, row, rowEnd, column, columnEnd };
    column = columnEnd;
    return placement;
  });
}

/** Reads a span by the rules for parsing non-negative integers; returns undefined for other text. */
function spanOf(cell: Node, attribute: string): number | undefined {
  const digits = /^[\t\n\f\r ]*(?:\+?(\d+)|-0+(?!\d))/.exec(attributeOf(cell, attribute) ?? '');
  return digits ? Number(digits[1] ?? 0) : undefined;
}
