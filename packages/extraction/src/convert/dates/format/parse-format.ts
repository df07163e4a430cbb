/** Kind of a field of a format. */
export type Field =
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
export type FormatPart =
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
  ...{ Y: 'yyyy', y: 'yy', m: 'MM', d: 'dd', e: 'd', b: 'MMM', B: 'MMMM', a: 'EEE', A: 'EEEE' },
  ...{ H: 'HH', I: 'hh', M: 'mm', S: 'ss', p: 'a', z: 'Z', F: 'yyyy-MM-dd', T: 'HH:mm:ss' },
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
export function parseFormat(format: string): FormatPart[] {
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
