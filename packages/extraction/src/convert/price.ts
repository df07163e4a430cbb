import { type Conversion, type ConversionOptions, type Converter, quote } from './conversion.ts';
import { type CurrencyMark, type CurrencyReader, currencyReader } from './currencies/currency-reader.ts';
import { MINOR_UNITS } from './currencies/currency-symbols.ts';
import { type FoundPrice, findPrice } from './currencies/find-price.ts';
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

/** Most pages mean USD by `$`, except those in Spanish, which come from many countries with dollars or pesos. */
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
