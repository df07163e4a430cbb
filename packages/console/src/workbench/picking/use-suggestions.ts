import type { BodyOf } from '@gleaner/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { gleaner } from '../../api/gleaner.ts';
import type { Candidate } from '../draft/draft.ts';

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

/** Asks for candidates; the callback returns the target of a draft changed by them. */
export type Ask = (
  request: BodyOf<'suggestSelectors'>,
  target: Target,
  onFound: (candidates: readonly Candidate[]) => Target | undefined,
) => void;

const NO_SUGGESTIONS: Suggestions = { candidates: [], target: { kind: 'new' }, isBusy: false };

/** Asks for selectors, one request at a time: the next one aborts that before it. */
export function useSuggestions(snapshotId: string) {
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
