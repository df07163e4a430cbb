import type { ElementKind } from './element-kinds.ts';
import { endInBody } from './end-in-body.ts';
import { Mode } from './mode.ts';
import { Content, type ScanState, type StartTag } from './start-in-body.ts';
import { StartRule, Trait } from './tag-rules.ts';
import { unusual } from './unusual.ts';

/** Applies the rules for a start tag between the cells of a table (HTML §13.2.6.4.9 and 11–14). */
export function startInTable(tag: StartTag, state: ScanState): Content {
  const { open } = state;
  const { kind, attributes } = tag;
  const { start } = kind;
  const isOfTable = start >= StartRule.caption && start <= StartRule.cell;
  if (!isOfTable) {
    if (start !== StartRule.raw || (kind.traits & Trait.inSvg) === 0 || state.mode === Mode.columns)
      unusual();
    open.push(kind, attributes);
    return Content.raw;
  }
  if (state.mode === Mode.columns && start === StartRule.column) {
    open.leaf(kind, attributes);
    return Content.markup;
  }
  closeBefore(start, state);
  openAround(start, state);
  if (start === StartRule.column) open.leaf(kind, attributes);
  else {
    open.push(kind, attributes);
    state.mode = MODE_OF[start] ?? unusual();
  }
  return Content.markup;
}

const MODE_OF: Readonly<Partial<Record<StartRule, Mode>>> = {
  [StartRule.caption]: Mode.caption,
  [StartRule.columns]: Mode.columns,
  [StartRule.rows]: Mode.rows,
  [StartRule.row]: Mode.row,
  [StartRule.cell]: Mode.cell,
};

/** Closes the parts of the table that a part cannot be in. */
function closeBefore(start: StartRule, state: ScanState): void {
  const { open } = state;
  if (state.mode === Mode.columns) leave(Mode.table, state);
  if (state.mode === Mode.row && start !== StartRule.cell) leave(Mode.rows, state);
  if (state.mode === Mode.rows && start !== StartRule.cell && start !== StartRule.row)
    leave(Mode.table, state);
  if (open.depth === 0) unusual();
}

/** Opens the parts of the table that a part must be in. */
function openAround(start: StartRule, state: ScanState): void {
  const { open } = state;
  if (state.mode === Mode.table && start === StartRule.column) {
    open.push(open.kinds.columns);
    state.mode = Mode.columns;
  }
  if (state.mode === Mode.table && (start === StartRule.row || start === StartRule.cell)) {
    open.push(open.kinds.tbody);
    state.mode = Mode.rows;
  }
  if (state.mode === Mode.rows && start === StartRule.cell) {
    open.push(open.kinds.row);
    state.mode = Mode.row;
  }
}

/** Closes the current part of the table. */
function leave(mode: Mode, state: ScanState): void {
  state.open.pop();
  state.mode = mode;
}

/** Applies the rules for an end tag between the cells of a table. */
export function endInTable(kind: ElementKind, state: ScanState): void {
  const { start } = kind;
  if (start === StartRule.table) {
    endTable(state);
    return;
  }
  if (state.mode === Mode.columns) {
    if (start === StartRule.columns) leave(Mode.table, state);
    if (start === StartRule.columns || start === StartRule.column) return;
    leave(Mode.table, state);
  }
  if (start === StartRule.row && state.mode === Mode.row) leave(Mode.rows, state);
  else if (start === StartRule.rows) endRows(kind, state);
  else if (!IGNORED.has(start)) unusual();
}

/** End tags that mean nothing between cells. */
const IGNORED: ReadonlySet<StartRule> = new Set<StartRule>([
  ...[StartRule.body, StartRule.html, StartRule.caption, StartRule.columns, StartRule.column],
  ...[StartRule.cell, StartRule.row, StartRule.rows],
]);

function endRows(kind: ElementKind, state: ScanState): void {
  if (state.mode === Mode.row) leave(Mode.rows, state);
  if (state.mode === Mode.rows && state.open.current === kind) leave(Mode.table, state);
}

function endTable(state: ScanState): void {
  const { open } = state;
  const index = open.find(open.kinds.of('table'), 0);
  if (index < 0) unusual();
  open.popTo(index);
  resetMode(state);
}

/** Sets the mode to that of the elements around (HTML §13.2.4.1). */
export function resetMode(state: ScanState): void {
  state.mode = MODE_OF[state.open.surrounding] ?? OTHER_MODES[state.open.surrounding] ?? Mode.body;
}

const OTHER_MODES: Readonly<Partial<Record<StartRule, Mode>>> = {
  [StartRule.table]: Mode.table,
  [StartRule.select]: Mode.select,
};

/** Applies the rules for a start tag that closes the cell around it; false for all others. */
export function closesCell({ kind: { start } }: StartTag, state: ScanState): boolean {
  if (start < StartRule.caption || start > StartRule.cell) return false;
  if (state.mode === Mode.caption) unusual();
  closeCell(state);
  return true;
}

function closeCell(state: ScanState): void {
  const { open } = state;
  const index = open.findTrait(Trait.marker, 0);
  if (index < 0) unusual();
  open.popTo(index);
  state.mode = state.mode === Mode.cell ? Mode.row : Mode.table;
}

/** Applies the rules for an end tag in a cell or a caption (HTML §13.2.6.4.11 and 15). */
export function endInCell(kind: ElementKind, state: ScanState): void {
  const { open } = state;
  const { start } = kind;
  const cell = open.findTrait(Trait.marker, 0);
  switch (start) {
    case StartRule.cell:
    case StartRule.caption:
      if (open.at(cell) === kind) closeCell(state);
      return;
    case StartRule.table:
      closeCell(state);
      endTable(state);
      return;
    case StartRule.row:
    case StartRule.rows:
      if (state.mode === Mode.caption || open.find(kind, Trait.tableScope) < 0) return;
      closeCell(state);
      endInTable(kind, state);
      return;
    case StartRule.body:
    case StartRule.html:
    case StartRule.columns:
    case StartRule.column:
      return;
    default:
      endInBody(kind, open);
  }
}
