import type { Budget, ParsedDocument } from '@gleaner/extraction';

/** Kind of a suggestion: one element, a list of records, or a field inside the records of a list. */
export type SuggestionKind = 'one' | 'list' | 'field';

/** Elements that a user picked on a page. All elements are named by their place in document order, from 0. */
export interface SuggestRequest {
  readonly kind: SuggestionKind;
  /** Elements to select; two are enough for a list, and one is enough if it stands among others like it. */
  readonly picks: readonly number[];
  /** Elements that must not be selected. */
  readonly not?: readonly number[];
  /** For fields: the records, or one of them. */
  readonly within?: number | readonly number[];
  /** Other pages of the same kind, or the same page at another time; selectors that hold there come first. */
  readonly alsoOn?: readonly ParsedDocument[];
}

/** Elements picked by a user, and elements that must not be selected. */
export interface ListPicks {
  readonly picks: readonly number[];
  readonly not: readonly number[];
}

/** Options of `suggest`. */
export interface SuggestOptions {
  readonly budget?: Budget;
}

/** A proposed selector. */
export interface Candidate {
  readonly kind: SuggestionKind;
  /** CSS without a suffix; for fields, relative to the record. */
  readonly selector: string;
  /** Value that fits the picked element: `text` or `attr(<name>)`. */
  readonly take: string;
  /** Number of matching elements; for fields, of records with a match. */
  readonly matches: number;
  /** First values, shortened. */
  readonly values: readonly string[];
  /** From 0 to 1: expected to go on matching the same elements. */
  readonly score: number;
  /** Sentences for users: what the selector relies on. */
  readonly reasons: readonly string[];
  /** Share of the other pages on which it selects likewise, as in `4 of 5`; absent without any. */
  readonly stableOn?: string;
  /** For lists: proposed fields of the records. */
  readonly columns?: readonly Column[];
}

/** A proposed field of the records of a list. */
export interface Column {
  readonly name: string;
  /** CSS relative to the record. */
  readonly selector: string;
  readonly take: string;
  /** Share of the records that have a value, from 0 to 1. */
  readonly filled: number;
  /** Number of different values. */
  readonly distinct: number;
  readonly values: readonly string[];
  /** True if the field takes the picked element. */
  readonly isPicked: boolean;
}
