import type { TimeOfDay } from '../calendar.ts';
import { isGluedMark, isGluedNumber, numberAt } from './cursor.ts';
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

/** Numbers that a clock shows, before it is checked. */
interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  readonly end: number;
  /** True if the clock shows seconds. */
  readonly isExact: boolean;
}

const LONGEST_UNIT = 8;

const HOUR_WORDS = wordsOf('h uhr uur ч час годин гадзін 時 时 点 點 시 giờ น นาฬิกา');
const MINUTE_WORDS = wordsOf('min m мин хв хвілін хвилин 分 분 phút นาที');
const SECOND_WORDS = wordsOf('s sec сек 秒 초 giây วินาที');

/** Reads a clock with its marks or units. */
function readClock(source: Source, start: number): Clock | undefined {
  return (
    readMarkedClock(source, start, ':') ?? readUnits(source, start) ?? readMarkedClock(source, start, '.')
  );
}

/** Reads "20:05", "20:05:07" and "20:05:07.123"; with dots, only what does not look like a price. */
function readMarkedClock(source: Source, start: number, mark: ':' | '.'): Clock | undefined {
  const hour = numberAt(source, start, 1, 2);
  if (hour === undefined || !isGluedMark(source, start + 1, mark) || !isGluedNumber(source, start + 2))
    return undefined;
  const second =
    isGluedMark(source, start + 3, mark) && isGluedNumber(source, start + 4)
      ? numberAt(source, start + 4, 1, 2)
      : undefined;
  const minute = numberAt(source, start + 2, second === undefined ? 2 : 1, 2);
  if (minute === undefined) return undefined;
  const secondsEnd = second === undefined ? start + 3 : start + 5;
  const { millisecond, end } =
    second === undefined ? { millisecond: 0, end: secondsEnd } : readFraction(source, secondsEnd);
  const clock = { hour, minute, second: second ?? 0, millisecond, end, isExact: second !== undefined };
  return mark === ':' || isPlainEnd(source, end) ? clock : undefined;
}

function readFraction(source: Source, start: number): { millisecond: number; end: number } {
  if (!isGluedMark(source, start, '.,') || !isGluedNumber(source, start + 1))
    return { millisecond: 0, end: start };
  const digits = (source.tokens[start + 1]?.text ?? '').slice(0, 3);
  return { millisecond: Number(digits.padEnd(3, '0')), end: start + 2 };
}

/** Returns false before a mark of money or an unknown word: "10.50 EUR" is a price, "5 h ago" a duration. */
function isPlainEnd(source: Source, end: number): boolean {
  const { tokens, lexicon } = source;
  const token = tokens[end];
  if (!token) return true;
  if (token.kind === 'number') return false;
  if (readZone(source, end, 'after-minutes') || lexicon.periodAt(tokens, end)) return true;
  if (token.kind === 'mark') return /[.,;)\]|–-]/.test(token.text) && tokens[end + 1]?.isGlued !== true;
  return HOUR_WORDS.has(token.text) || lexicon.isFiller(token);
}

/** Reads "20h", "20h05", "20時5分7秒", "8 giờ 5 phút". */
function readUnits(source: Source, start: number): Clock | undefined {
  const hour = numberAt(source, start, 1, 2);
  const hourEnd = unitEnd(source, start + 1, HOUR_WORDS);
  if (hour === undefined || hourEnd === undefined) return undefined;
  const minute = numberAt(source, hourEnd, 1, 2);
  const minuteEnd = minute === undefined ? undefined : unitEnd(source, hourEnd + 1, MINUTE_WORDS);
  const isShort =
    source.tokens[hourEnd]?.text.length === 2 && source.tokens[hourEnd - 1]?.isIdeogram === false;
  if (
    minute === undefined ||
    (minuteEnd === undefined && !isShort && source.tokens[hourEnd]?.isGlued !== true)
  )
    return isPlainEnd(source, hourEnd) ? hourAlone(hour, hourEnd) : undefined;
  const secondAt = minuteEnd ?? hourEnd + 1;
  const second = numberAt(source, secondAt, 1, 2);
  const secondEnd = second === undefined ? undefined : unitEnd(source, secondAt + 1, SECOND_WORDS);
  return {
    hour,
    minute,
    second: secondEnd === undefined ? 0 : (second ?? 0),
    millisecond: 0,
    end: secondEnd ?? secondAt,
    isExact: secondEnd !== undefined,
  };
}

/** Returns the index after a word for a unit; Thai words are several tokens. */
function unitEnd({ tokens }: Source, start: number, words: ReadonlySet<string>): number | undefined {
  const first = tokens[start];
  if (first?.kind !== 'word') return undefined;
  if (!first.isIdeogram) return words.has(first.text) ? start + 1 : undefined;
  let text = '';
  let longest: number | undefined;
  for (let index = start; index < start + LONGEST_UNIT && tokens[index]?.isIdeogram; index += 1) {
    text += tokens[index]?.text;
    if (words.has(text)) longest = index + 1;
  }
  return longest;
}

/** Reads an hour alone, as it stands before "pm". */
function readHour(source: Source, start: number): Clock | undefined {
  const hour = numberAt(source, start, 1, 2);
  return hour === undefined ? undefined : hourAlone(hour, start + 1);
}

function hourAlone(hour: number, end: number): Clock {
  return { hour, minute: 0, second: 0, millisecond: 0, end, isExact: false };
}

/** Returns the index after a word for hours, such as that of "8:05 ч. am". */
function skipUnit({ tokens }: Source, start: number): number {
  if (!HOUR_WORDS.has(tokens[start]?.text ?? '')) return start;
  return tokens[start + 1]?.text === '.' ? start + 2 : start + 1;
}

function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.normalize('NFKD').normalize('NFC').split(' '));
}
