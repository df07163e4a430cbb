import type { SelectorList } from '../css/selector.ts';

/** One selector as a caller writes it: a string, or an object for records and absolute links. */
export type SelectorSpec =
  | string
  | {
      readonly selector: string;
      /** Every match as an array; the same as `::all`. */
      readonly all?: boolean;
      /** Resolves URLs against the page's base URL. */
      readonly absolute?: boolean;
      /** Makes each match a record of these. */
      readonly fields?: SelectorMap;
    };

/** Output field names and their selectors. */
export interface SelectorMap {
  readonly [field: string]: SelectorSpec;
}

/** What is taken from a matched element. */
export type FieldValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string; readonly isAbsolute: boolean }
  | { readonly kind: 'record'; readonly fields: readonly PlannedField[] };

/** One field, ready to run. */
export interface PlannedField {
  readonly name: string;
  /** Its names from the top, with dots between: `cards.title`. */
  readonly path: string;
  /** The selector as the caller wrote it. */
  readonly selector: string;
  readonly list: SelectorList;
  /** Whether the selector says :scope, so that each record has matches of its own. */
  readonly usesScope: boolean;
  readonly takesAll: boolean;
  readonly value: FieldValue;
}

/** Selectors that were checked and parsed: plain data, which may run any number of times and cross threads. */
export interface ExtractionPlan {
  readonly fields: readonly PlannedField[];
}
