import { isGluedMark, isGluedNumber, numberAt } from './cursor.ts';
import { readZone } from './read-zone.ts';
import type { Source } from './source.ts';

/** Numbers that a clock shows, before it is checked. */
export interface Clock {
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
export function readClock(source: Source, start: number): Clock | undefined {
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

/** Reads the fraction of a second. */
export function readFraction(source: Source, start: number): { millisecond: number; end: number } {
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
    ...{ hour, minute, second: secondEnd === undefined ? 0 : (second ?? 0), millisecond: 0 },
    ...{ end: secondEnd ?? secondAt, isExact: secondEnd !== undefined },
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
export function readHour(source: Source, start: number): Clock | undefined {
  const hour = numberAt(source, start, 1, 2);
  return hour === undefined ? undefined : hourAlone(hour, start + 1);
}

function hourAlone(hour: number, end: number): Clock {
  return { hour, minute: 0, second: 0, millisecond: 0, end, isExact: false };
}

/** Returns the index after a word for hours, such as that of "8:05 ч. am". */
export function skipUnit({ tokens }: Source, start: number): number {
  if (!HOUR_WORDS.has(tokens[start]?.text ?? '')) return start;
  return tokens[start + 1]?.text === '.' ? start + 2 : start + 1;
}

/** Returns words in the form of tokens. */
export function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.normalize('NFKD').normalize('NFC').split(' '));
}
