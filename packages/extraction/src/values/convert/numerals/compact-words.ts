import { toPlainText } from './plain-text.ts';

const MAX_CACHED = 64;

/** Multiples that pages of many languages write, beside those that CLDR has for a locale. */
const COMMON = 'k bn mn tn Mio Mio. Mrd Mrd. lakh crore тыс млн млрд 万 億 亿 만 억'.split(' ');

const cached = new Map<string, readonly string[]>();

/** Returns the words and abbreviations of multiples of ten in a supported locale, such as `K` and `million`. */
export function compactWords(locale: string): readonly string[] {
  const known = cached.get(locale);
  if (known) return known;
  const words = new Set(COMMON);
  for (const compactDisplay of ['short', 'long'] as const) {
    const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay });
    for (let power = 3; power <= 14; power++) {
      for (const count of [1, 2, 5]) addWord(words, format.formatToParts(count * 10 ** power));
    }
  }
  if (cached.size >= MAX_CACHED) cached.clear();
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
