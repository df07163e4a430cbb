import { type FoundNumber, findNumbers } from '../numerals/find-numbers.ts';
import type { CurrencyMark } from './currency-reader.ts';

/** The number of a text that is most likely its price, and the marks of its currency, the nearest first. */
export interface FoundPrice {
  readonly number: FoundNumber | undefined;
  readonly marks: readonly CurrencyMark[];
}

/**
 * Finds the price of a plain text: the first number beside a currency ("2 for £5" is 5), else the first number. Numbers before
 * a percent sign are left out. The first number of a range belongs to the currency behind the second.
 */
export function findPrice(plain: string, marks: readonly CurrencyMark[]): FoundPrice {
  const neighbors = neighborFinder(plain, marks);
  let first: FoundNumber | undefined;
  let previous: FoundNumber | undefined;
  let count = 0;
  for (const written of findNumbers(plain)) {
    if (count++ === MAX_NUMBERS) break;
    const number = withSpacedDecimals(plain, written);
    if (number.start < (previous?.end ?? 0)) continue;
    if (PERCENT.test(plain.slice(number.end, number.end + 2))) continue;
    const beside = neighbors(number);
    if (beside.length > 0) {
      const isRange =
        previous &&
        beside.every(({ start }) => start > number.start) &&
        isRangeBetween(plain, previous, number);
      return {
        number: isRange ? previous : withSign(plain, withCents(plain, number, beside), beside),
        marks: beside,
      };
    }
    first ??= number;
    previous = number;
  }
  return { number: first, marks: marks.filter(({ text }) => SIGN_OF_CURRENCY.test(text)).slice(0, 1) };
}

/** Numbers of a text among which its price is looked for. */
const MAX_NUMBERS = 256;

const PERCENT = /^[ \u00a0]?%/;
const SIGN_OF_CURRENCY = /\p{Sc}/u;
const RANGE = /^(?:[ \u00a0]?[-—~][ \u00a0]?|[ \u00a0](?:to|till|bis|tot|til|à|a|do|až|до)[ \u00a0])$/;

function isRangeBetween(plain: string, from: FoundNumber, to: FoundNumber): boolean {
  return to.start - from.end < 7 && RANGE.test(plain.slice(from.end, to.start));
}

const GAP_BEFORE = /^[ \u00a0.:]{0,3}[-+]?[ \u00a0]?$/;
const GAP_BEHIND = /^(?:[.,]?[-—]{1,2})?[.,]?[ \u00a0]{0,2}$/;
const MAX_GAP = 5;

/** Returns a function that returns the marks beside a number, the nearest first; numbers have to come in their order. */
function neighborFinder(
  plain: string,
  marks: readonly CurrencyMark[],
): (number: FoundNumber) => CurrencyMark[] {
  let next = 0;
  return ({ start, end }) => {
    while (next < marks.length && (marks[next] as CurrencyMark).start < end) next++;
    const before = marksBefore(plain, marks, next - 1, start);
    const behind = marksBehind(plain, marks, next, end);
    // A mark between two numbers belongs to the second: "20 $5", "$12 CAD 15".
    const last = behind.at(-1);
    const isOfNext = last && /^[ \u00a0]?\d/.test(plain.slice(last.end, last.end + 2));
    if (!isOfNext) return [...before, ...behind];
    const isApart = behind[0]?.start !== end;
    const touchesNext = /^\d/.test(plain.slice(last.end, last.end + 1));
    return before.length > 0 || (isApart && touchesNext) ? before : behind;
  };
}

const MAX_NEIGHBORS = 3;

function marksBefore(
  plain: string,
  marks: readonly CurrencyMark[],
  from: number,
  start: number,
): CurrencyMark[] {
  const found: CurrencyMark[] = [];
  for (let at = from, edge = start; at >= 0 && found.length < MAX_NEIGHBORS; at--) {
    const mark = marks[at] as CurrencyMark;
    if (edge - mark.end > MAX_GAP || !GAP_BEFORE.test(plain.slice(mark.end, edge))) break;
    found.push(mark);
    edge = mark.start;
  }
  return found;
}

function marksBehind(
  plain: string,
  marks: readonly CurrencyMark[],
  from: number,
  end: number,
): CurrencyMark[] {
  const found: CurrencyMark[] = [];
  for (let at = from, edge = end; at < marks.length && found.length < MAX_NEIGHBORS; at++) {
    const mark = marks[at] as CurrencyMark;
    if (mark.start - edge > MAX_GAP || !GAP_BEHIND.test(plain.slice(edge, mark.start))) break;
    found.push(mark);
    edge = mark.end;
  }
  return found;
}

/** Cents behind the sign of a currency: "35€99", and "35€ 99" at the end of a text. */
const CENTS = /^(?:(\d\d)(?![\d.,]?\d)|[ \u00a0](\d\d)\s*$)/;

function withCents(plain: string, number: FoundNumber, marks: readonly CurrencyMark[]): FoundNumber {
  const mark = marks.find(({ start }) => start === number.end);
  if (!mark || !SIGN_OF_CURRENCY.test(mark.text) || number.grouped === undefined) return number;
  const [, attached, apart] = CENTS.exec(plain.slice(mark.end, mark.end + 12)) ?? [];
  const cents = attached ?? (mark.end + 3 === plain.trimEnd().length ? apart : undefined);
  if (cents === undefined) return number;
  const end = plain.indexOf(cents, mark.end) + cents.length;
  const { start, isNegative, spaces } = number;
  return { start, end, isNegative, spaces, decimal: `${number.grouped}.${cents}` };
}

/** A sign before the currency, or between it and the number: `-kr 5`, `CHF-5`. */
function withSign(plain: string, number: FoundNumber, marks: readonly CurrencyMark[]): FoundNumber {
  const first = marks.filter(({ end }) => end <= number.start).at(-1);
  if (!first) return number;
  const between = plain.slice(first.end, number.start);
  const isNegative =
    /^[ \u00a0]?-$/.test(between) ||
    /(?:^|[^\p{L}\d)\]%])-$/u.test(plain.slice(Math.max(0, first.start - 2), first.start));
  return isNegative && plain[number.start] !== ',' ? { ...number, isNegative } : number;
}

/** Two decimals behind a mark and a space: "$119. 95", "1.837, 32 €". They may also be a number of their own. */
const SPACED_DECIMALS = /^([.,])[ \u00a0](\d\d)(?![.,]?\d)/;

function withSpacedDecimals(plain: string, number: FoundNumber): FoundNumber {
  if (
    number.grouped === undefined ||
    plain.slice(number.start, number.end).includes(plain.charAt(number.end))
  )
    return number;
  const [written, , cents] = SPACED_DECIMALS.exec(plain.slice(number.end, number.end + 7)) ?? [];
  if (written === undefined) return number;
  const { start, isNegative, grouped } = number;
  return {
    start,
    end: number.end + written.length,
    isNegative,
    spaces: 'doubtful',
    decimal: `${grouped}.${cents}`,
  };
}
