import { type Day, utcOf } from './calendar.ts';
import { createCache } from './names/locale-cache.ts';
import type { Order, Reading } from './read/source.ts';

/** Order of numeric dates in a language, as far as it is known. */
export interface LocaleOrder {
  /** Orders from the likeliest. */
  readonly orders: readonly Order[];
  /** True if the first order is certain for dates that end with their year. */
  readonly isCertain: boolean;
}

const UNKNOWN: LocaleOrder = {
  orders: ['day-month-year', 'month-day-year', 'year-month-day'],
  isCertain: false,
};

const FULL = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
const WITHOUT_YEAR = { month: 'numeric', day: 'numeric' } as const;

const orderOfLocale = createCache(buildOrder);

/**
 * Returns the order of numeric dates in a locale. English without a region is American or British, and languages that write the
 * year first have no order of their own for dates that end with the year: there the order is a guess.
 */
export function orderOf(locale: string | undefined): LocaleOrder {
  return locale === undefined ? UNKNOWN : orderOfLocale(locale);
}

function buildOrder(locale: string): LocaleOrder {
  const isYearFirst = isBefore(locale, 'year', 'month', FULL);
  const isDayFirst = isBefore(locale, 'day', 'month', isYearFirst ? WITHOUT_YEAR : FULL);
  const yearLast: Order[] = isDayFirst
    ? ['day-month-year', 'month-day-year']
    : ['month-day-year', 'day-month-year'];
  return {
    orders: isYearFirst ? ['year-month-day', ...yearLast] : [...yearLast, 'year-month-day'],
    isCertain: locale !== 'en',
  };
}

function isBefore(
  locale: string,
  one: 'year' | 'day',
  other: 'month',
  options: Intl.DateTimeFormatOptions,
): boolean {
  const format = new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory' });
  const types = format.formatToParts(0).map(({ type }) => type);
  return types.indexOf(one) < types.indexOf(other);
}

/** The reading of a date, and whether another one is as likely. */
export interface Choice {
  readonly reading: Reading | undefined;
  /** The other day that the date can mean. */
  readonly other?: Day;
}

/**
 * Chooses one order for all dates of a field: the likeliest that fits every date. A date with more than one reading in the
 * remaining orders is a guess, unless the locale's own order is among them.
 */
export function chooseReadings(dates: readonly (readonly Reading[])[], locale: LocaleOrder): Choice[] {
  const isYearFirst = locale.orders[0] === 'year-month-day';
  const likely = dates.map((readings) => {
    const others = readings.filter(({ isYearFirstOnly }) => isYearFirst || isYearFirstOnly !== true);
    return others.length > 0 ? others : readings;
  });
  const fitting = locale.orders.filter((order) => likely.every((readings) => fits(readings, order)));
  const orders = fitting.length > 0 ? fitting : locale.orders;
  const certain = locale.isCertain && fitting.length > 0 ? locale.orders[0] : undefined;
  return likely.map((readings) => choose(readings, orders, certain));
}

function fits(readings: readonly Reading[], order: Order): boolean {
  return readings.length === 0 || readings.some((reading) => (reading.order ?? order) === order);
}

function choose(readings: readonly Reading[], orders: readonly Order[], certain: Order | undefined): Choice {
  const ordered = orders.flatMap((order) => readings.filter((reading) => reading.order === order));
  const reading = ordered[0] ?? readings[0];
  if (reading?.order === certain || !reading) return { reading };
  const other = ordered.find(({ day }) => utcOf(day) !== utcOf(reading.day));
  return { reading, ...(other && { other: other.day }) };
}
