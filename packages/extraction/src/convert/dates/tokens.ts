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

/** Compatibility forms of one character can be 18 characters long. */
const MAX_CHARS = 128 * 1024;

const INVISIBLE = /\p{Cf}/gu;

/** Accents and vowel points, which writers leave out: of Latin, Greek and Cyrillic, of Hebrew and of Arabic. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g;

const FOREIGN_DIGIT = /[\u0660-\u0d6f\u0e50-\u19d9]/g;

/** Code points of the digits zero in the scripts whose languages write dates with them. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0x19d0,
];

const MARKS: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2212': '-',
  '\u2012': '\u2013',
  '\u2014': '\u2013',
  '\u2015': '\u2013',
  '\u2018': "'",
  '\u2019': "'",
  '\u02bc': "'",
  '\u05f3': "'",
  '\u060c': ',',
  '\u2044': '/',
  '\u2215': '/',
  ı: 'i',
};

const REPLACED = /[\u2010\u2011\u2212\u2012\u2014\u2015\u2018\u2019\u02bc\u05f3\u060c\u2044\u2215ı]/g;

/** Returns a text with one form for each character: ASCII digits, no accents, no invisible characters. */
function normalize(text: string): string {
  if (isPlain(text)) return text.slice(0, MAX_CHARS);
  return text
    .normalize('NFKD')
    .slice(0, MAX_CHARS)
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(FOREIGN_DIGIT, asAsciiDigit)
    .replace(REPLACED, (mark) => MARKS[mark] ?? mark);
}

/** Returns true for a text of ASCII and the signs of most footers, all of which have one form only. */
function isPlain(text: string): boolean {
  return !NOT_PLAIN.test(text);
}

const NOT_PLAIN = /[^\0-\x7f©\u2013]/;

function asAsciiDigit(char: string): string {
  const code = char.charCodeAt(0);
  const zero = ZEROS.find((candidate) => code >= candidate && code < candidate + 10);
  return zero === undefined ? char : String(code - zero);
}
