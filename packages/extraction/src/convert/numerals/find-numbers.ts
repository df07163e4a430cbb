import { type Numeral, readNumeral } from './numeral.ts';

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
