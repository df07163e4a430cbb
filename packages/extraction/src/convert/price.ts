import { type Conversion, type ConversionOptions, type Converter, quote } from './conversion.ts';
import { type CurrencyMark, type CurrencyReader, currencyReader } from './currencies/currency-reader.ts';
import { MINOR_UNITS } from './currencies/currency-symbols.ts';
import { type FoundNumber, findNumbers } from './numerals/numeral.ts';
import {
  type Amount,
  type FieldConventions,
  fieldConventions,
  fieldLocale,
  readAmount,
  readSource,
  type Source,
} from './read-amount.ts';

/**
 * Converts each text to `{amount, currency}`. The currency is an ISO 4217 code, or null. A symbol of several currencies, such
 * as `$`, is the `currency` option, else the currency of the page's metadata, else that of the locale's country, else a guess
 * with a warning. A text without a number, such as "Free", is a problem.
 */
export const convertPrices: Converter = (texts, options, context) => {
  const sources = texts.map((text) => readSource(text, context));
  const locale = fieldLocale(options, context);
  const reader = currencyReader(locale.supported);
  const prices = sources.map((source) => {
    if (!DIGIT.test(source.plain)) return { source, number: undefined, marks: [] };
    const marks = reader.find(source.plain);
    context.budget.spend(STEPS_PER_MARK * marks.length);
    return { source, ...findPrice(source.plain, marks) };
  });
  const field = fieldConventions(
    prices.map(({ number }) => number),
    'currency',
    locale,
  );
  return prices.map((price) =>
    convertPrice(
      price,
      field,
      resolveCurrency(price.marks, reader, options, { page: context.currency?.(), locale: locale.supported }),
    ),
  );
};

const STEPS_PER_MARK = 64;
const DIGIT = /\d/;

interface Currency {
  readonly code: string | null;
  readonly ambiguity?: string;
  readonly currencyDoubt?: string;
}

function convertPrice(
  { source, number, marks }: FoundPrice & { source: Source },
  field: FieldConventions,
  currency: Currency,
): Conversion {
  if (number === undefined) return { problem: `${quote(source.text)} contains no price.` };
  // The symbol of a currency does not abbreviate a multiple: "K" is a currency in Myanmar.
  const symbol = marks.find(({ start }) => start >= number.end);
  const amount = readAmount(source, number, field, symbol?.start);
  if ('problem' in amount) return amount;
  const isMinor = symbol !== undefined && MINOR_UNITS.has(symbol.text) && typeof amount.value === 'number';
  const value = {
    amount: isMinor ? Number(((amount.value as number) / 100).toPrecision(15)) : amount.value,
    currency: currency.code,
  };
  const decimals = decimalsOf(currency.code);
  // Yen have no decimals, so that "3,500円" has one reading.
  const isDecided = amount.isUndecided && decimals === 0;
  const ambiguity =
    (isDecided ? undefined : amount.ambiguity) ?? doubtAmount(amount, source, decimals) ?? currency.ambiguity;
  return {
    value,
    ...(ambiguity !== undefined && { ambiguity }),
    ...(currency.currencyDoubt !== undefined && { currencyDoubt: currency.currencyDoubt }),
    ...(amount.inexact !== undefined && { inexact: amount.inexact }),
  };
}

/** Returns the currency that the marks name: a code, else a symbol, else the one of the option. */
function resolveCurrency(
  marks: readonly CurrencyMark[],
  { meaningOf }: CurrencyReader,
  { currency: option }: ConversionOptions,
  { page, locale }: { readonly page: string | undefined; readonly locale: string | undefined },
): Currency {
  const code = marks.find((mark) => mark.code !== undefined)?.code;
  if (code !== undefined) return { code };
  const [mark] = marks;
  if (mark === undefined) return { code: option ?? page ?? null };
  const { candidates, local, usual } = meaningOf(mark.text);
  const isShared = candidates.length !== 1;
  if (option !== undefined && isShared && (option === local || candidates.includes(option)))
    return { code: option };
  if (option === undefined || !isShared) {
    const declared = page !== undefined && isShared && candidates.includes(page) ? page : undefined;
    const known = declared ?? local ?? usual;
    return known === undefined ? guessCurrency(mark.text, candidates, locale) : { code: known };
  }
  return {
    code: local ?? usual ?? null,
    ambiguity: `The text names its currency "${mark.text}", which does not stand for ${option}: check "currency".`,
  };
}

