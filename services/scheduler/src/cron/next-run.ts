import { DAY_MS, nextDay } from './next-day.ts';
import type { Cron } from './parse-cron.ts';
import { instantOf, type TimeZone, type WallTimeMs, wallTimeAt } from './time-zone.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS_PER_DAY = 24;

/**
 * The first moment after `after` at which a schedule runs; it depends on nothing else.
 *
 * An expression with some of the hours names local times: one that the clocks skip runs once, right when they skip; one
 * that they show twice runs the first time. An expression with every hour counts hours as they pass, as in Vixie cron:
 * it runs in both of two equal hours and makes nothing good for one that is missing.
 */
export function nextRun(cron: Cron, zone: TimeZone, after: Date): Date {
  const next = cron.hours.length === HOURS_PER_DAY ? nextPassingMinute : nextLocalTime;
  return new Date(next(cron, zone, after.getTime()));
}

function nextLocalTime(cron: Cron, zone: TimeZone, afterMs: number): number {
  for (const wallTimeMs of wallTimesFrom(cron, wallTimeAt(zone, afterMs))) {
    const instantMs = instantOf(zone, wallTimeMs);
    if (instantMs > afterMs) return instantMs;
  }
  throw new Error('The cron expression names no time.');
}

/** The local times that the expression names, rising, from the minute of `start` on; without end. */
function* wallTimesFrom(cron: Cron, start: WallTimeMs): Generator<WallTimeMs> {
  const first = Math.floor(start / MINUTE_MS) * MINUTE_MS;
  for (let day = nextDay(cron, Math.floor(start / DAY_MS)); ; day = nextDay(cron, day + 1)) {
    for (const hour of cron.hours) {
      const hourMs = day * DAY_MS + hour * HOUR_MS;
      if (hourMs + HOUR_MS <= first) continue;
      for (const minute of cron.minutes) {
        const wallTimeMs = hourMs + minute * MINUTE_MS;
        if (wallTimeMs >= first) yield wallTimeMs;
      }
    }
  }
}

function nextPassingMinute(cron: Cron, zone: TimeZone, afterMs: number): number {
  const minutes = new Set(cron.minutes);
  let instantMs = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
  for (;;) {
    const wallTimeMs = wallTimeAt(zone, instantMs);
    const today = Math.floor(wallTimeMs / DAY_MS);
    const day = nextDay(cron, today);
    if (day > today) instantMs = Math.max(instantMs + MINUTE_MS, instantOf(zone, day * DAY_MS));
    else if (minutes.has(Math.floor((wallTimeMs % HOUR_MS) / MINUTE_MS))) return instantMs;
    else instantMs += MINUTE_MS;
  }
}
