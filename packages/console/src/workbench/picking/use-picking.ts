import { useState } from 'react';
import type { Outline } from '../../frame/messages.ts';
import {
  addColumn,
  type Candidate,
  type Column,
  changeColumn,
  columnOf,
  columnsOf,
  type Draft,
  listOf,
} from '../draft/draft.ts';
import { type Ask, type Target, useSuggestions } from './use-suggestions.ts';

/** Effect of a click: finds records or their columns, takes a single value, or leaves out a record. */
export type Mode = 'list' | 'value' | 'unwanted';

/** Elements that the user picked, in the order of the clicks. */
export interface Picks {
  readonly wanted: readonly number[];
  readonly unwanted: readonly number[];
}

const NO_PICKS: Picks = { wanted: [], unwanted: [] };
/** Number of records used instead of the lost examples of a list. */
const MAX_EXAMPLES = 2;
const MAX_RECORDS = 10_000;

/** Clicks on elements, and what has become of them. */
export type Picking = ReturnType<typeof usePicking>;

interface PickingDeps {
  readonly snapshotId: string;
  readonly draft: Draft;
  /** Elements that the list matches now. */
  readonly records: readonly number[];
  /** Snapshots of the same kind, on which proposals are tested. */
  readonly alsoOn: readonly string[];
  onChange(update: (draft: Draft) => Draft): void;
}

/** Turns clicks on elements into parts of the draft, with the proposals of the service. */
export function usePicking(deps: PickingDeps) {
  const { draft, records, onChange } = deps;
  const { suggestions, ask, clear, retarget } = useSuggestions(deps.snapshotId);
  const [picks, setPicks] = useState(NO_PICKS);
  const [path, setPath] = useState<readonly Outline[]>([]);
  const [mode, setMode] = useState<Mode>('list');

  const forget = () => {
    clear();
    setPicks(NO_PICKS);
    setPath([]);
  };
  const pickRecords = (next: Picks) => {
    setPicks(next);
    const examples = examplesOf(next, records);
    if (examples.length === 0) forget();
    else askForList(deps, ask, examples, next.unwanted);
  };
  return {
    suggestions,
    picks,
    path,
    mode,
    setMode,
    forget,
    /** Takes a click on the last element of a path. */
    pick(next: readonly Outline[], as: Mode = mode) {
      const node = next.at(-1)?.node;
      if (node === undefined) return;
      setPath(next);
      if (as === 'value') {
        setPicks({ ...NO_PICKS, wanted: [node] });
        askForValue(deps, ask, node);
      } else if (as === 'unwanted') {
        pickRecords({ wanted: without(picks.wanted, [node]), unwanted: toggle(picks.unwanted, node) });
      } else if (draft.list && next.some((outline) => records.includes(outline.node))) {
        askForColumn(deps, ask, node);
      } else pickRecords({ unwanted: without(picks.unwanted, [node]), wanted: toggle(picks.wanted, node) });
    },

    /** Takes back the last pick, for another one in its place. */
    replaceLast() {
      setPicks(({ wanted, unwanted }) => ({ unwanted, wanted: wanted.slice(0, -1) }));
    },

    /** Takes a proposal instead of what is there. */
    choose(candidate: Candidate) {
      const { target } = suggestions;
      const { kind, selector, take } = candidate;
      if (kind !== 'list' && target.kind === 'column') {
        return onChange((now) => changeColumn(now, target.key, { selector, take }));
      }
      setMode(kind === 'list' ? 'list' : 'value');
      retarget(kind === 'list' ? setList(deps, candidate) : addProposed(deps, candidate, draft.values));
    },
  };
}

/** Returns the records from which a list is found. */
function examplesOf({ wanted, unwanted }: Picks, records: readonly number[]): readonly number[] {
  return wanted.length > 0 ? wanted : without(records, unwanted).slice(0, MAX_EXAMPLES);
}

function askForList(
  deps: PickingDeps,
  ask: Ask,
  examples: readonly number[],
  unwanted: readonly number[],
): void {
  const isList = deps.draft.list !== undefined || examples.length > 1;
  const kind = isList ? 'list' : 'one';
  ask(
    { kind, picks: [...examples], not: [...unwanted], ...alsoOn(deps) },
    { kind: isList ? 'list' : 'new' },
    ([best]) => {
      if (isList && best) setList(deps, best);
      return undefined;
    },
  );
}

function askForColumn(deps: PickingDeps, ask: Ask, node: number): void {
  const { draft, records } = deps;
  ask(
    { kind: 'field', picks: [node], within: records.slice(0, MAX_RECORDS) },
    { kind: 'new' },
    ([best]) => best && addProposed(deps, best, draft.list?.columns ?? []),
  );
}

function askForValue(deps: PickingDeps, ask: Ask, node: number): void {
  ask({ kind: 'one', picks: [node], ...alsoOn(deps) }, { kind: 'new' }, (candidates) => {
    const best = candidates.find(({ kind }) => kind === 'one');
    return best && addProposed(deps, best, deps.draft.values);
  });
}

function alsoOn({ alsoOn: snapshots }: PickingDeps) {
  return snapshots.length > 0 && { alsoOn: [...snapshots] };
}

/** Takes the list of a proposal, and returns it as the target of other proposals. */
function setList({ onChange }: PickingDeps, candidate: Candidate): Target {
  onChange((now) => ({ ...now, list: listOf(candidate, now.list) }));
  return { kind: 'list' };
}

/** Adds the column of a proposal, unless it is there, and returns it as the target of other proposals. */
function addProposed(
  { draft, onChange }: PickingDeps,
  candidate: Candidate,
  columns: readonly Column[],
): Target {
  const { selector, take, kind } = candidate;
  const same = columns.find((column) => column.selector === selector && column.take === take);
  const column = same ?? columnOf(candidate, columnsOf(draft));
  if (!same) {
    onChange((now) =>
      kind === 'field' ? addColumn(now, column) : { ...now, values: [...now.values, column] },
    );
  }
  return { kind: 'column', key: column.key };
}

function toggle(nodes: readonly number[], node: number): readonly number[] {
  return nodes.includes(node) ? without(nodes, [node]) : [...nodes, node];
}

function without(nodes: readonly number[], others: readonly number[]): readonly number[] {
  return nodes.filter((node) => !others.includes(node));
}
