import type { BodyOf } from '@gleaner/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { gleaner } from '../../api/gleaner.ts';
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

/** Effect of a click: finds records or their columns, takes a single value, or leaves out a record. */
export type Mode = 'list' | 'value' | 'unwanted';

/** Elements that the user picked, in the order of the clicks. */
export interface Picks {
  readonly wanted: readonly number[];
  readonly unwanted: readonly number[];
}

const NO_PICKS: Picks = { wanted: [], unwanted: [] };
/** Records that stand for a list whose examples are no longer known. */
const MAX_EXAMPLES = 2;
const MAX_RECORDS = 10_000;

/** Clicks on elements, and what has become of them. */
export type Picking = ReturnType<typeof usePicking>;

/** Turns clicks on elements into parts of the draft, with the proposals of the service. */
export function usePicking(deps: {
  readonly snapshotId: string;
  readonly draft: Draft;
  /** Elements that the list matches now. */
  readonly records: readonly number[];
  /** Snapshots of the same kind, on which proposals are tested. */
  readonly alsoOn: readonly string[];
  onChange(update: (draft: Draft) => Draft): void;
}) {
  const { draft, records, onChange } = deps;
  const { suggestions, ask, clear, retarget } = useSuggestions(deps.snapshotId);
  const [picks, setPicks] = useState(NO_PICKS);
  const [path, setPath] = useState<readonly Outline[]>([]);
  const [mode, setMode] = useState<Mode>('list');
  const also = deps.alsoOn.length > 0 && { alsoOn: [...deps.alsoOn] };
  const setList = (candidate: Candidate) =>
    onChange((now) => ({ ...now, list: listOf(candidate, now.list) }));

  const forget = () => {
    clear();
    setPicks(NO_PICKS);
    setPath([]);
  };

  const askForList = ({ wanted, unwanted }: Picks) => {
    setPicks({ wanted, unwanted });
    const examples = wanted.length > 0 ? wanted : without(records, unwanted).slice(0, MAX_EXAMPLES);
    if (examples.length === 0) return forget();
    const isList = draft.list !== undefined || examples.length > 1;
    const kind = isList ? 'list' : 'one';
    ask(
      { kind, picks: [...examples], not: [...unwanted], ...also },
      { kind: isList ? 'list' : 'new' },
      ([best]) => {
        if (isList && best) setList(best);
        return undefined;
      },
    );
  };

  const askForColumn = (node: number) =>
    ask(
      { kind: 'field', picks: [node], within: records.slice(0, MAX_RECORDS) },
      { kind: 'new' },
      ([best]) => best && addProposed(best, draft.list?.columns ?? []),
    );

  const askForValue = (node: number) =>
    ask({ kind: 'one', picks: [node], ...also }, { kind: 'new' }, (candidates) => {
      const best = candidates.find(({ kind }) => kind === 'one');
      return best && addProposed(best, draft.values);
    });

  /** Adds the column of a proposal, unless it is there, and returns it as the target of other proposals. */
  const addProposed = (candidate: Candidate, columns: readonly Column[]): Target => {
    const { selector, take, kind } = candidate;
    const same = columns.find((column) => column.selector === selector && column.take === take);
    const column = same ?? columnOf(candidate, columnsOf(draft));
    if (!same) {
      onChange((now) =>
        kind === 'field' ? addColumn(now, column) : { ...now, values: [...now.values, column] },
      );
    }
    return { kind: 'column', key: column.key };
  };

  return {
    ...{ suggestions, picks, path, mode, setMode, forget },

    /** Takes a click on the last element of a path. */
    pick(next: readonly Outline[], as: Mode = mode) {
      const node = next.at(-1)?.node;
      if (node === undefined) return;
      setPath(next);
      if (as === 'value') {
        setPicks({ ...NO_PICKS, wanted: [node] });
        askForValue(node);
      } else if (as === 'unwanted') {
        askForList({ wanted: without(picks.wanted, [node]), unwanted: toggle(picks.unwanted, node) });
      } else if (draft.list && next.some((outline) => records.includes(outline.node))) {
        askForColumn(node);
      } else askForList({ unwanted: without(picks.unwanted, [node]), wanted: toggle(picks.wanted, node) });
    },

    /** Takes back the last pick, for another one in its place. */
    replaceLast() {
      setPicks(({ wanted, unwanted }) => ({ unwanted, wanted: wanted.slice(0, -1) }));
    },

    /** Takes a proposal instead of what is there. */
    choose(candidate: Candidate) {
      const { target } = suggestions;
      if (candidate.kind === 'list') {
        setList(candidate);
        setMode('list');
        retarget({ kind: 'list' });
      } else if (target.kind === 'column') {
        const { selector, take } = candidate;
        onChange((now) => changeColumn(now, target.key, { selector, take }));
      } else {
        setMode('value');
        retarget(addProposed(candidate, draft.values));
      }
    },
  };
}

function toggle(nodes: readonly number[], node: number): readonly number[] {
  return nodes.includes(node) ? without(nodes, [node]) : [...nodes, node];
}

function without(nodes: readonly number[], others: readonly number[]): readonly number[] {
  return nodes.filter((node) => !others.includes(node));
}

/** Place of a candidate: a new field, or the part of the draft that it replaces. */
export type Target =
  | { readonly kind: 'new' }
  | { readonly kind: 'list' }
  | { readonly kind: 'column'; readonly key: number };

/** Proposals for the elements that were picked last. */
export interface Suggestions {
  readonly candidates: readonly Candidate[];
  readonly target: Target;
  readonly isBusy: boolean;
  readonly error?: unknown;
}

type Ask = (
  request: BodyOf<'suggestSelectors'>,
  target: Target,
  onFound: (candidates: readonly Candidate[]) => Target | undefined,
) => void;

const NO_SUGGESTIONS: Suggestions = { candidates: [], target: { kind: 'new' }, isBusy: false };

/** Asks for selectors, one request at a time: the next one aborts that before it. */
function useSuggestions(snapshotId: string) {
  const [suggestions, setSuggestions] = useState(NO_SUGGESTIONS);
  const running = useRef<AbortController>(undefined);
  const clear = useCallback(() => {
    running.current?.abort();
    setSuggestions(NO_SUGGESTIONS);
  }, []);
  const ask: Ask = (request, target, onFound) => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setSuggestions((before) => ({ candidates: before.candidates, target, isBusy: true }));
    gleaner.snapshots
      .suggest(snapshotId, request, { signal })
      .then((candidates) => {
        if (signal.aborted) return;
        setSuggestions({ candidates, target: onFound(candidates) ?? target, isBusy: false });
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setSuggestions({ ...NO_SUGGESTIONS, target, error });
      });
  };
  const retarget = (target: Target) => setSuggestions((before) => ({ ...before, target }));
  useEffect(() => () => running.current?.abort(), []);
  return { suggestions, ask, clear, retarget };
}
