/** A day of the Gregorian calendar; the month is 1 to 12. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Time of a day, with its distance from UTC when the text names it. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  readonly offsetMinutes?: number;
  /** Name of a time zone that is not read because it has more than one meaning. */
  readonly unreadZone?: string;
}

/** Two-digit years from 69 belong to the 20th century, as in POSIX. */
const PIVOT = 69;

const MS_PER_DAY = 86_400_000;

/** Returns the year that two digits stand for: 1969 to 2068. */
export function yearOfTwoDigits(digits: number): number {
  return digits + (digits < PIVOT ? 2000 : 1900);
}

/** Returns true if the calendar has the day. */
export function isDay({ year, month, day }: Day): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Returns the milliseconds from 1970 to the start of a day in UTC. */
export function utcOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Returns the day that contains a moment in UTC. */
export function dayOfUtc(ms: number): Day {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns the day of the week, from 0 (Sunday) to 6. */
export function weekdayOf(day: Day): number {
  return new Date(utcOf(day)).getUTCDay();
}

/** Returns a day of an ISO week (weekday 1 is Monday), or undefined when the year does not have it. */
export function dayOfWeek(year: number, week: number, weekday: number): Day | undefined {
  if (week < 1 || weekday < 1 || weekday > 7) return undefined;
  const start = startOfWeekYear(year);
  const ms = start + ((week - 1) * 7 + weekday - 1) * MS_PER_DAY;
  return ms < startOfWeekYear(year + 1) ? dayOfUtc(ms) : undefined;
}

/** Returns a day by its number in the year, or undefined when the year does not have it. */
export function dayOfYear(year: number, number: number): Day | undefined {
  const day = dayOfUtc(utcOf({ year, month: 1, day: 1 }) + (number - 1) * MS_PER_DAY);
  return day.year === year ? day : undefined;
}

/** Returns the start of the Monday of the week that contains 4 January. */
function startOfWeekYear(year: number): number {
  const fourth = { year, month: 1, day: 4 };
  return utcOf(fourth) - ((weekdayOf(fourth) + 6) % 7) * MS_PER_DAY;
}

function daysInMonth(year: number, month: number): number {
  return new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}
