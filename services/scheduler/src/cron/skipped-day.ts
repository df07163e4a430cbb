/** A whole day that the clocks of a zone skip, as Samoa's did when the country crossed the date line. */
export interface SkippedDay {
  /** The moment at which the clocks skip it. */
  readonly atMs: number;
  /** The first skipped local time, and the one shown instead, both as if they were UTC. */
  readonly fromWallMs: number;
  readonly toWallMs: number;
}

/** Returns how far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export type OffsetAt = (instantMs: number) => number;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Summer time and its like move the clocks by three hours at most, a change of the date by a day. */
const DATE_CHANGE_MS = 12 * HOUR_MS;
const OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d))?$/;

/** Reads the offsets of a zone from the time zone data of this process. */
export function offsetsOf(timezone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
    year: 'numeric',
  });
  return (instantMs) => {
    const { sign, hours, minutes } = OFFSET.exec(format.format(instantMs))?.groups ?? {};
    const sizeMs = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS;
    return sign === '-' ? -sizeMs : sizeMs;
  };
}

/** Returns the day that the clocks of a zone skip after one moment and not after another, if there is one. */
export function findSkippedDay(offsetAt: OffsetAt, afterMs: number, untilMs: number): SkippedDay | undefined {
  const isAhead = (instantMs: number) => offsetAt(instantMs) - offsetAt(afterMs) > DATE_CHANGE_MS;
  if (!isAhead(untilMs)) return undefined;
  let [low, high] = [Math.floor(afterMs / MINUTE_MS), Math.ceil(untilMs / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isAhead(middle * MINUTE_MS)) high = middle;
    else low = middle;
  }
  const atMs = high * MINUTE_MS;
  return { atMs, fromWallMs: atMs + offsetAt(atMs - 1), toWallMs: atMs + offsetAt(atMs) };
}
