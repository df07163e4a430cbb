import {
  type Conversion,
  type ConversionContext,
  type ConversionOptions,
  type Converter,
  quote,
} from '../conversion.ts';
import { writeDay, writeTime } from './calendar.ts';
import { createLexicon } from './names/lexicon.ts';
import { createCache } from './names/locale-cache.ts';
import { type Choice, chooseReadings, orderOf } from './order.ts';
import { type DateInText, readDate } from './read/read-date.ts';
import { readFormatted } from './read/read-formatted.ts';
import { tokenize } from './tokens.ts';

/** Dates are looked for in the beginning of a text. */
const MAX_CHARS = 64 * 1024;

/** Normalizing and splitting a text takes about as long as this many steps for each character. */
const STEPS_PER_CHAR = 8;
const STEPS_PER_TEXT = 24;

const THAI = /\p{sc=Thai}/u;

/** Years in use of the Islamic and the Persian calendar, and the script of the languages that count them. */
const OTHER_CALENDAR = {
  earliest: 1300,
  latest: 1499,
  script: /\p{sc=Arabic}|[٠-٩۰-۹]/u,
  locale: /^(?:ar|fa|ps|ckb|ur)\b/,
};

const HAS_DIGIT = /\p{Nd}/u;

type Writer = (text: string, date: DateInText, choice: Choice) => Conversion;

/**
 * Converts texts to `YYYY-MM-DD`: the first date of each, as it is written, without a conversion between time zones. All numeric
 * dates of a field have one order of day and month.
 */
export const convertDates: Converter = (texts, options, context) =>
  convert(texts, options, context, (_text, _date, { reading }) => ({
    value: reading ? writeDay(reading.day) : null,
  }));

/**
 * Converts texts to times in ISO 8601 with the offset of the zone `timezone`, UTC by default. A date without a time is midnight
 * of the zone; a time without an offset is a local time of the zone.
 */
export const convertDatetimes: Converter = (texts, options, context) => {
  const zone = options.timezone ?? 'UTC';
  return convert(texts, options, context, (text, date, { reading }) => {
    if (date.hasWrongTime) return { problem: `${quote(text)} contains a time that does not exist.` };
    const value = reading && writeTime(reading.day, date.time, zone);
    if (value === undefined)
      return { problem: `${quote(text)} cannot be written as a time of the zone "${zone}".` };
    const unread = date.time?.unreadZone;
    if (unread === undefined) return { value };
    return {
      value,
      ambiguity: `The time zone "${unread}" of ${quote(text)} is not read; its time was taken as one of "${zone}".`,
    };
  });
};

function convert(
  texts: readonly string[],
  options: ConversionOptions,
  context: ConversionContext,
  write: Writer,
): Conversion[] {
  const locale = localeOf(options.locale ?? context.language());
  const dates = readDates(texts, locale, options, context);
  const choices = chooseReadings(
    dates.map((date) => date?.readings ?? []),
    orderOf(locale),
  );
  return texts.map((text, index) => {
    const date = dates[index];
    const choice = choices[index];
    if (!date || !choice) return { problem: explain(text, options) };
    const { reading } = choice;
    if (!reading) return { problem: `${quote(text)} contains a date that does not exist.` };
    if (isOfOtherCalendar(text, reading.day.year, locale))
      return {
        problem: `${quote(text)} is a date of the Islamic or the Persian calendar; only Gregorian dates are read.`,
      };
    return withAmbiguity(write(text, date, choice), text, date, choice);
  });
}

function readDates(
  texts: readonly string[],
  locale: string | undefined,
  { format }: ConversionOptions,
  { budget }: ConversionContext,
): (DateInText | undefined)[] {
  let lexicon: ReturnType<typeof createLexicon> | undefined;
  return texts.map((text) => {
    const beginning = text.slice(0, MAX_CHARS);
    budget.spend(STEPS_PER_TEXT + beginning.length);
    if (!HAS_DIGIT.test(beginning)) return undefined;
    budget.spend(beginning.length * STEPS_PER_CHAR);
    lexicon ??= createLexicon(locale, budget);
    const source = {
      tokens: tokenize(beginning),
      lexicon,
      isThai: locale?.startsWith('th') === true || THAI.test(beginning),
    };
    return format === undefined ? readDate(source, budget) : readFormatted(source, format, budget);
  });
}

function isOfOtherCalendar(text: string, year: number, locale = ''): boolean {
  const { earliest, latest, script, locale: language } = OTHER_CALENDAR;
  if (year < earliest || year > latest) return false;
  return language.test(locale) || script.test(text.slice(0, MAX_CHARS));
}

function explain(text: string, { format }: ConversionOptions): string {
  return format === undefined
    ? explainMissingDate(text)
    : `${quote(text)} contains no date of the format "${format}".`;
}

function withAmbiguity(
  conversion: Conversion,
  text: string,
  date: DateInText,
  { reading, other }: Choice,
): Conversion {
  if (!('value' in conversion) || !reading) return conversion;
  if (date.ambiguity !== undefined)
    return {
      ...conversion,
      ambiguity: `${quote(text)} was read as ${writeDay(reading.day)}; ${date.ambiguity}.`,
    };
  if (!other) return conversion;
  return {
    ...conversion,
    ambiguity: `${quote(text)} was read as ${writeDay(reading.day)}, but it can be ${writeDay(other)}; set "locale" or "format".`,
  };
}

/** Longer tags name no language. */
const MAX_TAG_CHARS = 35;

const knownLocaleOf = createCache(findLocale);

/** Returns the language, script and region of a BCP 47 tag, or undefined when its language is unknown. */
function localeOf(tag: string | undefined): string | undefined {
  return tag === undefined || tag.length > MAX_TAG_CHARS ? undefined : knownLocaleOf(tag).locale;
}

function findLocale(tag: string): { readonly locale: string | undefined } {
  try {
    const { language, script, region } = new Intl.Locale(tag.trim().replaceAll('_', '-'));
    const locale = [language, script, region].filter((part) => part !== undefined).join('-');
    return { locale: Intl.DateTimeFormat.supportedLocalesOf(locale)[0] };
  } catch {
    return { locale: undefined };
  }
}

/** Numbers of seconds or milliseconds since 1970. */
const UNIX_TIME = /^\s*-?\d{10}(?:\d{3})?\s*$/;

const RELATIVE =
  /\b(?:ago|yesterday|today|tomorrow|just now|(?:last|next) (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|in \d+ (?:minutes?|hours?|days?|weeks?|months?|years?))\b/i;

/** Texts longer than this are not looked through for words. */
const MAX_SEARCHED_CHARS = 256;

function explainMissingDate(text: string): string {
  if (UNIX_TIME.test(text.slice(0, MAX_SEARCHED_CHARS)))
    return `${quote(text)} is a number, not a date. Take Unix time with type "number".`;
  if (RELATIVE.test(text.slice(0, MAX_SEARCHED_CHARS)))
    return `${quote(text)} is a relative date. Relative dates are not supported: select an absolute one, such as the "datetime" attribute of a <time> element.`;
  return `${quote(text)} contains no complete date.`;
}