/** Returns USD for `$`, except on pages in Spanish: they come from many countries with dollars or pesos. */
function guessCurrency(symbol: string, candidates: readonly string[], locale: string | undefined): Currency {
  const isSpanish = locale !== undefined && new Intl.Locale(locale).language === 'es';
  const code = candidates.includes('USD') && !isSpanish ? 'USD' : null;
  const read = code === null ? 'is not resolved' : `was read as ${code}`;
  return {
    code,
    currencyDoubt: `The currency "${symbol}" ${read}, but several countries use it: set "currency" or "locale" to decide.`,
  };
}

const DEFAULT_DECIMALS = 2;

function doubtAmount(
  { value, isGroupLike }: Exclude<Amount, { problem: string }>,
  { text, plain }: Source,
  decimals: number,
): string | undefined {
  if (isGroupLike && decimals < 3 && typeof value === 'number') {
    return `${quote(text)} was read as ${value}, but three decimals are rare in prices: set "locale" to decide.`;
  }
  if (!/^\s*\([^()]*\)\s*$/.test(plain)) return undefined;
  return `${quote(text)} was read as ${value}, but parentheses may stand for a negative amount: set "pattern" to decide.`;
}

const decimalsByCurrency = new Map<string, number>();

function decimalsOf(currency: string | null): number {
  if (currency === null) return DEFAULT_DECIMALS;
  const decimals = decimalsByCurrency.get(currency) ?? askForDecimals(currency);
  decimalsByCurrency.set(currency, decimals);
  return decimals;
}

function askForDecimals(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? DEFAULT_DECIMALS;
}

/** The number of a text that is most likely its price, and the marks of its currency, the nearest first. */
interface FoundPrice {
  readonly number: FoundNumber | undefined;
  readonly marks: readonly CurrencyMark[];
}

/**
 * Finds the price of a plain text: the first number beside a currency ("2 for £5" is 5), else the first number. Numbers before
 * a percent sign are left out. The first number of a range belongs to the currency behind the second.
 */
function findPrice(plain: string, marks: readonly CurrencyMark[]): FoundPrice {
  const neighbors = neighborFinder(plain, marks);
  let first: FoundNumber | undefined;
  let previous: FoundNumber | undefined;
  let count = 0;
  for (const written of findNumbers(plain)) {
    if (count++ === MAX_NUMBERS) break;
    const number = withSpacedDecimals(plain, written);
    if (number.start < (previous?.end ?? 0)) continue;
    if (PERCENT.test(plain.slice(number.end, number.end + 2))) continue;
    const beside = neighbors(number);
    if (beside.length > 0) {
      const isRange =
        previous &&
        beside.every(({ start }) => start > number.start) &&
        isRangeBetween(plain, previous, number);
      return {
        number: isRange ? previous : withSign(plain, withCents(plain, number, beside), beside),
        marks: beside,
      };
    }
    first ??= number;
    previous = number;
  }
  return { number: first, marks: marks.filter(({ text }) => SIGN_OF_CURRENCY.test(text)).slice(0, 1) };
}

/** Numbers of a text among which its price is looked for. */
const MAX_NUMBERS = 256;

const PERCENT = /^[ \u00a0]?%/;
const SIGN_OF_CURRENCY = /\p{Sc}/u;
const RANGE = /^(?:[ \u00a0]?[-—~][ \u00a0]?|[ \u00a0](?:to|till|bis|tot|til|à|a|do|až|до)[ \u00a0])$/;

function isRangeBetween(plain: string, from: FoundNumber, to: FoundNumber): boolean {
  return to.start - from.end < 7 && RANGE.test(plain.slice(from.end, to.start));
}

const GAP_BEFORE = /^[ \u00a0.:]{0,3}[-+]?[ \u00a0]?$/;
const GAP_BEHIND = /^(?:[.,]?[-—]{1,2})?[.,]?[ \u00a0]{0,2}$/;
const MAX_GAP = 5;

