import type { JsonValue } from './visit-json.ts';

/** A compiled path: plain data, which can be sent to another thread. RFC 9535 §2. */
export interface JsonPath {
  readonly text: string;
  readonly segments: readonly PathSegment[];
}

/** A step of a path. `..` applies the selectors to the node and to all its descendants. */
export interface PathSegment {
  readonly descends: boolean;
  readonly selectors: readonly PathSelector[];
}

/** Selector of children in brackets. */
export type PathSelector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number;
    }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'filter'; readonly test: FilterTest };

/** Condition of a filter selector. */
export type FilterTest =
  | { readonly kind: 'and' | 'or'; readonly left: FilterTest; readonly right: FilterTest }
  | { readonly kind: 'not'; readonly test: FilterTest }
  | { readonly kind: 'exists'; readonly query: FilterQuery }
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: Operand;
      readonly right: Operand;
    };

/** Query inside a filter: from the root (`$`), or from the tested node (`@`). */
export interface FilterQuery {
  readonly startsAtRoot: boolean;
  readonly segments: readonly PathSegment[];
}

/** Side of a comparison. Its query finds at most one node, or no value. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'query'; readonly query: FilterQuery };

/** Operators of comparisons. */
export const COMPARE_OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type CompareOperator = (typeof COMPARE_OPERATORS)[number];
