import type { Lexicon } from '../names/lexicon.ts';
import type { Token } from '../text/tokens.ts';

/** A text and the words to read it with. */
export interface Source {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  /** True for texts in Thai, which may count years as Buddhists do. */
  readonly isThai: boolean;
}
