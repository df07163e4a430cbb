import type { TimeOfDay } from '../calendar.ts';
import { type Clock, readClock, readFraction, readHour, skipUnit, wordsOf } from './read-clock.ts';
import { readZone, readZoneName } from './read-zone.ts';
import { type PeriodMatch, periodAt, periodBefore, type Source } from './source.ts';

/** A time found in a text; without a time of day it is one that no clock shows, such as 25:00. */
export interface FoundTime {
  readonly time: TimeOfDay | undefined;
  readonly end: number;
}

/** A time after the "T" of ISO 8601 can be an hour alone, and its offset cannot be the end of a range. */
type TimePlace = 'in-text' | 'after-t';

const NAMED_HOURS: ReadonlyMap<string, number> = new Map([
  ...wordsOf('noon midi mediodia mezzogiorno podne')
    .values()
    .map((word) => [word, 12] as const),
  ...wordsOf('midnight minuit medianoche mezzanotte mitternacht ponoc')
    .values()
    .map((word) => [word, 0] as const),
]);

/** Reads a time at a token: "20:05:07.123 +02:00", "8.05 pm", "下午8時5分", "20 h 05", "UTC 20:05". */
export function readTime(source: Source, start: number, place: TimePlace = 'in-text'): FoundTime | undefined {
  const named = readNamedTime(source, start);
  if (named) return named;
  const zoneBefore = readZoneName(source, start);
  const before = periodBefore(source, zoneBefore?.end ?? start);
  const at = before?.end ?? zoneBefore?.end ?? start;
  const clock = readClock(source, at) ?? (before ? undefined : readHour(source, at));
  if (!clock) return undefined;
  const period = before ?? periodAt(source, clock.end) ?? periodAt(source, skipUnit(source, clock.end));
  const isHourAlone = clock.end === at + 1 && period === undefined;
  if (isHourAlone && place === 'in-text') return undefined;
  const end = before || !period ? clock.end : period.end;
  const zoneAfter = readZone(
    source,
    end,
    clock.isExact || place === 'after-t' ? 'after-seconds' : 'after-minutes',
  );
  const time = timeOf(clock, period);
  return {
    time: time && { ...time, ...(zoneAfter ?? zoneBefore)?.zone },
    end: zoneAfter?.end ?? end,
  };
}

/** Reads a time in the basic form of ISO 8601, such as "101500", as it follows a "T". */
export function readBasicTime(source: Source, start: number): FoundTime | undefined {
  const digits = source.tokens[start]?.kind === 'number' ? (source.tokens[start]?.text ?? '') : '';
  if (digits.length !== 4 && digits.length !== 6) return undefined;
  const [hour, minute, second] = [0, 2, 4].map((index) => Number(digits.slice(index, index + 2)));
  const { millisecond, end } = readFraction(source, start + 1);
  const clock = {
    hour: hour ?? 0,
    minute: minute ?? 0,
    second: second ?? 0,
    millisecond,
    end,
    isExact: true,
  };
  const zone = readZone(source, end, 'after-seconds');
  const time = timeOf(clock, undefined);
  return { time: time && zone ? { ...time, ...zone.zone } : time, end: zone?.end ?? end };
}

/** Reads "noon" and "midnight". */
function readNamedTime({ tokens }: Source, start: number): FoundTime | undefined {
  const hour = NAMED_HOURS.get(tokens[start]?.text ?? '');
  if (hour === undefined) return undefined;
  return { time: { hour, minute: 0, second: 0, millisecond: 0 }, end: start + 1 };
}

function timeOf(
  { hour, minute, second, millisecond }: Clock,
  period: PeriodMatch | undefined,
): TimeOfDay | undefined {
  const hour24 = period && hour <= 12 ? period.value[hour % 12] : hour;
  const isEndOfDay = hour24 === 24 && minute === 0 && second === 0 && millisecond === 0;
  if (hour24 === undefined || (hour24 > 23 && !isEndOfDay) || minute > 59 || second > 60) return undefined;
  return { hour: hour24, minute, second, millisecond };
}
