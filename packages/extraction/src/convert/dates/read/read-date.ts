import type { Budget } from '../../../budget.ts';
import {
  type Day,
  dayOfWeek,
  dayOfYear,
  isDay,
  type TimeOfDay,
  weekdayOf,
  yearOfTwoDigits,
} from '../calendar.ts';
import { isGluedMark, numberAt, skipToTime } from './cursor.ts';
import { readNamed } from './read-named.ts';
import { isNumberStart, readNumeric } from './read-numeric.ts';
import { type FoundTime, readBasicTime, readTime } from './read-time.ts';
import { type FoundDate, type Reading, type Source, yearOf } from './source.ts';

/** The first date of a text, with its time when it has one. */
export interface DateInText {
  readonly readings: readonly Reading[];
  readonly time?: TimeOfDay | undefined;
  /** True if the text has a time that no clock shows. */
  readonly hasWrongTime: boolean;
  readonly ambiguity?: string;
}

/** Reading at one token takes about as long as this many steps. */
const STEPS_PER_TOKEN = 120;

const READERS = [readIso, readEastAsian, readNumeric, readNamed];

/** Reads the first date of a text, or returns undefined when it has none. */
export function readDate(source: Source, budget: Budget): DateInText | undefined {
  let before: FoundTime | undefined;
  for (let index = 0; index < source.tokens.length; index += 1) {
    budget.spend(STEPS_PER_TOKEN);
    const date = readAt(source, index);
    if (date) {
      const isNear = before !== undefined && skipToTime(source, before.end) >= index;
      return withTime(source, date, index, isNear ? before : undefined);
    }
    if (source.tokens[index]?.kind === 'mark' || (before && index < before.end)) continue;
    const time = readTime(source, index);
    // Of "10:15 – 11:00" the first time counts.
    if (time) before = before && isDash(source, before.end, index) ? { ...before, end: time.end } : time;
  }
  return undefined;
}

function readAt(source: Source, index: number): FoundDate | undefined {
  const token = source.tokens[index];
  if (token?.kind === 'word') return readNamed(source, index);
  if (token?.kind !== 'number') return undefined;
  for (const read of READERS) {
    const date = read(source, index);
    if (date) return date;
  }
  return undefined;
}

function withTime(source: Source, date: FoundDate, start: number, before: FoundTime | undefined): DateInText {
  const time = timeInside(source, start, date.end) ?? timeAfter(source, date.end) ?? before;
  return {
    readings: ofWeekday(date.readings, weekdayNear(source, start, date.end)),
    time: time?.time,
    hasWrongTime: time !== undefined && time.time === undefined,
    ...(date.ambiguity !== undefined && { ambiguity: date.ambiguity }),
  };
}

/** Returns the time between the day and the year, as in "May 3 10:15:00 2024". */
function timeInside(source: Source, start: number, end: number): FoundTime | undefined {
  for (let index = start + 1; index < end - 1; index += 1) {
    if (source.tokens[index + 1]?.text === ':') return readTime(source, index);
  }
  return undefined;
}

function timeAfter(source: Source, end: number): FoundTime | undefined {
  const { tokens } = source;
  if (tokens[end]?.text === 't' && tokens[end + 1]?.isGlued)
    return readBasicTime(source, end + 1) ?? readTime(source, end + 1, 'after-t');
  const start = skipToTime(source, end);
  return readTime(source, start) ?? readTime(source, end) ?? timeAfterWord(source, start);
}

/** Returns the time after one unknown word, such as the weekday of a language that is not known. */
function timeAfterWord(source: Source, start: number): FoundTime | undefined {
  if (source.tokens[start]?.kind !== 'word') return undefined;
  const next = skipToTime(source, start + 1);
  return source.tokens[next + 1]?.text === ':' ? readTime(source, next) : undefined;
}

function isDash({ tokens }: Source, start: number, end: number): boolean {
  return end === start + 1 && /^[-–]$/.test(tokens[start]?.text ?? '');
}

/** Returns the weekday before or after a date: "Fri 03/05/2024" can only be 3 May. */
function weekdayNear({ tokens, lexicon }: Source, start: number, end: number): number | undefined {
  for (let index = Math.max(0, start - WEEKDAY_DISTANCE); index < start; index += 1) {
    const match = tokens[index]?.kind === 'word' ? lexicon.weekdayAt(tokens, index) : undefined;
    if (match && match.end >= start - 1) return match.value;
  }
  for (let index = end; index <= end + 1; index += 1) {
    const match = tokens[index]?.kind === 'word' ? lexicon.weekdayAt(tokens, index) : undefined;
    if (match) return match.value;
  }
  return undefined;
}

const WEEKDAY_DISTANCE = 6;

