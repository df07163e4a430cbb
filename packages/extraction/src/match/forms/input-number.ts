const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Last day that a Date can represent, 13 September 275760. */
const LAST_DAY_MS = 8.64e15;
const LAST_MONTH = (275_760 - 1970) * 12 + 8;

/** Numbers for the values of an input type. HTML §4.10.5.1. */
export interface NumberScale {
  /** Returns the number of a value; NaN if it is not valid. */
  readonly parse: (value: string) => number;
  /** Unit of the `step` attribute. */
  readonly unit: number;
  /** Step without the attribute, in units. */
  readonly defaultStep: number;
  /** Steps are rounded to a multiple of this, at least once; 0 if any step is allowed. */
  readonly wholeStep: number;
  readonly defaultBase: number;
}

/** Input types with numeric values: min, max and step apply to them. */
export const NUMBER_SCALES: ReadonlyMap<string, NumberScale> = new Map([
  ['number', scale(parseNumber, 1, 1, 0)],
  ['range', scale(parseNumber, 1, 1, 0)],
  ['date', scale(parseDate, DAY_MS, 1, DAY_MS)],
  ['month', scale(parseMonth, 1, 1, 1)],
  ['week', { ...scale(parseWeek, WEEK_MS, 1, WEEK_MS), defaultBase: -259_200_000 }],
  ['time', scale(parseTime, 1000, 60, 1)],
  ['datetime-local', scale(parseLocalDateTime, 1000, 60, 1)],
]);

function scale(
  parse: NumberScale['parse'],
  unit: number,
  defaultStep: number,
  wholeStep: number,
): NumberScale {
  return { parse, unit, defaultStep, wholeStep, defaultBase: 0 };
}

/** Parses a valid floating-point number. HTML §2.3.4.3. */
export function parseNumber(value: string): number {
  if (!/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value)) return Number.NaN;
  const number = Number(value);
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Returns milliseconds since 1970. */
function parseDate(value: string): number {
  const [, year, month, day] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < 1) return Number.NaN;
  const time = startOfDay(year, month, day);
  const date = new Date(time);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? time : Number.NaN;
}

/** Returns months since January 1970. */
function parseMonth(value: string): number {
  const [, year, month] = /^(\d{4,})-(0[1-9]|1[0-2])$/.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || year < 1) return Number.NaN;
  const months = (year - 1970) * 12 + month - 1;
  return months <= LAST_MONTH ? months : Number.NaN;
}

/** Returns the Monday of the week in milliseconds since 1970. */
function parseWeek(value: string): number {
  const [, year, week] = /^(\d{4,})-W(\d\d)$/.exec(value)?.map(Number) ?? [];
  if (year === undefined || week === undefined || year < 1 || week < 1) return Number.NaN;
  const monday = firstMonday(year) + (week - 1) * WEEK_MS;
  return monday < firstMonday(year + 1) && monday <= LAST_DAY_MS ? monday : Number.NaN;
}

/** Returns the Monday of a year's first week, which contains 4 January. */
function firstMonday(year: number): number {
  const fourth = startOfDay(year, 1, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

/** Returns the start of a day. Unlike in `Date.UTC`, years below 100 are not those of the 20th century. */
function startOfDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Returns milliseconds since midnight. */
function parseTime(value: string): number {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d{1,3})?))?$/.exec(value);
  if (!parts) return Number.NaN;
  const [, hours, minutes, seconds = '0'] = parts;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

/** Returns milliseconds since 1970. */
function parseLocalDateTime(value: string): number {
  const parts = /^([^T ]+)[T ](.+)$/s.exec(value);
  return parseDate(parts?.[1] ?? '') + parseTime(parts?.[2] ?? '');
}
