import type { CompoundSelector, RelativeSelector, SelectorList } from './selector.ts';
import type { TokenStream } from './token-stream.ts';

/** Where a selector stands, for what is allowed there. */
export interface ParseContext {
  /** How many parentheses are open around it. */
  readonly depth: number;
  /** Inside :has(), which does not nest, or where only compounds are taken. */
  readonly refusesHas: boolean;
  /** Inside an argument, which takes no pseudo-elements. */
  readonly refusesPseudoElements: boolean;
  /** How the selectors inside of pseudo-classes are read. */
  readonly grammar: Grammar;
}

/** The productions of Selectors 4 that pseudo-classes take as arguments. */
export interface Grammar {
  /** One or more selectors, each of which has to parse. */
  readonly complexList: (stream: TokenStream, context: ParseContext) => SelectorList;
  /** Selectors of which those that do not parse are dropped. */
  readonly forgivingList: (stream: TokenStream, context: ParseContext) => SelectorList;
  /** One or more selectors without combinators. */
  readonly compoundList: (stream: TokenStream, context: ParseContext) => readonly CompoundSelector[];
  /** One or more selectors that begin with a combinator or mean a descendant. */
  readonly relativeList: (stream: TokenStream, context: ParseContext) => readonly RelativeSelector[];
}
