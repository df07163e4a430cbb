import countryToCurrency from 'country-to-currency';
import QuickLRU from 'quick-lru';
import { toPlainText } from '../numerals/plain-text.ts';
import { MINOR_UNITS, readSymbols, type SymbolMeaning } from './currency-symbols.ts';

/** A symbol or code of a currency in a text. */
export interface CurrencyMark {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** ISO 4217 code of the text; undefined for symbols. */
  readonly code: string | undefined;
}

/** Finds marks of currencies, and resolves them. */
export interface CurrencyReader {
  readonly find: (plain: string) => readonly CurrencyMark[];
  /** Returns the meaning of a symbol, and its currency in the locale, if that is certain. */
  readonly meaningOf: (symbol: string) => SymbolMeaning & { readonly local: string | undefined };
}

const readers = new QuickLRU<string, CurrencyReader>({ maxSize: 16 });

/** Returns the reader for a supported locale, or for none. */
export function currencyReader(locale: string | undefined): CurrencyReader {
  const key = locale ?? '';
  const known = readers.get(key);
  if (known) return known;
  const reader = createReader(locale === undefined ? NO_LOCALE : localCurrencies(locale));
  readers.set(key, reader);
  return reader;
}

/** Codes that are words of English, too, such as "TOP 10". */
const WORDS = new Set(['ALL', 'BAD', 'BAN', 'CUP', 'SIT', 'TOP']);

const NO_LOCALE: LocalCurrencies = { home: undefined, bySymbol: new Map() };

function createReader({ home, bySymbol }: LocalCurrencies): CurrencyReader {
  const symbols = new Map(Array.from(readSymbols(), ([symbol, meaning]) => [toPlainText(symbol), meaning]));
  const local = new Map(Array.from(bySymbol, ([symbol, code]) => [withoutDot(toPlainText(symbol)), code]));
  const codes = new Set(Intl.supportedValuesOf('currency').filter((code) => !WORDS.has(code)));
  if (home) codes.add(home);
  const index = indexSymbols([...symbols.keys(), ...local.keys()]);
  return {
    find: (plain) => findMarks(plain, index, codes),
    meaningOf(symbol) {
      const meaning = symbols.get(symbol) ?? { candidates: [], usual: undefined };
      const isOfHome = home !== undefined && meaning.candidates.includes(home);
      return { ...meaning, local: local.get(symbol) ?? (isOfHome ? home : undefined) };
    },
  };
}

/** A dot behind an abbreviation is left out on many pages, and does not belong to symbols here. */
function withoutDot(symbol: string): string {
  return symbol.endsWith('.') && !symbol.endsWith('/.') ? symbol.slice(0, -1) : symbol;
}

/** Codes that pages write in small letters, too; others are words. */
const SMALL_CODES = /^(?:eur|usd|gbp|chf|aud|cad|nzd|sek|nok|dkk|pln|czk|huf|inr|jpy|zar)$/i;

const CODE = /^[A-Za-z]{3}/;

function findMarks(plain: string, index: SymbolIndex, codes: ReadonlySet<string>): CurrencyMark[] {
  const marks: CurrencyMark[] = [];
  const { starts, symbolsByStart } = index;
  starts.lastIndex = 0;
  for (let match = starts.exec(plain); match; match = starts.exec(plain)) {
    const start = match.index;
    const text = symbolsByStart.get(plain.charAt(start))?.find((symbol) => isAt(plain, start, symbol));
    const letters = text === undefined ? CODE.exec(plain.slice(start, start + 3))?.[0] : undefined;
    const code = letters !== undefined && isAt(plain, start, letters) ? codeOf(letters, codes) : undefined;
    const found = text ?? (code === undefined ? undefined : letters);
    if (found === undefined) continue;
    marks.push({ start, end: start + found.length, text: found, code });
    starts.lastIndex = start + found.length;
  }
  return marks;
}

/** Returns true if the text has the symbol at the place, not as a part of a longer word. */
function isAt(plain: string, start: number, symbol: string): boolean {
  if (!plain.startsWith(symbol, start)) return false;
  const end = start + symbol.length;
  const before = plain.slice(Math.max(0, start - 6), start);
  if (MINOR_UNITS.has(symbol) && !(/^[a-z]$/.test(symbol) ? LETTER_AMOUNT : MINOR_AMOUNT).test(before))
    return false;
  const opens = isWordLetter(symbol.charAt(0)) && isWordLetter(plain.charAt(start - 1));
  const closes = isWordLetter(symbol.charAt(symbol.length - 1)) && isWordLetter(plain.charAt(end));
  return !opens && !closes;
}

