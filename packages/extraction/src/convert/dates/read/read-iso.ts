import { type Day, dayOfWeek, dayOfYear, isDay } from '../calendar.ts';
import { isGluedMark, numberAt } from './cursor.ts';
import type { FoundDate } from './found.ts';
import { isNumberStart } from './read-numeric.ts';
import { type Source, yearOf } from './source.ts';

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
export function readIso(source: Source, start: number): FoundDate | undefined {
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
