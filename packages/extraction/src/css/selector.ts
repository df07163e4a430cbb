import { cutText } from '@gleaner/contracts';
/** Relation of two compounds: descendant, child, next sibling, later sibling. */
export type Combinator = ' ' | '>' | '+' | '~';

/** Compounds from left to right; `combinators[i]` is between compounds i and i + 1. */
export interface ComplexSelector {
  readonly compounds: readonly CompoundSelector[];
  readonly combinators: readonly Combinator[];
}

/** Argument of :has(); `anchor` relates the tested element to the first compound. */
export interface RelativeSelector extends ComplexSelector {
  readonly anchor: Combinator;
}

/** Conditions that an element must all meet; never empty. */
export type CompoundSelector = readonly SimpleSelector[];

/** Selectors of which at least one must match; empty if a forgiving list dropped all of them. */
export type SelectorList = readonly ComplexSelector[];

/** `[name operator value]`; without an operator the attribute only has to exist. */
export interface AttributeSelector {
  readonly kind: 'attribute';
  /** Name in lower case, as browsers compare it in HTML documents. */
  readonly name: string;
  /** Name as written, as browsers compare it in XML documents. */
  readonly exactName: string;
  readonly isAnyNamespace: boolean;
  readonly operator: AttributeOperator | null;
  readonly value: string;
  /** True if the `i` flag is set. */
  readonly ignoresCase: boolean;
}

/** Comparison operators of attribute selectors. */
export type AttributeOperator = '=' | '~=' | '|=' | '^=' | '$=' | '*=';

/** `:nth-child()` and related pseudo-classes: the positions `step × n + offset` for n ≥ 0. */
export interface NthSelector {
  readonly kind: 'nth';
  readonly step: number;
  readonly offset: number;
  readonly counts: 'child' | 'type';
  readonly isFromEnd: boolean;
  /** Counts only siblings that match, if `of` is given. */
  readonly of: SelectorList | null;
}

/** Tag name, in both forms of `AttributeSelector`. */
export interface TypeSelector {
  readonly kind: 'type';
  readonly name: string;
  readonly exactName: string;
}

/** A single condition on an element. Selectors 4. */
export type SimpleSelector =
  | TypeSelector
  | { readonly kind: 'universal' }
  | { readonly kind: 'never' }
  /** `|name`: an element without a namespace; HTML documents have none. */
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

/** Longest message: a token quoted in it may be as long as a selector. */
const MAX_MESSAGE_CHARS = 300;

/** Explains to the author of a selector why it is invalid; never leaves the package. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
  /** True if even a forgiving list must reject the selector. */
  readonly isFatal: boolean;

  constructor(message: string, { isFatal = false } = {}) {
    super(message.length > MAX_MESSAGE_CHARS ? `${cutText(message, MAX_MESSAGE_CHARS)}…` : message);
    this.isFatal = isFatal;
  }
}
