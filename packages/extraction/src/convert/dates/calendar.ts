import QuickLRU from 'quick-lru';

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

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 60 * MS_PER_MINUTE;

const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 };

/** Writes a day as `YYYY-MM-DD`. */
export function writeDay({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
}

/**
 * Writes a time in a zone, in ISO 8601 with the zone's offset; undefined when the zone is unknown or the year does not have
 * four digits. A time without an offset of its own is a local time of the zone: one that the clocks skip moves past the gap by the
 * length of the gap, and one that they show twice is the first of the two.
 */
export function writeTime(day: Day, time: TimeOfDay | undefined, zone: string): string | undefined {
  const { hour, minute, second, millisecond, offsetMinutes } = time ?? MIDNIGHT;
  const local = utcOf(day) + hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * 1000 + millisecond;
  const instant =
    offsetMinutes === undefined ? instantOfLocal(local, zone) : local - offsetMinutes * MS_PER_MINUTE;
  const offset = instant === undefined ? undefined : offsetAt(instant, zone);
  if (instant === undefined || offset === undefined) return undefined;
  const written = new Date(instant + offset * MS_PER_MINUTE).toISOString();
  if (written.length !== '2024-05-03T10:15:00.000Z'.length) return undefined;
  return written.replace(/(?:\.000)?Z$/, writeOffset(offset));
}

function instantOfLocal(local: number, zone: string): number | undefined {
  const before = offsetAt(local - MS_PER_DAY, zone);
  const after = offsetAt(local + MS_PER_DAY, zone);
  if (before === undefined || after === undefined) return undefined;
  const first = local - before * MS_PER_MINUTE;
  if (before === after || offsetAt(first, zone) === before) return first;
  const second = local - after * MS_PER_MINUTE;
  return offsetAt(second, zone) === after ? second : first;
}

function writeOffset(minutes: number): string {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(distance / 60))}:${pad(distance % 60)}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

const LONG_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The formats of the zones used lately; a document names few. */
const formats = new QuickLRU<string, Intl.DateTimeFormat>({ maxSize: 32 });

/**
 * Returns the minutes that a zone's clocks are ahead of UTC at a moment, or undefined when the zone is unknown. Zones had
 * seconds before they had standard time; these are rounded.
 */
function offsetAt(instant: number, zone: string): number | undefined {
  if (zone === 'UTC') return 0;
  const format = formatOf(zone);
  if (!format) return undefined;
  const [, sign, hours, minutes, seconds] = LONG_OFFSET.exec(format.format(instant)) ?? [];
  if (sign === undefined) return 0;
  const distance = Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds ?? 0) / 60);
  return sign === '-' ? -distance : distance;
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}
