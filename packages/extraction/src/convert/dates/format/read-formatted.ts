import type { Budget } from '../../../budget.ts';
import { type Day, isDay, type TimeOfDay, yearOfTwoDigits } from '../calendar.ts';
import type { Period } from '../names/name-table.ts';
import type { DateInText } from '../read/read-date.ts';
import { readZone } from '../read/read-zone.ts';
import type { Source } from '../read/source.ts';
import { type Token, tokenize } from '../text/tokens.ts';
import { type Field, type FormatPart, parseFormat } from './parse-format.ts';

/** Values of the fields read so far; a month can have several in languages that disagree. */
interface Values {
  readonly numbers: Map<Field, number>;
  months?: readonly number[];
  period?: Period;
  offset?: Pick<TimeOfDay, 'offsetMinutes' | 'unreadZone'>;
}

/** Place in a text: digits of one number can belong to several fields, as in "20240503". */
interface Place {
  readonly index: number;
  readonly digit: number;
}

const STEPS_PER_PLACE = 60;

/** Reads the first date of a format in a text; white space and case do not count. */
export function readFormatted(source: Source, format: string, budget: Budget): DateInText | undefined {
  const parts = parseFormat(format);
  const literals = parts.map((part) => ('literal' in part ? tokenize(part.literal) : []));
  for (let index = 0; index < source.tokens.length; index += 1) {
    budget.spend(STEPS_PER_PLACE);
    const values = readParts(source, parts, literals, index);
    if (values) return dateOf(values);
  }
  return undefined;
}

function readParts(
  source: Source,
  parts: readonly FormatPart[],
  literals: readonly (readonly Token[])[],
  start: number,
): Values | undefined {
  const values: Values = { numbers: new Map() };
  let place: Place | undefined = { index: start, digit: 0 };
  for (const [number, part] of parts.entries()) {
    place =
      'literal' in part
        ? skipLiteral(source, literals[number] ?? [], place)
        : readField(source, part, place, values);
    if (!place) return undefined;
  }
  return place.digit === 0 ? values : undefined;
}

function skipLiteral({ tokens }: Source, literal: readonly Token[], place: Place): Place | undefined {
  if (literal.length > 0 && place.digit > 0) return undefined;
  const isSame = literal.every(({ text }, index) => tokens[place.index + index]?.text === text);
  return isSame ? { index: place.index + literal.length, digit: place.digit } : undefined;
}

function readField(
  source: Source,
  part: Extract<FormatPart, { field: Field }>,
  place: Place,
  values: Values,
): Place | undefined {
  if (part.maxDigits > 0) return readDigits(source, part, place, values.numbers);
  if (place.digit > 0) return undefined;
  const end = readWord(source, part.field, place.index, values);
  return end === undefined ? undefined : { index: end, digit: 0 };
}

function readDigits(
  { tokens }: Source,
  { field, minDigits, maxDigits }: Extract<FormatPart, { field: Field }>,
  { index, digit }: Place,
  numbers: Map<Field, number>,
): Place | undefined {
  const token = tokens[index];
  if (token?.kind !== 'number') return undefined;
  const digits = token.text.slice(digit, digit + maxDigits);
  if (digits.length < minDigits) return undefined;
  numbers.set(field, field === 'fraction' ? Number(digits.padEnd(3, '0').slice(0, 3)) : Number(digits));
  const next = digit + digits.length;
  return next === token.text.length ? { index: index + 1, digit: 0 } : { index, digit: next };
}

function readWord(source: Source, field: Field, index: number, values: Values): number | undefined {
  const { tokens, lexicon } = source;
  if (field === 'weekday') return endOfName(tokens, lexicon.weekdayAt(tokens, index));
  if (field === 'offset') {
    const zone = readZone(source, index, 'after-seconds');
    if (zone) values.offset = zone.zone;
    return zone?.end;
  }
  if (field === 'period') {
    const period = lexicon.periodAt(tokens, index);
    if (period) values.period = period.value;
    return endOfName(tokens, period);
  }
  const month = lexicon.monthsAt(tokens, index);
  if (month) values.months = month.value;
  return endOfName(tokens, month);
}

/** Returns the index after a name and the dot of its abbreviation. */
function endOfName(tokens: readonly Token[], name: { readonly end: number } | undefined): number | undefined {
  if (!name) return undefined;
  const dot = tokens[name.end];
  return dot?.text === '.' && dot.isGlued ? name.end + 1 : name.end;
}

function dateOf({ numbers, months, period, offset }: Values): DateInText {
  const shortYear = numbers.get('short-year');
  const year = shortYear === undefined ? (numbers.get('year') ?? 0) : yearOfTwoDigits(shortYear);
  const day = numbers.get('day') ?? 0;
  const days: Day[] = (months ?? [numbers.get('month') ?? 0]).map((month) => ({ year, month, day }));
  const time = timeOf(numbers, period);
  return {
    readings: days.filter((candidate) => year > 0 && isDay(candidate)).map((found) => ({ day: found })),
    time: time && { ...time, ...offset },
    hasWrongTime: time === undefined,
    ...(days.length > 1 && { ambiguity: 'the name of its month has several meanings; set "locale"' }),
  };
}

function timeOf(numbers: ReadonlyMap<Field, number>, period: Period | undefined): TimeOfDay | undefined {
  const half = numbers.get('half-day-hour');
  const hour = half === undefined ? (numbers.get('hour') ?? 0) : half <= 12 ? period?.[half % 12] : undefined;
  const minute = numbers.get('minute') ?? 0;
  const second = numbers.get('second') ?? 0;
  if (hour === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  return { hour, minute, second, millisecond: numbers.get('fraction') ?? 0 };
}
