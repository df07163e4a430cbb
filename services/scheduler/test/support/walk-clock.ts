import type { ParsedCron } from '../../src/cron/parse-cron.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d))?$/;

/** The offsets of a zone from UTC during a span of time. */
export interface ZoneOffsets {
  offsetMsAt(instantMs: number): number;
  /** When the zone's clocks change, in order. */
  readonly changes: readonly number[];
}

/** Reads the offsets of a zone from Node's time zone data. */
export function readOffsets(timezone: string, fromMs: number, toMs: number): ZoneOffsets {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  const read = (instantMs: number): number => {
    const { sign, hours, minutes } = OFFSET.exec(format.format(instantMs))?.groups ?? {};
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS);
  };
  const changes: number[] = [];
  for (let at = fromMs; at < toMs; at += DAY_MS / 4) {
    if (read(at) !== read(at + DAY_MS / 4)) changes.push(firstMinuteOf(read, at, at + DAY_MS / 4));
  }
  const offsets = [fromMs, ...changes].map(read);
  return {
    changes,
    offsetMsAt: (instantMs) => offsets[changes.findLastIndex((change) => change <= instantMs) + 1] ?? 0,
  };
}

/** Returns the first minute with the offset of `high`, between two moments with different ones. */
function firstMinuteOf(read: (instantMs: number) => number, low: number, high: number): number {
  if (high - low <= MINUTE_MS) return high;
  const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
  return read(middle) === read(low) ? firstMinuteOf(read, middle, high) : firstMinuteOf(read, low, middle);
}

/**
 * Returns the runs of an expression after `fromMs` and before `toMs`, found by walking along the zone's local
 * clock, minute by minute: the definition of when a schedule runs, without a shortcut.
 */
export function walkClock(cron: ParsedCron, zone: ZoneOffsets, fromMs: number, toMs: number): Date[] {
  const isNamed = matcherOf(cron);
  const countsHours = cron.hours.values.length === 24;
  const runs: Date[] = [];
  let latestWallMs = Number.NEGATIVE_INFINITY;
  for (let at = fromMs - 2 * DAY_MS; at < toMs; at += MINUTE_MS) {
    const wallMs = at + zone.offsetMsAt(at);
    const isShownFirst = wallMs > latestWallMs;
    const runsNow =
      (isNamed(wallMs) && (countsHours || isShownFirst)) ||
      (!countsHours && minutesBetween(latestWallMs, wallMs).some(isNamed));
    if (runsNow && at > fromMs) runs.push(new Date(at));
    latestWallMs = Math.max(latestWallMs, wallMs);
  }
  return runs;
}

const NONE: readonly number[] = [];

/** Returns the minutes skipped by the clocks between two successive local times. */
function minutesBetween(oneMs: number, otherMs: number): readonly number[] {
  if (!Number.isFinite(oneMs) || otherMs - oneMs <= MINUTE_MS) return NONE;
  return Array.from(
    { length: (otherMs - oneMs) / MINUTE_MS - 1 },
    (_, index) => oneMs + (index + 1) * MINUTE_MS,
  );
}

function matcherOf({ minutes, hours, daysOfMonth, months, daysOfWeek }: ParsedCron) {
  return (wallMs: number): boolean => {
    const wall = new Date(wallMs);
    if (!minutes.values.includes(wall.getUTCMinutes()) || !hours.values.includes(wall.getUTCHours())) {
      return false;
    }
    if (!months.values.includes(wall.getUTCMonth() + 1)) return false;
    const isDayOfMonth = daysOfMonth.values.includes(wall.getUTCDate());
    const isDayOfWeek = daysOfWeek.values.includes(wall.getUTCDay());
    const mustBeBoth = daysOfMonth.isStar || daysOfWeek.isStar;
    return mustBeBoth ? isDayOfMonth && isDayOfWeek : isDayOfMonth || isDayOfWeek;
  };
}
