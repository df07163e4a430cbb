import QuickLRU from 'quick-lru';
import { toPlainText } from './plain-text.ts';

/** Meaning of the characters that follow a number. */
export type Ending =
  | { readonly kind: 'plain' }
  /** Scientific notation; `literal` is the exponent, such as `e-3`. */
  | { readonly kind: 'exponent'; readonly literal: string }
  | { readonly kind: 'percent' }
  /** A multiple such as `k` or `million`. */
  | { readonly kind: 'compact'; readonly word: string }
  /** A fraction (`½`) or a power of ten (`×10³`). */
  | { readonly kind: 'formula' }
  /** A letter that may stand for a multiple, or for a unit or size: `1.2m`, `12 M`. */
  | { readonly kind: 'maybe compact'; readonly word: string };

const EXPONENT = /^e[-+]?\d{1,4}(?![\p{L}\p{N}])/iu;
const FRACTION = /^[ \u00a0]?[¼-¾⅐-⅞]/;
const POWER = /^[ \u00a0]?[×x·*][ \u00a0]?10(?:\^|[⁰¹²³⁴-⁹⁻])|^\^\d/;
const PERCENT = /^[ \u00a0]?%/;

/** Reads the ending of a number whose text goes on with `following`, by the words of the languages. */
export function readEnding(following: string, locales: readonly string[]): Ending {
  const exponent = EXPONENT.exec(following)?.[0];
  if (exponent) return { kind: 'exponent', literal: exponent };
  if (FRACTION.test(following) || POWER.test(following)) return { kind: 'formula' };
  if (PERCENT.test(following)) return { kind: 'percent' };
  const word = followingWord(following, locales);
  if (word !== undefined) return { kind: 'compact', word };
  const [, attached, apart] = LETTER.exec(following) ?? [];
  const letter = attached ?? apart;
  return letter === undefined ? { kind: 'plain' } : { kind: 'maybe compact', word: letter };
}

/** A letter behind a space is a size or a unit as often as a multiple, and `m` is at any place. */
const LETTER = /^(?: ?(m)| ([kKMBT]))(?![\p{L}\p{N}²³-])/u;

/** Scripts that write no spaces between words. */
const IDEOGRAPH = /^[\p{scx=Han}\p{scx=Hangul}\p{scx=Thai}]/u;

function followingWord(following: string, locales: readonly string[]): string | undefined {
  const text = following.replace(/^[ \u00a0]/, '');
  const isLetter = following.startsWith(' ');
  const isWord = (word: string): boolean => {
    if (!text.startsWith(word)) return false;
    if (IDEOGRAPH.test(word)) return true;
    return !(isLetter && word.length === 1) && !/^[\p{L}\p{N}-]/u.test(text.slice(word.length));
  };
  for (const locale of locales) {
    const word = compactWords(locale).find(isWord);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Multiples common on pages of many languages, besides CLDR's for a locale. */
const COMMON = 'k bn mn tn Mio Mio. Mrd Mrd. lakh crore тыс млн млрд 万 億 亿 만 억'.split(' ');

const cached = new QuickLRU<string, readonly string[]>({ maxSize: 64 });

/** Returns the words and abbreviations of multiples of ten in a supported locale, such as `K` and `million`. */
function compactWords(locale: string): readonly string[] {
  const known = cached.get(locale);
  if (known) return known;
  const words = new Set(COMMON);
  for (const compactDisplay of ['short', 'long'] as const) {
    const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay });
    for (let power = 3; power <= 14; power++) {
      for (const count of [1, 2, 5]) addWord(words, format.formatToParts(count * 10 ** power));
    }
  }
  cached.set(locale, [...words]);
  return [...words];
}

function addWord(words: Set<string>, parts: readonly Intl.NumberFormatPart[]): void {
  const word = parts.find(({ type }) => type === 'compact')?.value;
  if (word === undefined) return;
  const plain = toPlainText(word);
  words.add(plain);
  if (plain.endsWith('.')) words.add(plain.slice(0, -1));
}
