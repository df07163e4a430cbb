import { periodBefore, type Source } from './source.ts';

/** Tokens between the parts of a date or before its time; each character of a Thai word is one. */
const LONGEST_GAP = 16;

const DATE_MARKS: ReadonlySet<string> = new Set([...".,-/'()[]", '_']);
const TIME_MARKS: ReadonlySet<string> = new Set([...".,-/'()[]|@:–·•", '、']);

/** Returns the index after the words, weekdays and marks that can stand between the parts of a date. */
export function skipInDate(source: Source, start: number): number {
  return skipGap(source, start, DATE_MARKS);
}

/** Returns the index after what can stand between a date and its time. */
export function skipToTime(source: Source, start: number): number {
  return skipGap(source, start, TIME_MARKS);
}

/** Returns the number at an index when it has as many digits as allowed. */
export function numberAt(
  { tokens }: Source,
  index: number,
  minDigits: number,
  maxDigits: number,
): number | undefined {
  const token = tokens[index];
  if (token?.kind !== 'number' || token.text.length < minDigits || token.text.length > maxDigits)
    return undefined;
  return Number(token.text);
}

/** Returns true if a token is the mark, without white space before it. */
export function isGluedMark({ tokens }: Source, index: number, marks: string): boolean {
  const token = tokens[index];
  return token !== undefined && token.kind === 'mark' && token.isGlued && marks.includes(token.text);
}

/** Returns true if a token is a number without white space before it. */
export function isGluedNumber({ tokens }: Source, index: number): boolean {
  const token = tokens[index];
  return token !== undefined && token.kind === 'number' && token.isGlued;
}

function skipGap(source: Source, start: number, marks: ReadonlySet<string>): number {
  const { tokens, lexicon } = source;
  const limit = start + LONGEST_GAP;
  let index = start;
  while (index < limit) {
    const token = tokens[index];
    if (!token || token.kind === 'number') return index;
    if (token.kind === 'mark') {
      if (!marks.has(token.text) || isOffset(source, index)) return index;
      index += 1;
      continue;
    }
    if (marks === TIME_MARKS && isPeriodOfClock(source, index)) return index;
    // Spanish "mar" is March and Tuesday.
    if (marks === DATE_MARKS && lexicon.isMonthOfLocale(tokens, index)) return index;
    const end = lexicon.weekdayAt(tokens, index)?.end ?? (lexicon.isFiller(token) ? index + 1 : index);
    if (end === index) return index;
    index = end;
  }
  return index;
}

/** Returns true at the offset of a date without a time, as XML has it: "2024-05-03-07:00". */
function isOffset(source: Source, index: number): boolean {
  return (
    isGluedMark(source, index, '-') && isGluedNumber(source, index + 1) && isGluedMark(source, index + 2, ':')
  );
}

/** Returns true at a period before a clock: Hungarian "de. 8:05" is in the morning, although "de" is a filler in Spanish. */
function isPeriodOfClock(source: Source, index: number): boolean {
  const period = periodBefore(source, index);
  return period !== undefined && source.tokens[period.end]?.kind === 'number';
}
