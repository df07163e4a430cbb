import type { Budget } from '../../../budget.ts';
import { type Day, isDay, type TimeOfDay, yearOfTwoDigits } from '../calendar.ts';
import type { Period } from '../names/name-table.ts';
import { type Token, tokenize } from '../tokens.ts';
import type { DateInText } from './read-date.ts';
import { readZone } from './read-zone.ts';
import type { Source } from './source.ts';

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

type Field =
  | 'year'
  | 'short-year'
  | 'month'
  | 'month-name'
  | 'day'
  | 'hour'
  | 'half-day-hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'weekday'
  | 'period'
  | 'offset';

/** One part of a format: a field, or text that is skipped. */
type FormatPart =
  | { readonly field: Field; readonly minDigits: number; readonly maxDigits: number }
  | { readonly literal: string };

interface Letter {
  readonly maxLength: number;
  readonly part: (length: number) => FormatPart;
}

const MAX_CHARS = 100;

const LETTERS: Readonly<Record<string, Letter>> = {
  y: { maxLength: 4, part: (length) => (length === 2 ? digits('short-year', 2, 2) : digits('year', 4, 4)) },
  M: { maxLength: 4, part: monthPart },
  L: { maxLength: 4, part: monthPart },
  d: { maxLength: 2, part: numberPart('day') },
  H: { maxLength: 2, part: numberPart('hour') },
  h: { maxLength: 2, part: numberPart('half-day-hour') },
  m: { maxLength: 2, part: numberPart('minute') },
  s: { maxLength: 2, part: numberPart('second') },
  S: { maxLength: 9, part: (length) => digits('fraction', length, length) },
  E: { maxLength: 4, part: () => digits('weekday', 0, 0) },
  a: { maxLength: 1, part: () => digits('period', 0, 0) },
  X: { maxLength: 3, part: () => digits('offset', 0, 0) },
  Z: { maxLength: 5, part: () => digits('offset', 0, 0) },
};

const TOKEN = /'((?:[^']|'')*)'|''|([A-Za-z])\2*|[^A-Za-z']+|'/g;

/** Returns a sentence that explains why a format cannot be used, or undefined when it can. */
export function findFormatError(format: string): string | undefined {
  if (format.length > MAX_CHARS) return `The format is longer than ${MAX_CHARS} characters.`;
  const error = findError(format);
  const meant = error === undefined ? format : translate(format);
  return meant === format || findError(meant) !== undefined ? error : `${error} Write "${meant}".`;
}

/** Fields as strftime names them, and the capitals of moment.js and Excel. */
const STRFTIME: Readonly<Record<string, string>> = {
  Y: 'yyyy',
  y: 'yy',
  m: 'MM',
  d: 'dd',
  e: 'd',
  b: 'MMM',
  B: 'MMMM',
  a: 'EEE',
  A: 'EEEE',
  H: 'HH',
  I: 'hh',
  M: 'mm',
  S: 'ss',
  p: 'a',
  z: 'Z',
  F: 'yyyy-MM-dd',
  T: 'HH:mm:ss',
};

/** Returns a format of another notation in this one. */
function translate(format: string): string {
  if (format.includes('%')) {
    return format.replaceAll(/%-?([A-Za-z])|[A-Za-z]+/g, (text, letter) =>
      letter === undefined ? `'${text}'` : (STRFTIME[letter] ?? text),
    );
  }
  return format.replaceAll('Y', 'y').replaceAll('D', 'd').replaceAll(/\bA\b/g, 'a');
}

function findError(format: string): string | undefined {
  for (const [token, quoted, letter] of format.matchAll(TOKEN)) {
    if (token === "'") return "The format has a quote (') that is not closed.";
    if (quoted !== undefined || letter === undefined) continue;
    const known = LETTERS[letter];
    if (!known)
      return `"${token}" is not a field of a date. Use the letters y M d H h m s S a E X Z, and put other words in single quotes.`;
    if (token.length > known.maxLength)
      return `"${token}" is too long; "${letter.repeat(known.maxLength)}" is the longest form of this field.`;
  }
  return findFieldError(fieldsOf(parseFormat(format)));
}

/** Parses a format without errors. */
function parseFormat(format: string): FormatPart[] {
  return Array.from(format.matchAll(TOKEN), ([token, quoted, letter]) => {
    if (letter !== undefined) return LETTERS[letter]?.part(token.length) ?? { literal: token };
    return { literal: quoted === undefined ? token.replaceAll("''", "'") : quoted.replaceAll("''", "'") };
  });
}

function findFieldError(fields: readonly Field[]): string | undefined {
  const names = fields.map((field) => SAME_FIELD[field] ?? field);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `The format has the ${repeated} twice.`;
  const missing = ['year', 'month', 'day'].find((name) => !names.includes(name));
  if (missing !== undefined) return `The format has no ${missing}; it needs a year, a month and a day.`;
  if (fields.includes('half-day-hour') !== fields.includes('period'))
    return 'The format needs "h" and "a" together; use "H" for the 24-hour clock.';
  return undefined;
}

const SAME_FIELD: Partial<Record<Field, string>> = {
  'short-year': 'year',
  'month-name': 'month',
  'half-day-hour': 'hour',
};

function fieldsOf(parts: readonly FormatPart[]): Field[] {
  return parts.flatMap((part) => ('field' in part ? [part.field] : []));
}

function monthPart(length: number): FormatPart {
  return length > 2 ? digits('month-name', 0, 0) : digits('month', length, 2);
}

function numberPart(field: Field): (length: number) => FormatPart {
  return (length) => digits(field, length, 2);
}

function digits(field: Field, minDigits: number, maxDigits: number): FormatPart {
  return { field, minDigits, maxDigits };
}
