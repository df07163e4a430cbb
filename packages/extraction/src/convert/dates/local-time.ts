import { type Day, type TimeOfDay, utcOf } from './calendar.ts';

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 60 * MS_PER_MINUTE;
const MS_PER_DAY = 24 * MS_PER_HOUR;

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
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 64;

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
  if (formats.size >= MAX_FORMATS) formats.clear();
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}
