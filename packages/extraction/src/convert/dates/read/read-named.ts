import { isDay, yearOfTwoDigits } from '../calendar.ts';
import { isGluedMark, numberAt, skipInDate } from './cursor.ts';
import { isNumberStart } from './read-numeric.ts';
import { readTime } from './read-time.ts';
import { type FoundDate, type Source, yearOf } from './source.ts';

/** Numbers and months of a date, and where it ends. */
interface Parts {
  readonly year: number;
  readonly months: readonly number[];
  readonly day: number;
  readonly end: number;
}

interface Part<T> {
  readonly value: T;
  readonly end: number;
}

/** Words and marks between the first and the last day of a range. */
const RANGE_LINKS: ReadonlySet<string> = new Set(
  '- – ~ & to till until and bis und au et al a y e до и do i tot til'.split(' '),
);

/** Endings of ordinal numbers; those of other scripts are short words, such as "го" or "লা". */
const LATIN_ENDINGS: ReadonlySet<string> = new Set(
  'st nd rd th er ere re eme e o a de en ste te an'.split(' '),
);
const LONGEST_ENDING = 4;

/** Reads a date whose month has a name: "3 May 2024", "May 3rd, 2024", "2024. május 3." */
export function readNamed(source: Source, start: number): FoundDate | undefined {
  const parts =
    source.tokens[start]?.kind === 'number'
      ? (readDayFirst(source, start) ?? readYearFirst(source, start))
      : readMonthFirst(source, start);
  if (!parts) return undefined;
  const { months, year, day, end } = parts;
  const days = months.map((month) => ({ year, month, day })).filter(isDay);
  return {
    readings: days.map((found) => ({ day: found })),
    end,
    ...(days.length > 1 && {
      ambiguity: `the name of its month means month ${days.map(({ month }) => month).join(' or ')}, depending on the language; set "locale"`,
    }),
  };
}

function readDayFirst(source: Source, start: number): Parts | undefined {
  if (!isNumberStart(source, start)) return undefined;
  const day = dayAt(source, start);
  const month = day && monthAt(source, skipInDate(source, day.end));
  if (!month) return undefined;
  const year =
    yearAt(source, skipInDate(source, month.end)) ??
    shortYearAt(source, month.end) ??
    yearOfRange(source, month.end, month.value);
  return year && { year: year.value, months: month.value, day: day.value, end: year.end };
}

function readYearFirst(source: Source, start: number): Parts | undefined {
  if (!isNumberStart(source, start)) return undefined;
  const year = yearAt(source, start);
  if (!year) return undefined;
  const next = skipInDate(source, year.end);
  const month = monthAt(source, next);
  if (month) {
    const day = dayAt(source, skipInDate(source, month.end));
    return day && { year: year.value, months: month.value, day: day.value, end: day.end };
  }
  const day = dayAt(source, next);
  const last = day && monthAt(source, skipInDate(source, day.end));
  return last && { year: year.value, months: last.value, day: day.value, end: last.end };
}

function readMonthFirst(source: Source, start: number): Parts | undefined {
  const before = source.tokens[start - 1];
  if (before?.kind === 'number' && source.tokens[start]?.isGlued) return undefined;
  const month = monthBeforeNumber(source, start);
  const day = month && dayAt(source, skipInDate(source, month.end));
  if (!day) return undefined;
  const next = skipInDate(source, day.end);
  const year =
    yearAt(source, next) ??
    yearAfterTime(source, next) ??
    markedYearAt(source, day.end) ??
    yearOfRange(source, day.end, month.value);
  return year && { year: year.value, months: month.value, day: day.value, end: year.end };
}

/** Returns the year of "3 May – 5 June 2024", whose first day has none. */
function yearOfRange(source: Source, dash: number, [month = 0]: readonly number[]): Part<number> | undefined {
  if (!/^[-–]$/.test(source.tokens[dash]?.text ?? '')) return undefined;
  const day = ordinalAt(source, dash + 1);
  const other = monthAt(source, day ? skipInDate(source, day.end) : dash + 1);
  const dayEnd = other && (day ? other.end : ordinalAt(source, skipInDate(source, other.end))?.end);
  const year = dayEnd === undefined ? undefined : yearAt(source, skipInDate(source, dayEnd));
  const isNextYear = (other?.value[0] ?? 0) < month;
  return year && { value: isNextYear ? year.value - 1 : year.value, end: year.end };
}

