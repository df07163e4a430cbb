import { useEffect } from 'react';
import { MARKS, MAX_MARKS, type Mark, type Marks } from '../../frame/messages.ts';
import { columnsOf, type Draft } from '../draft/draft.ts';
import type { Extracted } from '../draft/fill.ts';
import type { Picks } from '../picking/use-picking.ts';
import type { SendToFrame } from './snapshot-frame.tsx';

/** State from which the marks in the page follow. */
interface Marked {
  readonly draft: Draft;
  readonly extracted: Extracted | undefined;
  /** Key of the column that is edited. */
  readonly active: number | undefined;
  readonly picks: Picks;
}

/** Marks elements in the frame, whenever the marks or the frame change. */
export function useMarks(send: SendToFrame | undefined, marks: Marks): void {
  const text = JSON.stringify(marks);
  useEffect(() => send?.({ type: 'mark', marks: JSON.parse(text) }), [send, text]);
}

const NOTES: Readonly<Record<Mark, string>> = {
  record: 'record',
  value: 'value',
  active: 'value',
  unwanted: 'not this',
  pick: 'picked',
};

/** Returns what marks mean in words, by the numbers of the elements. */
export function notesOf(marks: Marks): ReadonlyMap<number, string> {
  return new Map(MARKS.flatMap((mark) => marks[mark].map((node) => [node, NOTES[mark]] as const)));
}

/** Returns the elements to mark: the service's matches of the selectors. */
export function marksOf({ draft, extracted, active, picks }: Marked): Marks {
  const { list } = draft;
  const matches = extracted?.matches ?? {};
  const pathOf = (key: number, name: string) =>
    list?.columns.some((column) => column.key === key) ? `${list.name.trim()}.${name.trim()}` : name.trim();
  const nodesOf = (isActive: boolean) =>
    columnsOf(draft)
      .filter(({ key }) => (key === active) === isActive)
      .flatMap(({ key, name }) => matches[pathOf(key, name)] ?? []);
  return {
    record: first((list && matches[list.name.trim()]) ?? []),
    value: first(nodesOf(false)),
    active: first(nodesOf(true)),
    unwanted: first(picks.unwanted),
    pick: first(picks.wanted),
  };
}

function first(nodes: readonly number[]): readonly number[] {
  return nodes.slice(0, MAX_MARKS);
}
