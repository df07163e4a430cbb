import { isPlain, normalize } from './normalize.ts';

/** A number, a word or a mark of a text. */
export interface Token {
  readonly kind: 'number' | 'word' | 'mark';
  /** Digits are ASCII, words are lowercase without accents. */
  readonly text: string;
  /** The same text in its own case, which tells the zone EST from the French "est". */
  readonly cased: string;
  /** True when no white space precedes the token. */
  readonly isGlued: boolean;
  /** True for a character of a script that does not separate words. */
  readonly isIdeogram: boolean;
}

const DIGITS = 1;
const IDEOGRAM = 2;
const WORD = 3;

const PIECE =
  /(\d+)|([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])|([\p{sc=Latin}\p{M}]+|[[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+)|\S/gv;

/** The same for plain texts, which are most. */
const PLAIN_PIECE = /(\d+)|(\p{Lo})|([A-Za-z]+)|\S/gu;

/** Splits a text into numbers, words of one script and marks. Scripts that do not separate words give one token for each character. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  const normal = normalize(text);
  for (const match of normal.matchAll(isPlain(normal) ? PLAIN_PIECE : PIECE)) {
    const [cased] = match;
    const isIdeogram = match[IDEOGRAM] !== undefined;
    const isWord = isIdeogram || match[WORD] !== undefined;
    tokens.push({
      kind: isWord ? 'word' : match[DIGITS] === undefined ? 'mark' : 'number',
      text: isWord ? cased.toLowerCase() : cased,
      cased,
      isGlued: match.index === end && end > 0,
      isIdeogram,
    });
    end = match.index + cased.length;
  }
  return tokens;
}
