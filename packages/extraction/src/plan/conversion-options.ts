import type { RecordSelector } from '@gleaner/contracts';
import type { ConversionOptions } from '../convert/conversion.ts';
import { findFormatError } from '../convert/dates/read/read-formatted.ts';

/** Returns the options that a field passes on to its converter: its own, else those of the records around it. */
export function readOptions(keys: RecordSelector, inherited: ConversionOptions): ConversionOptions {
  const { locale, currency, format, timezone } = keys;
  return {
    ...inherited,
    ...(locale !== undefined && { locale }),
    ...(currency !== undefined && { currency: currency.toUpperCase() }),
    ...(format !== undefined && { format }),
    ...(timezone !== undefined && { timezone }),
  };
}

/** Returns a sentence about each option that names nothing known. */
export function findOptionProblems({ locale, currency, format, timezone }: RecordSelector): string[] {
  const problems: string[] = [];
  if (locale !== undefined && !isLocale(locale)) {
    const hyphenated = locale.replaceAll('_', '-');
    const advice = hyphenated !== locale && isLocale(hyphenated) ? `; write ${quote(hyphenated)}` : '';
    problems.push(
      `"locale" must be a BCP 47 language tag such as "de" or "en-US", not ${quote(locale)}${advice}.`,
    );
  }
  if (currency !== undefined && !currencies().has(currency.toUpperCase())) {
    problems.push(`"currency" must be an ISO 4217 code such as "EUR", not ${quote(currency)}.`);
  }
  const formatError = format === undefined ? undefined : findFormatError(format);
  if (formatError !== undefined) problems.push(`"format": ${formatError}`);
  if (timezone !== undefined && !isTimeZone(timezone)) {
    problems.push(`"timezone" must be an IANA time zone such as "Europe/Berlin", not ${quote(timezone)}.`);
  }
  return problems;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

let knownCurrencies: ReadonlySet<string> | undefined;

function currencies(): ReadonlySet<string> {
  knownCurrencies ??= new Set(Intl.supportedValuesOf('currency'));
  return knownCurrencies;
}

/** Longest name of a time zone is 32 characters; others are not passed on to Intl, which is slow to reject them. */
const MAX_ZONE_CHARS = 64;

function isTimeZone(name: string): boolean {
  if (name.length > MAX_ZONE_CHARS) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_ZONE_CHARS ? `${text.slice(0, MAX_ZONE_CHARS)}…` : text);
}
