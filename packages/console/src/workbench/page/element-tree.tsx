import { type KeyboardEvent, useId, useState } from 'react';
import { MAX_OUTLINES, type Outline, ROOT } from '../../frame/messages.ts';
import styles from './page.module.css';
import type { Elements } from './use-elements.ts';

/** Element in the list, with its place in it. */
interface Row {
  readonly outline: Outline;
  readonly parent: number;
  readonly level: number;
  readonly position: number;
  readonly total: number;
  readonly isLast: boolean;
}

/**
 * The elements of the page as a tree that keys work on: arrows move, open and close, Enter picks, `n` says "not this".
 * The frame shows where the marked element is.
 */
export function ElementTree(props: {
  readonly elements: Elements;
  /** Words for what is special about an element, by its number. */
  readonly notes: ReadonlyMap<number, string>;
  onPoint(node: number): void;
  onPick(node: number): void;
  onUnwanted(node: number): void;
  onForget(): void;
}) {
  const { elements, notes, onPoint } = props;
  const [marked, setMarked] = useState<number>();
  const treeId = useId();
  const rows = rowsOf(elements);
  const shown = elements.shown ?? marked;
  const found = rows.findIndex(({ outline }) => outline.node === shown);
  const at = Math.max(0, found);
  const current = rows[at];
  const move = (row: Row | undefined) => {
    if (!row) return;
    elements.show(undefined);
    setMarked(row.outline.node);
    onPoint(row.outline.node);
    document.getElementById(`${treeId}-${row.outline.node}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actionsOf({ ...props, rows, at, current, move }).get(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div
      role="tree"
      aria-multiselectable
      aria-label="Elements of the page"
      tabIndex={0}
      className={styles.tree}
      aria-activedescendant={current && `${treeId}-${current.outline.node}`}
      onKeyDown={onKeyDown}
    >
      {rows.map((row) => (
        <TreeItem
          key={row.outline.node}
          id={`${treeId}-${row.outline.node}`}
          row={row}
          isOpen={elements.isOpen(row.outline.node)}
          isCurrent={row === current}
          note={notes.get(row.outline.node)}
          onClick={() => {
            move(row);
            elements.toggle(row.outline.node);
          }}
          onDoubleClick={() => props.onPick(row.outline.node)}
        />
      ))}
    </div>
  );
}

function TreeItem(props: {
  readonly id: string;
  readonly row: Row;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly note: string | undefined;
  onClick(): void;
  onDoubleClick(): void;
}) {
  const { id, row, isOpen, isCurrent, note, onClick, onDoubleClick } = props;
  const { outline, level, position, total, isLast } = row;
  const { name, text, hasChildren } = outline;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys.
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={total}
      aria-selected={note === 'picked'}
      {...(hasChildren && { 'aria-expanded': isOpen })}
      className={styles.item}
      data-current={isCurrent || undefined}
      style={{ paddingLeft: 8 + (level - 1) * 14 }}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      <span aria-hidden="true">{hasChildren ? (isOpen ? '▾' : '▸') : '·'}</span>
      <code>{name}</code>
      <span className="muted clip">{text}</span>
      {note && <span className={styles.note}>{note}</span>}
      {isLast && total > MAX_OUTLINES && (
        <span className="muted small">and {(total - MAX_OUTLINES).toLocaleString()} more</span>
      )}
    </div>
  );
}

interface KeyContext
  extends Pick<Parameters<typeof ElementTree>[0], 'elements' | 'onPick' | 'onUnwanted' | 'onForget'> {
  readonly rows: readonly Row[];
  readonly at: number;
  readonly current: Row;
  move(row: Row | undefined): void;
}

function actionsOf(context: KeyContext): ReadonlyMap<string, () => void> {
  const { rows, at, current, move, elements, onPick, onUnwanted, onForget } = context;
  const { node, hasChildren } = current.outline;
  const isOpen = elements.isOpen(node);
  const parent = rows.find(({ outline }) => outline.node === current.parent);
  return new Map([
    ['ArrowDown', () => move(rows[at + 1])],
    ['ArrowUp', () => move(rows[at - 1])],
    ['ArrowRight', () => (isOpen || !hasChildren ? move(rows[at + 1]) : elements.toggle(node))],
    ['ArrowLeft', () => (isOpen ? elements.toggle(node) : move(parent))],
    ['Home', () => move(rows[0])],
    ['End', () => move(rows.at(-1))],
    ['Enter', () => onPick(node)],
    [' ', () => onPick(node)],
    ['n', () => onUnwanted(node)],
    ['Escape', onForget],
  ]);
}

/** Returns the rows of everything that is open, in document order. */
function rowsOf(elements: Elements): readonly Row[] {
  const rows: Row[] = [];
  const visit = (parent: number, level: number) => {
    const { outlines, total } = elements.childrenOf(parent);
    for (const [index, outline] of outlines.entries()) {
      const isLast = index === outlines.length - 1;
      rows.push({ outline, parent, level, position: index + 1, total, isLast });
      if (elements.isOpen(outline.node)) visit(outline.node, level + 1);
    }
  };
  visit(ROOT, 1);
  return rows;
}
