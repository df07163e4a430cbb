import type { Budget } from '../budget.ts';
import type { RelativeSelector, SelectorList } from '../css/selector.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';

/** Says whether the element of that order meets a condition. */
export type Test = (order: number) => boolean;

/** One byte for each element of the document: 1 where it belongs to the set. */
export type ElementSet = Uint8Array;

/** Selectors at work on one document: what they share, and what :scope means to them. */
export interface MatchRun {
  readonly document: ParsedDocument;
  readonly budget: Budget;
  /** The order of the element that :scope stands for. */
  readonly scope: number;
  /** Sets and counts that do not depend on :scope, by what they were computed from. */
  readonly shared: Map<object | string, ElementSet | Int32Array>;
  /** The same for those that do. */
  readonly scoped: Map<object | string, ElementSet | Int32Array>;
  /** How selectors inside selectors are matched; given by the run, so that simple ones need not know lists. */
  readonly lists: ListMatcher;
}

/** Matches whole lists for the selectors that hold one. */
export interface ListMatcher {
  /** The elements that match one of the list. */
  readonly setOf: (list: SelectorList, run: MatchRun) => ElementSet;
  /** The elements for which one of the relative selectors finds a match. */
  readonly setOfRelatives: (list: readonly RelativeSelector[], run: MatchRun) => ElementSet;
}

/** The same run with another element for :scope. */
export function withScope(run: MatchRun, scope: number): MatchRun {
  return { ...run, scope, scoped: new Map() };
}

/** An empty set; its memory is work too. */
export function createSet({ document, budget }: MatchRun): ElementSet {
  budget.spend(1 + (document.elements.length >> 1));
  return new Uint8Array(document.elements.length);
}

/** What was computed for the list before in this run, or `compute` once. */
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
