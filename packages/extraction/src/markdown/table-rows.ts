import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, nextInside } from '../dom/node.ts';

/** Spans beyond this do not add columns. */
const MAX_SPAN = 1000;

/** Empty cells that spans may add, for each cell of the page and in all. */
const FILLERS_PER_CELL = 8;
const MIN_FILLERS = 64;

/** Alignment of a column. */
export type Alignment = 'left' | 'right' | 'center' | undefined;

/** Position and spans of a cell. */
export interface CellShape {
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly alignment: Alignment;
}

interface Row {
  readonly cells: string[];
  readonly alignments: Alignment[];
  /** True in a table head, and while all cells are header cells. */
  isHeader: boolean;
  /** Position of its row group as browsers show them: the first head, the bodies, the first foot. CSS 2 §17.2. */
  readonly rank: -1 | 0 | 1;
}

/** Collects the cells of a table and writes them in GFM. Cells that a span covers are empty. */
export class TableRows {
  readonly #budget: Budget;
  readonly #rows: Row[] = [];
  /** For each column, the number of the first row that no cell above covers. */
  #coveredUntil: number[] = [];
  #fillers = MIN_FILLERS;
  #group: Node | null = null;
  #head: Node | undefined;
  #foot: Node | undefined;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Starts a row of a group or of the table itself; one in the head is a header with cells of any kind. */
  startRow(group: Node | null): void {
    // A cell ends with its row group.
    if (group !== this.#group) this.#coveredUntil = [];
    this.#group = group;
    this.#rows.push({ cells: [], alignments: [], isHeader: true, rank: this.#rankOf(group) });
  }

  #rankOf(group: Node | null): Row['rank'] {
    if (group === null) return 0;
    if (isHtmlElement(group, 'thead')) this.#head ??= group;
    if (isHtmlElement(group, 'tfoot')) this.#foot ??= group;
    if (group === this.#head) return -1;
    return group === this.#foot ? 1 : 0;
  }

  /** Adds a cell to the row. */
  addCell(markup: string, { isHeader, columns, rows, alignment }: CellShape): void {
    if (this.#rows.length === 0) this.startRow(null);
    const row = this.#rows.at(-1) as Row;
    this.#fillers += FILLERS_PER_CELL;
    row.isHeader &&= isHeader || row.rank === -1;
    this.#skipCovered(row);
    const column = row.cells.length;
    row.cells.push(markup);
    row.alignments[column] = alignment;
    const width = this.#affordable(columns);
    for (let index = 1; index < width; index++) row.cells.push('');
    if (rows < 2 || column >= MAX_SPAN) return;
    const end = this.#rows.length - 1 + rows;
    for (let index = 0; index < width; index++) this.#coveredUntil[column + index] = end;
  }

  /** Returns the lines of the table; none if no cell has content. */
  lines(): string[] {
    const rows = this.#rows
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
      .sort((one, other) => one.rank - other.rank);
    const [first] = rows;
    if (!first) return [];
    const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1);
    const header = first.isHeader ? first.cells : [];
    const head = Array.from({ length: width }, (_, column) => header[column] ?? '');
    const rules = head.map((_, column) => RULES[first.alignments[column] ?? 'none']);
    const body = first.isHeader ? rows.slice(1) : rows;
    return [head, rules, ...body.map(({ cells }) => cells)].map(lineOf);
  }

  #skipCovered({ cells }: Row): void {
    while ((this.#coveredUntil[cells.length] ?? 0) >= this.#rows.length) {
      if (this.#affordable(2) === 1) {
        this.#coveredUntil = [];
        return;
      }
      cells.push('');
    }
  }

  /** Returns the span as far as empty cells may be added for it. */
  #affordable(span: number): number {
    const fillers = Math.min(span - 1, MAX_SPAN, this.#fillers);
    this.#fillers -= fillers;
    this.#budget.spend(1 + fillers);
    return fillers + 1;
  }
}

const RULES: Readonly<Record<NonNullable<Alignment> | 'none', string>> = {
  left: ':--',
  right: '--:',
  center: ':-:',
  none: '---',
};

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

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
