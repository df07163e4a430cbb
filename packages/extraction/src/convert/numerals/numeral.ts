/** A separator that is a decimal mark in some conventions, and separates groups in others. */
export type Mark = '.' | ',';

/** One number as it is written, with all its readings as decimal literals (`1234.5`). */
export interface Numeral {
  /** Reading in which every separator separates groups of digits. */
  readonly grouped?: string;
  /** Reading in which the last separator is the decimal mark. */
  readonly decimal?: string;
  /** The separator that both readings disagree about; absent if there is one reading or none. */
  readonly disputed?: Mark;
  /** The decimal mark that the text proves. */
  readonly proved?: Mark;
  /** Plain spaces inside of the number. A single one separates groups in some conventions, or two numbers. */
  readonly spaces: 'none' | 'single' | 'certain' | 'doubtful';
}

/**
 * Reads digits that only spaces and apostrophes group (`head`), and the digits behind each `.` and `,` (`tail`). A dash that
 * follows a last separator (`1.198,-`) stands for decimals.
 */
export function readNumeral(head: string, tail: string, following: string): Numeral {
  const digits = head.replace(/\D/g, '');
  const marks = Array.from(tail.matchAll(/[.,٫]/g), ([mark]) => mark);
  const isSpaced = digits.length < head.length;
  const readings = readMarks([digits, ...tail.split(/[.,٫]/).slice(1)], marks, isSpaced);
  const dash = /^([.,])[-—]/.exec(following)?.[1];
  return {
    ...(dash === undefined ? readings : withDecimalMark(readings, dash as Mark, marks)),
    spaces: !head.includes(' ') ? 'none' : digits.length > 6 || tail !== '' ? 'certain' : 'single',
  };
}

type Readings = Pick<Numeral, 'grouped' | 'decimal' | 'disputed' | 'proved'>;

function readMarks(digits: readonly string[], marks: readonly string[], isSpaced: boolean): Readings {
  const last = marks.at(-1);
  if (last === undefined) return { grouped: digits.join('') };
  const fraction = digits.at(-1) ?? '';
  const whole = digits.slice(0, -1);
  const groupMarks = new Set(marks.slice(0, -1));
  const isDecimal =
    marks.length === 1 ||
    (!isSpaced && groupMarks.size === 1 && !groupMarks.has(last) && !groupMarks.has('٫') && areGroups(whole));
  const isGrouped = !isSpaced && last !== '٫' && new Set(marks).size === 1 && areGroups(digits);
  const decimal = isDecimal ? { decimal: `${whole.join('') || '0'}.${fraction}` } : {};
  const grouped = isGrouped ? { grouped: digits.join('') } : {};
  if (isDecimal && isGrouped) return { ...decimal, ...grouped, disputed: last as Mark };
  if (last === '٫' || !(isDecimal || isGrouped)) return { ...decimal, ...grouped };
  return { ...decimal, ...grouped, proved: isDecimal ? (last as Mark) : otherMark(last as Mark) };
}

/** Returns true for groups of three digits, or of two and a last one of three, as in India. */
function areGroups([first = '', ...others]: readonly string[]): boolean {
  if (!/^[1-9]\d{0,2}$/.test(first) || others.at(-1)?.length !== 3) return false;
  const middle = others.slice(0, -1);
  return (
    middle.every(({ length }) => length === 3) ||
    (first.length < 3 && middle.every(({ length }) => length === 2))
  );
}

function withDecimalMark(readings: Readings, mark: Mark, marks: readonly string[]): Readings {
  const { grouped } = readings;
  return grouped === undefined || marks.includes(mark) ? {} : { grouped, proved: mark };
}

/** Returns the mark that separates groups where the given one is the decimal mark, and the other way round. */
export function otherMark(mark: Mark): Mark {
  return mark === '.' ? ',' : '.';
}

/** A number in a text, with its readings. */
export interface FoundNumber extends Numeral {
  readonly start: number;
  readonly end: number;
  readonly isNegative: boolean;
}

/** Start of a number: a digit, or a decimal mark before one, except inside of words and behind an ellipsis. */
const START = /(?:(?<![^\s\p{Sc}([{:=+~-])|(?<=\p{Sc}\.))[.,٫](?=\d)|\d/gu;

/** Digits, with groups of three behind spaces or apostrophes; then the digits behind each `.` or `,`. */
const NUMERAL =
  /((?:[1-9]\d{0,2}(?:(?: \d{3}(?!\d))+|(?:\u00a0\d{3}(?!\d))+|(?:'\d{3}(?!\d))+))|\d*)((?:[.,٫]\d+){0,32})/y;

/** A sign, with nothing but a currency between it and the number, or in front of it. */
const SIGN =
  /(?:^|[^\p{L}\d)\]%]|(?<!\p{L})(?:CHF|EUR|GBP|USD))([-+])(?:(?:\p{L}{0,3}\p{Sc}|[A-Z]{3}|kr\.?|Rp|R)[ \u00a0]?)?$/u;

/** Yields the numbers of a plain text in their order. */
export function* findNumbers(text: string): Generator<FoundNumber> {
  for (let from = 0; ; ) {
    START.lastIndex = from;
    const start = START.exec(text)?.index;
    if (start === undefined) return;
    NUMERAL.lastIndex = start;
    const [written = '', head = '', tail = ''] = NUMERAL.exec(text) ?? [];
    const end = start + written.length;
    const numeral = readNumeral(head, tail, text.slice(end, end + 2));
    yield { ...numeral, start, end, isNegative: isNegative(text, start) };
    from = end;
  }
}

function isNegative(text: string, start: number): boolean {
  // "-,99" is a German price of 0.99: the dash stands for zero.
  if (text[start] === ',') return false;
  return SIGN.exec(text.slice(Math.max(0, start - 10), start))?.[1] === '-';
}
