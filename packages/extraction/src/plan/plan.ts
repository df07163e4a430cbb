import type { SelectorList } from '../css/selector.ts';

/** A selector as given in a request: a string, or an object for records and absolute links. */
export type SelectorSpec =
  | string
  | {
      readonly selector: string;
      /** Takes every match as an array; the same as `::all`. */
      readonly all?: boolean;
      /** Resolves URLs against the page's base URL. */
      readonly absolute?: boolean;
      /** Makes each match a record of these fields. */
      readonly fields?: SelectorMap;
    };

/** Output field names and their selectors. */
export interface SelectorMap {
  readonly [field: string]: SelectorSpec;
}

/** Value taken from a matched element. */
export type FieldValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string; readonly isAbsolute: boolean }
  | { readonly kind: 'record'; readonly fields: readonly PlannedField[] };

/** A compiled field. */
export interface PlannedField {
  readonly name: string;
  /** Names from the top, separated by dots: `cards.title`. */
  readonly path: string;
  /** The selector as given in the request. */
  readonly selector: string;
  readonly list: SelectorList;
  /** True if the selector uses :scope, so that it must be matched for each record. */
  readonly usesScope: boolean;
  readonly takesAll: boolean;
  readonly value: FieldValue;
}

/** Compiled selectors: plain data that can run any number of times and be sent to other threads. */
export interface ExtractionPlan {
  readonly fields: readonly PlannedField[];
}