/** Returns a function that returns the marks beside a number, the nearest first; numbers have to come in their order. */
function neighborFinder(
  plain: string,
  marks: readonly CurrencyMark[],
): (number: FoundNumber) => CurrencyMark[] {
  let next = 0;
  return ({ start, end }) => {
    while (next < marks.length && (marks[next] as CurrencyMark).start < end) next++;
    const before = marksBefore(plain, marks, next - 1, start);
    const behind = marksBehind(plain, marks, next, end);
    // A mark between two numbers belongs to the second: "20 $5", "$12 CAD 15".
    const last = behind.at(-1);
    const isOfNext = last && /^[ \u00a0]?\d/.test(plain.slice(last.end, last.end + 2));
    if (!isOfNext) return [...before, ...behind];
    const isApart = behind[0]?.start !== end;
    const touchesNext = /^\d/.test(plain.slice(last.end, last.end + 1));
    return before.length > 0 || (isApart && touchesNext) ? before : behind;
  };
}

const MAX_NEIGHBORS = 3;

function marksBefore(
  plain: string,
  marks: readonly CurrencyMark[],
  from: number,
  start: number,
): CurrencyMark[] {
  const found: CurrencyMark[] = [];
  for (let at = from, edge = start; at >= 0 && found.length < MAX_NEIGHBORS; at--) {
    const mark = marks[at] as CurrencyMark;
    if (edge - mark.end > MAX_GAP || !GAP_BEFORE.test(plain.slice(mark.end, edge))) break;
    found.push(mark);
    edge = mark.start;
  }
  return found;
}

function marksBehind(
  plain: string,
  marks: readonly CurrencyMark[],
  from: number,
  end: number,
): CurrencyMark[] {
  const found: CurrencyMark[] = [];
  for (let at = from, edge = end; at < marks.length && found.length < MAX_NEIGHBORS; at++) {
    const mark = marks[at] as CurrencyMark;
    if (mark.start - edge > MAX_GAP || !GAP_BEHIND.test(plain.slice(edge, mark.start))) break;
    found.push(mark);
    edge = mark.end;
  }
  return found;
}

/** Cents behind the sign of a currency: "35€99", and "35€ 99" at the end of a text. */
const CENTS = /^(?:(\d\d)(?![\d.,]?\d)|[ \u00a0](\d\d)\s*$)/;

function withCents(plain: string, number: FoundNumber, marks: readonly CurrencyMark[]): FoundNumber {
  const mark = marks.find(({ start }) => start === number.end);
  if (!mark || !SIGN_OF_CURRENCY.test(mark.text) || number.grouped === undefined) return number;
  const [, attached, apart] = CENTS.exec(plain.slice(mark.end, mark.end + 12)) ?? [];
  const cents = attached ?? (mark.end + 3 === plain.trimEnd().length ? apart : undefined);
  if (cents === undefined) return number;
  const end = plain.indexOf(cents, mark.end) + cents.length;
  const { start, isNegative, spaces } = number;
  return { start, end, isNegative, spaces, decimal: `${number.grouped}.${cents}` };
}

/** A sign before the currency, or between it and the number: `-kr 5`, `CHF-5`. */
function withSign(plain: string, number: FoundNumber, marks: readonly CurrencyMark[]): FoundNumber {
  const first = marks.filter(({ end }) => end <= number.start).at(-1);
  if (!first) return number;
  const between = plain.slice(first.end, number.start);
  const isNegative =
    /^[ \u00a0]?-$/.test(between) ||
    /(?:^|[^\p{L}\d)\]%])-$/u.test(plain.slice(Math.max(0, first.start - 2), first.start));
  return isNegative && plain[number.start] !== ',' ? { ...number, isNegative } : number;
}

/** Two decimals behind a mark and a space: "$119. 95", "1.837, 32 €". They may also be a number of their own. */
const SPACED_DECIMALS = /^([.,])[ \u00a0](\d\d)(?![.,]?\d)/;

function withSpacedDecimals(plain: string, number: FoundNumber): FoundNumber {
  if (
    number.grouped === undefined ||
    plain.slice(number.start, number.end).includes(plain.charAt(number.end))
  )
    return number;
  const [written, , cents] = SPACED_DECIMALS.exec(plain.slice(number.end, number.end + 7)) ?? [];
  if (written === undefined) return number;
  const { start, isNegative, grouped } = number;
  return {
    start,
    end: number.end + written.length,
    isNegative,
    spaces: 'doubtful',
    decimal: `${grouped}.${cents}`,
  };
}