/** Numbers before a hundredth: fewer than a thousand, and fewer than a hundred before a letter, so that "480p" stays a number. */
const MINOR_AMOUNT = /(?<![\d.,])\d{1,3}(?:[.,]\d)?[ \u00a0]?$/;
const LETTER_AMOUNT = /(?<![\d.,])\d{1,2}(?:[.,]\d)?$/;

/** Matches letters of the scripts that write spaces between words. */
const WORD_LETTER = /^[\p{L}\p{M}]$/u;
const SCRIPT_WITHOUT_SPACES = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]$/u;

function isWordLetter(char: string): boolean {
  if (char < '\u0080') return /^[A-Za-z]$/.test(char);
  return WORD_LETTER.test(char) && !SCRIPT_WITHOUT_SPACES.test(char);
}

function codeOf(text: string, codes: ReadonlySet<string>): string | undefined {
  const upper = text.toUpperCase();
  return codes.has(upper) && (text === upper || SMALL_CODES.test(text)) ? upper : undefined;
}

interface SymbolIndex {
  /** Matches the characters that symbols start with, and words like codes; Latin letters only where no other one precedes them. */
  readonly starts: RegExp;
  /** Symbols by their first UTF-16 unit, the longest first. */
  readonly symbolsByStart: ReadonlyMap<string, readonly string[]>;
}

function indexSymbols(symbols: readonly string[]): SymbolIndex {
  const sorted = symbols.toSorted((a, b) => b.length - a.length);
  const symbolsByStart = Map.groupBy(sorted, (symbol) => symbol.charAt(0));
  const starts = [...symbolsByStart.keys()];
  const letters = starts.filter((char) => /[A-Za-z]/.test(char));
  const others = starts.filter((char) => !letters.includes(char));
  const classOf = (chars: readonly string[]): string => `[${chars.map(RegExp.escape).join('')}]`;
  const word = `(?<![A-Za-z])(?:${classOf(letters)}|[A-Za-z]{3}(?![A-Za-z]))`;
  return { starts: new RegExp(`${word}|${classOf(others)}`, 'g'), symbolsByStart };
}

/** Currencies by the symbols and names that a locale uses for them alone. */
interface LocalCurrencies {
  /** Currency of the country. */
  readonly home: string | undefined;
  readonly bySymbol: ReadonlyMap<string, string>;
}

/** Languages whose pages come from many countries with currencies of the same names. */
const SHARED_LANGUAGES = new Set(['ar', 'en', 'es']);

/** Currencies that pages of all countries name. */
const FOREIGN = ['EUR', 'USD', 'GBP'];

const CURRENCIES: Readonly<Record<string, string>> = countryToCurrency;

/** Returns the currencies of a supported locale, first the one of its country or of the main country of its language. */
function localCurrencies(locale: string): LocalCurrencies {
  const { language, region } = new Intl.Locale(locale);
  const country =
    region ?? (SHARED_LANGUAGES.has(language) ? undefined : new Intl.Locale(locale).maximize().region);
  const home = country === undefined ? undefined : CURRENCIES[country];
  const bySymbol = new Map<string, string>();
  for (const code of FOREIGN) addSymbols(bySymbol, locale, code, ['name']);
  if (home !== undefined) addSymbols(bySymbol, locale, home, ['symbol', 'narrowSymbol', 'name']);
  return { home, bySymbol };
}

type Display = 'symbol' | 'narrowSymbol' | 'name';

/** Numbers of things for which some language has a plural form of its own. */
const AMOUNTS = [0, 1, 1.5, 2, 3, 5, 11, 1_000_000];

function addSymbols(
  bySymbol: Map<string, string>,
  locale: string,
  currency: string,
  displays: readonly Display[],
): void {
  for (const currencyDisplay of displays) {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
    for (const amount of AMOUNTS) {
      const symbol = format.formatToParts(amount).find(({ type }) => type === 'currency')?.value;
      if (symbol !== undefined) bySymbol.set(symbol, currency);
    }
  }
}
