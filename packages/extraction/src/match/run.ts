import type { Budget } from '../budget.ts';
import type { RelativeSelector, SelectorList } from '../css/selector.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';

/** Returns true if the element of that order meets a condition. */
export type Test = (order: number) => boolean;

/** Set of elements: one byte for each element of the document, 1 if it is in the set. */
export type ElementSet = Uint8Array;

/** State of matching selectors on one document with one :scope element. */
export interface MatchRun {
  readonly document: ParsedDocument;
  readonly budget: Budget;
  /** Order of the :scope element. */
  readonly scope: number;
  /** Computed sets and positions that do not depend on :scope, by their selectors. */
  readonly shared: Map<object | string, ElementSet | Int32Array>;
  /** Computed sets and positions that depend on :scope. */
  readonly scoped: Map<object | string, ElementSet | Int32Array>;
  /** Matcher of selectors inside selectors; passed in, so that tests of simple selectors do not import it. */
  readonly lists: ListMatcher;
}

/** Matches whole lists for selectors that contain one. */
export interface ListMatcher {
  /** Returns the elements that match the list. */
  readonly setOf: (list: SelectorList, run: MatchRun) => ElementSet;
  /** Returns the elements for which one of the relative selectors finds a match. */
  readonly setOfRelatives: (list: readonly RelativeSelector[], run: MatchRun) => ElementSet;
}

/** Returns the same run with another :scope element. */
export function withScope(run: MatchRun, scope: number): MatchRun {
  return { ...run, scope, scoped: new Map() };
}

/** Creates an empty set; its memory counts as work. */
export function createSet({ document, budget }: MatchRun): ElementSet {
  budget.spend(1 + (document.elements.length >> 1));
  return new Uint8Array(document.elements.length);
}

/** Returns the cached value, or computes and caches it. */
export function remember<T extends ElementSet | Int32Array>(
  cache: MatchRun['shared'],
  key: object | string,
  compute: () => T,
): T {
  const known = cache.get(key);
  if (known) return known as T;
  const value = compute();
  cache.set(key, value);
  return value;
}
