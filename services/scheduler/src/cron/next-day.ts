import type { Cron } from './parse-cron.ts';

/** A day of the calendar, counted from 1 January 1970. */
type DayNumber = number;

export const DAY_MS = 24 * 3600 * 1000;

/** 29 February on one day of the week comes within 40 years, also over a 2100 without it. */
const SEARCH_DAYS = 41 * 366;

/**
 * The first day from `from` on that the expression names. As in Vixie cron, when both day fields are restricted either
 * may match; a field that begins with `*` (with a step, too) is not a restriction of that kind, so both must.
 */
export function nextDay(cron: Cron, from: DayNumber): DayNumber {
  let day = from;
  while (day < from + SEARCH_DAYS) {
    const date = new Date(day * DAY_MS);
    if (!cron.months.has(date.getUTCMonth() + 1)) day = firstOfNextMonth(date);
    else if (isNamed(cron, date)) return day;
    else day += 1;
  }
  throw new Error('The cron expression names no day.');
}

function isNamed({ daysOfMonth, daysOfWeek }: Cron, date: Date): boolean {
  const isDayOfMonth = daysOfMonth.values.has(date.getUTCDate());
  const isDayOfWeek = daysOfWeek.values.has(date.getUTCDay());
  const mustBeBoth = daysOfMonth.isStar || daysOfWeek.isStar;
  return mustBeBoth ? isDayOfMonth && isDayOfWeek : isDayOfMonth || isDayOfWeek;
}

function firstOfNextMonth(date: Date): DayNumber {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}
