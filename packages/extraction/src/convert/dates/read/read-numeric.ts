import { isDay, yearOfTwoDigits } from '../calendar.ts';
import { isGluedMark, isGluedNumber } from './cursor.ts';
import { readTime } from './read-time.ts';
import { type FoundDate, type Order, type Reading, type Source, yearOf } from './source.ts';

const ORDERS: Readonly<Record<Order, readonly [year: 0 | 2, month: 0 | 1, day: 0 | 1 | 2]>> = {
  'day-month-year': [2, 1, 0],
  'month-day-year': [2, 0, 1],
  'year-month-day': [0, 1, 2],
};

const MARKS: ReadonlySet<string> = new Set(['/', '.', '-']);

/** Words before numbers that look like a date with a year of two digits. */
const NUMBERED: ReadonlySet<string> = new Set(
  'version ver v release build ios android windows firmware chapter section tel phone fax telefon kapitel nr no ip'.split(
    ' ',
  ),
);

/** Reads "03/05/2024", "3. 5. 2024", "2024-05-03", "18.10.14". */
export function readNumeric(source: Source, start: number): FoundDate | undefined {
  const mark = source.tokens[start + 1]?.text ?? '';
  if (!MARKS.has(mark) || source.tokens[start + 3]?.text !== mark) return undefined;
  const parts = [start, start + 2, start + 4].map((index) => source.tokens[index]);
  if (parts.some((part) => part?.kind !== 'number')) return undefined;
  if (mark === '-' && [1, 2, 3, 4].some((step) => source.tokens[start + step]?.isGlued !== true))
    return undefined;
  const texts = parts.map((part) => part?.text ?? '');
  const orders = ordersOf(source, texts);
  const end = start + 5;
  if (orders.length === 0 || !isBounded(source, start, end, mark)) return undefined;
  if (texts.every(({ length }) => length <= 2) && mark !== '/' && !isLikely(source, start, texts))
    return undefined;
  return { readings: readingsOf(source, texts, orders, mark), end };
}

function ordersOf(source: Source, texts: readonly string[]): Order[] {
  const [first = 0, second = 0, third = 0] = texts.map(({ length }) => length);
  if (second > 2) return [];
  if (first === 4) return third <= 2 && yearOf(source, texts[0]) !== undefined ? ['year-month-day'] : [];
  if (first > 2) return [];
  if (third === 4) return yearOf(source, texts[2]) !== undefined ? ['day-month-year', 'month-day-year'] : [];
  // In Thai, two digits can be a year of the Buddhist calendar.
  if (third !== 2 || source.isThai) return [];
  return first === 2
    ? ['day-month-year', 'month-day-year', 'year-month-day']
    : ['day-month-year', 'month-day-year'];
}

function readingsOf(
  source: Source,
  texts: readonly string[],
  orders: readonly Order[],
  mark: string,
): Reading[] {
  const hasLongYear = texts[0]?.length === 4;
  const readings = orders.map((order) => {
    const [year = '', month = '', day = ''] = ORDERS[order].map((index) => texts[index]);
    const fullYear = year.length === 2 ? yearOfTwoDigits(Number(year)) : (yearOf(source, year) ?? 0);
    const isYearFirstOnly = order === 'year-month-day' && mark !== '-';
    return { day: { year: fullYear, month: Number(month), day: Number(day) }, order, isYearFirstOnly };
  });
  return readings
    .filter(({ day }) => isDay(day))
    .map((reading) => (hasLongYear ? { day: reading.day } : reading));
}

/** Returns false inside of a longer number, such as an IP address or a phone number. */
function isBounded(source: Source, start: number, end: number, mark: string): boolean {
  const { tokens } = source;
  if (!isNumberStart(source, start)) return false;
  const next = tokens[end];
  if (!next?.isGlued) return true;
  if (next.kind === 'word')
    return next.isIdeogram || next.text === 't' || next.text === 'z' || source.lexicon.isFiller(next);
  if (/[%\p{Sc}]/u.test(next.text)) return false;
  if (!isGluedNumber(source, end + 1)) return true;
  if (next.text === ':' || next.text === ',') return readTime(source, end + 1) !== undefined;
  if (next.text === '-' && mark === '-') return isGluedMark(source, end + 2, ':');
  return next.text !== mark && next.text !== '.';
}

/** Returns false if a number is a part of a longer number or of a name, such as "v10". */
export function isNumberStart({ tokens }: Source, start: number): boolean {
  const before = tokens[start - 1];
  if (!tokens[start]?.isGlued || !before) return true;
  if (before.kind === 'word') return before.isIdeogram;
  if (/[+#%\p{Sc}]/u.test(before.text)) return false;
  return !/[.,:/-]/.test(before.text) || !before.isGlued || tokens[start - 2]?.kind !== 'number';
}

/** Returns false for versions, prices and phone numbers: "Version 10.2.24" is not a date. */
function isLikely({ tokens, lexicon }: Source, start: number, texts: readonly string[]): boolean {
  if (/\p{Sc}/u.test(tokens[start + 5]?.text ?? '')) return false;
  const before = tokens[start - 1];
  if (before?.kind !== 'word' || lexicon.isFiller(before)) return before?.kind !== 'number';
  if (NUMBERED.has(before.text)) return false;
  return lexicon.weekdayAt(tokens, start - 1) !== undefined || texts.every(({ length }) => length === 2);
}