function ofWeekday(readings: readonly Reading[], weekday: number | undefined): readonly Reading[] {
  const matching = readings.filter(({ day }) => weekdayOf(day) === weekday);
  return matching.length > 0 ? matching : readings;
}

/** Years before the first one of an era. */
const ERAS: ReadonlyMap<string, number> = new Map([
  ['明治', 1867],
  ['大正', 1911],
  ['昭和', 1925],
  ['平成', 1988],
  ['令和', 2018],
  ['民國', 1911],
  ['民国', 1911],
]);

/** Reads "2024年5月3日", "2024년 5월 3일", "令和6年5月3日". */
function readEastAsian(source: Source, start: number): FoundDate | undefined {
  const { tokens } = source;
  const month = numberAt(source, start + 2, 1, 2);
  const day = numberAt(source, start + 4, 1, 2);
  if (!/^[年년]$/.test(tokens[start + 1]?.text ?? '') || !/^[月월]$/.test(tokens[start + 3]?.text ?? ''))
    return undefined;
  const year = yearAt(source, start);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const found = { year, month, day };
  const hasEnd = /^[日號号일]$/.test(tokens[start + 5]?.text ?? '');
  return { readings: isDay(found) ? [{ day: found }] : [], end: start + (hasEnd ? 6 : 5) };
}

function yearAt(source: Source, index: number): number | undefined {
  const { tokens } = source;
  const token = tokens[index];
  const year = yearOf(source, token?.text);
  if (year !== undefined) return year;
  const before = ERAS.get(`${tokens[index - 2]?.text}${tokens[index - 1]?.text}`);
  if (before !== undefined && token)
    return token.text === '元' ? before + 1 : before + Number(token.text.slice(0, 3));
  const digits = numberAt(source, index, 2, 2);
  return digits === undefined ? undefined : yearOfTwoDigits(digits);
}

/** A form that looks like another number unless it is alone, or a time follows its "T". */
interface Form {
  readonly digits: RegExp;
  readonly read: (parts: readonly number[]) => Day | undefined;
}

const BASIC_FORMS: readonly Form[] = [
  { digits: /^(\d{4})(\d\d)(\d\d)(?:\d{4}|\d{6})?$/, read: dayOf },
  { digits: /^(\d{4})-(\d{3})$/, read: ([year = 0, day = 0]) => dayOfYear(year, day) },
];

/** Reads what is particular to ISO 8601: week dates, dates of a numbered day, and dates without marks. */
function readIso(source: Source, start: number): FoundDate | undefined {
  if ((source.tokens[start]?.text.length ?? 0) < 4 || !isNumberStart(source, start)) return undefined;
  return readWeekDate(source, start) ?? readBasic(source, start);
}

function readBasic(source: Source, start: number): FoundDate | undefined {
  const { tokens } = source;
  const hasMark = isGluedMark(source, start + 1, '-') && tokens[start + 2]?.isGlued === true;
  const text = hasMark ? `${tokens[start]?.text}-${tokens[start + 2]?.text}` : (tokens[start]?.text ?? '');
  const end = hasMark ? start + 3 : start + 1;
  const isAlone = start === 0 && end === tokens.length;
  const hasTime = tokens[end]?.text === 't' && tokens[end]?.isGlued && tokens[end + 1]?.kind === 'number';
  if (!isAlone && !hasTime) return undefined;
  if (yearOf(source, text.slice(0, 4)) === undefined) return undefined;
  for (const { digits, read } of BASIC_FORMS) {
    const match = digits.exec(text);
    if (match) return foundDay(read(match.slice(1).map(Number)), end);
  }
  return undefined;
}

/** Reads "2024-W18-5" and "2024W185". */
function readWeekDate(source: Source, start: number): FoundDate | undefined {
  const { tokens } = source;
  const year = numberAt(source, start, 4, 4);
  const at = isGluedMark(source, start + 1, '-') ? start + 2 : start + 1;
  if (year === undefined || tokens[at]?.text !== 'w' || !tokens[at]?.isGlued) return undefined;
  const digits = tokens[at + 1]?.kind === 'number' ? (tokens[at + 1]?.text ?? '') : '';
  if (digits.length === 3)
    return foundDay(dayOfWeek(year, Number(digits.slice(0, 2)), Number(digits.slice(2))), at + 2);
  const weekday = isGluedMark(source, at + 2, '-') ? numberAt(source, at + 3, 1, 1) : undefined;
  if (digits.length !== 2 || weekday === undefined) return undefined;
  return foundDay(dayOfWeek(year, Number(digits), weekday), at + 4);
}

function dayOf([year = 0, month = 0, day = 0]: readonly number[]): Day | undefined {
  const found = { year, month, day };
  return isDay(found) ? found : undefined;
}

function foundDay(day: Day | undefined, end: number): FoundDate {
  return { readings: day ? [{ day }] : [], end };
}