/** Returns the month at a token, when a day can follow; most words of a text are not looked up. */
function monthBeforeNumber(source: Source, start: number): Part<readonly number[]> | undefined {
  const { tokens } = source;
  const limit = start + LONGEST_NAME;
  for (let index = start + 1; index < limit; index += 1) {
    if (tokens[index]?.kind === 'number') return monthAt(source, start);
    if (!tokens[index]) return undefined;
  }
  return undefined;
}

const LONGEST_NAME = 12;

function monthAt({ tokens, lexicon }: Source, index: number): Part<readonly number[]> | undefined {
  return lexicon.monthsAt(tokens, index);
}

/** Reads a day, or the first day of a range such as "3-5" or "3. bis 5.", with the ending of its ordinal number. */
function dayAt(source: Source, index: number): Part<number> | undefined {
  const { tokens } = source;
  const day = ordinalAt(source, index);
  if (!day) return undefined;
  const link = tokens[day.end]?.text === '.' ? day.end + 1 : day.end;
  if (!RANGE_LINKS.has(tokens[link]?.text ?? '')) return day;
  const last = ordinalAt(source, link + 1);
  const isRange = last !== undefined && last.value > day.value && tokens[last.end]?.text !== ':';
  return isRange ? { value: day.value, end: last.end } : day;
}

/** Returns true for the endings of ordinal numbers, not for units: "5k May 2024" names no day. */
function isEnding(text: string): boolean {
  return /^[a-z]/.test(text) ? LATIN_ENDINGS.has(text) : text.length <= LONGEST_ENDING;
}

/** Reads "3", "3rd", "3º", "3-го". */
function ordinalAt(source: Source, index: number): Part<number> | undefined {
  const value = numberAt(source, index, 1, 2);
  if (value === undefined) return undefined;
  const { tokens, lexicon } = source;
  const at = isGluedMark(source, index + 1, '-') ? index + 2 : index + 1;
  const ending = tokens[at];
  const hasEnding =
    ending?.kind === 'word' &&
    ending.isGlued &&
    isEnding(ending.text) &&
    lexicon.monthsAt(tokens, at) === undefined;
  return { value, end: hasEnding ? at + 1 : index + 1 };
}

function yearAt(source: Source, index: number): Part<number> | undefined {
  const token = source.tokens[index];
  const year = token?.kind === 'number' ? yearOf(source, token.text) : undefined;
  return year === undefined ? undefined : { value: year, end: index + 1 };
}

/** Reads the year of "May 3 10:15:00 UTC 2024". */
function yearAfterTime(source: Source, start: number): Part<number> | undefined {
  const time = readTime(source, start);
  const year = time && yearAt(source, time.end);
  // The time before the year is found again from the end of the day.
  return year && source.tokens[start + 1]?.text === ':' ? year : undefined;
}

/** Reads a year of two digits where nothing else can be meant: "3 May 24", but not "3 May 24 people" or "3 May 24:00". */
function shortYearAt(source: Source, start: number): Part<number> | undefined {
  const { tokens, lexicon, isThai } = source;
  if (isThai) return undefined;
  let index = start;
  while (index < start + 2 && /^[.,'/-]$/.test(tokens[index]?.text ?? '')) index += 1;
  const digits = numberAt(source, index, 2, 2);
  if (digits === undefined) return undefined;
  if (readTime(source, index)) return undefined;
  const next = tokens[index + 1];
  const isLast =
    !next ||
    (next.kind === 'number' && readTime(source, index + 1) !== undefined) ||
    (next.kind === 'word' && lexicon.isFiller(next)) ||
    (next.kind === 'mark' && !/[%:\p{Sc}]/u.test(next.text) && tokens[index + 2]?.isGlued !== true) ||
    (next.kind === 'mark' && /[,)]/.test(next.text));
  return isLast ? { value: yearOfTwoDigits(digits), end: index + 1 } : undefined;
}

function markedYearAt(source: Source, start: number): Part<number> | undefined {
  return /^[,']$/.test(source.tokens[start]?.text ?? '') ? shortYearAt(source, start) : undefined;
}
