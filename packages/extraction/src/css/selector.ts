/** How two compounds relate: descendant, child, next sibling, later sibling. */
export type Combinator = ' ' | '>' | '+' | '~';

/** Compounds from left to right; `combinators[i]` stands between compounds i and i + 1. */
export interface ComplexSelector {
  readonly compounds: readonly CompoundSelector[];
  readonly combinators: readonly Combinator[];
}

/** What stands in :has(): `anchor` relates the element under test to the first compound. */
export interface RelativeSelector extends ComplexSelector {
  readonly anchor: Combinator;
}

/** Conditions that one element meets all of; never empty. */
export type CompoundSelector = readonly SimpleSelector[];

/** Selectors of which one has to match; empty in a forgiving list that kept nothing. */
export type SelectorList = readonly ComplexSelector[];

/** `[name operator value]`; without an operator the attribute only has to be there. */
export interface AttributeSelector {
  readonly kind: 'attribute';
  /** Lower-case, as browsers compare it in HTML documents. */
  readonly name: string;
  /** As it was written, which is how they compare it in XML documents. */
  readonly exactName: string;
  readonly isAnyNamespace: boolean;
  readonly operator: AttributeOperator | null;
  readonly value: string;
  /** Whether the `i` flag was given. */
  readonly ignoresCase: boolean;
}

/** The comparisons of attribute selectors. */
export type AttributeOperator = '=' | '~=' | '|=' | '^=' | '$=' | '*=';

/** `:nth-child()` and its family: the positions `step × n + offset` for n ≥ 0. */
export interface NthSelector {
  readonly kind: 'nth';
  readonly step: number;
  readonly offset: number;
  readonly counts: 'child' | 'type';
  readonly isFromEnd: boolean;
  /** Counts only siblings that match, where `of` was given. */
  readonly of: SelectorList | null;
}

/** The name of a tag; both names are those of `AttributeSelector`. */
export interface TypeSelector {
  readonly kind: 'type';
  readonly name: string;
  readonly exactName: string;
}

/** One condition on one element. Selectors 4. */
export type SimpleSelector =
  | TypeSelector
  | { readonly kind: 'universal' }
  | { readonly kind: 'never' }
  /** `|name`: in no namespace, which HTML documents do not have. */
  | { readonly kind: 'unnamespaced' }
  | { readonly kind: 'id'; readonly value: string }
  | { readonly kind: 'class'; readonly value: string }
  | AttributeSelector
  | { readonly kind: 'scope' }
  | { readonly kind: 'state'; readonly name: string }
  | { readonly kind: 'lang'; readonly value: string }
  | { readonly kind: 'dir'; readonly value: string }
  | { readonly kind: 'is'; readonly list: SelectorList }
  | { readonly kind: 'not'; readonly list: SelectorList }
  | { readonly kind: 'has'; readonly list: readonly RelativeSelector[] }
  | NthSelector
  | { readonly kind: 'only'; readonly counts: NthSelector['counts'] };
