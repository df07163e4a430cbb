/** A time zone of the IANA database, with its rules of all years. */
export interface TimeZone {
  /** How far its clocks are ahead of UTC at a moment, in milliseconds. */
  offsetMsAt(instantMs: number): number;
}

/** What the clocks of a zone show, in milliseconds as if it were UTC. */
export type WallTimeMs = number;

const OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/;

/** The zone of this name, in any case; throws a RangeError when Node's time zone data have none. */
export function createTimeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    timeZoneName: 'longOffset',
    year: 'numeric',
  });
  return {
    offsetMsAt(instantMs) {
      const { sign, hours, minutes, seconds = 0 } = OFFSET.exec(format.format(instantMs))?.groups ?? {};
      if (sign === undefined) return 0;
      const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
      return sign === '-' ? -size : size;
    },
  };
}

/** What the zone's clocks show at a moment. */
export function wallTimeAt(zone: TimeZone, instantMs: number): WallTimeMs {
  return instantMs + zone.offsetMsAt(instantMs);
}

/** More than any zone is away from UTC, and than any change of its clocks. */
const APART_MS = 36 * 3600 * 1000;
const MINUTE_MS = 60_000;

/**
 * The moment at which the zone's clocks first show a time; where they skip it, the moment at which they skip. It never
 * falls while the wall time rises.
 */
export function instantOf(zone: TimeZone, wallTimeMs: WallTimeMs): number {
  const early = wallTimeMs - zone.offsetMsAt(wallTimeMs - APART_MS);
  if (wallTimeAt(zone, early) === wallTimeMs) return early;
  const late = wallTimeMs - zone.offsetMsAt(wallTimeMs + APART_MS);
  if (wallTimeAt(zone, late) === wallTimeMs) return late;
  return findChange(zone, late, early);
}

/** The first minute after `before` with another offset; there is one change until `after`. */
function findChange(zone: TimeZone, before: number, after: number): number {
  const offsetBefore = zone.offsetMsAt(before);
  let low = Math.floor(before / MINUTE_MS);
  let high = Math.ceil(after / MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetMsAt(middle * MINUTE_MS) === offsetBefore) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}
