import type { FieldType, SelectorMap } from '@gleaner/contracts';
import type { ConversionOptions, JsonValue } from '../convert/conversion.ts';
import type { SelectorList } from '../css/selector.ts';
import type { Projection } from '../dom/parse-projection.ts';
import type { JsonPath } from '../json/json-path.ts';

export type { SelectorMap };

/** Value taken from a matched element; `time` is the `datetime` attribute of the element, else its text. */
export type FieldValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'time' }
  | { readonly kind: 'attribute'; readonly name: string; readonly isAbsolute: boolean }
  | { readonly kind: 'record'; readonly fields: readonly PlannedField[] };

/** Source that a JSONPath reads: the text of the element, the body of the document, the record around the field, or captured responses. */
export type JsonSource = 'element' | 'body' | 'record' | { readonly captured: string };

/** Steps between the match and the value of a field, in the order in which they are applied. */
export interface FieldSteps {
  /** Descendants whose text is left out. */
  readonly exclude: { readonly list: SelectorList; readonly usesScope: boolean } | null;
  readonly whitespace: 'collapse' | 'keep';
  readonly json: { readonly path: JsonPath; readonly source: JsonSource } | null;
  /** Source of the regular expression; each thread compiles its own. */
  readonly pattern: string | null;
  /** Null keeps texts, and the types of JSON. */
  readonly type: FieldType | null;
  readonly options: ConversionOptions;
  /** Replaces null. */
  readonly fallback: { readonly value: JsonValue } | null;
  readonly isRequired: boolean;
}

/** A compiled field. */
export interface PlannedField {
  readonly name: string;
  /** Names from the top, separated by dots: `cards.title`. */
  readonly path: string;
  /** The selector as given in the request; empty if the field has only a JSONPath. */
  readonly selector: string;
  readonly list: SelectorList;
  /** True if the selector uses :scope, so that it must be matched for each record. */
  readonly usesScope: boolean;
  readonly takesAll: boolean;
  readonly value: FieldValue;
  /** Null for a field whose texts are returned as they are. */
  readonly steps: FieldSteps | null;
  /** True if the field or one inside it is required. */
  readonly hasRequired: boolean;
}

/** Compiled selectors: plain data that can run any number of times and be sent to other threads. */
export interface ExtractionPlan {
  readonly fields: readonly PlannedField[];
  /** The part of a document that the fields can see; null if they need the whole document. */
  readonly projection: Projection | null;
  /** Size of all patterns, as `estimateSize` returns it: the work of compiling them. */
  readonly patternSize: number;
}
