import { keepsDigits } from '../json/read-json.ts';
import { type ConversionContext, type ConversionOptions, quote } from './conversion.ts';
import {
  type Conventions,
  chooseReading,
  conventionOf,
  type Doubt,
  type NumberStyle,
  provedConvention,
  supportedLocale,
} from './numerals/choose-reading.ts';
import type { FoundNumber } from './numerals/numeral.ts';
import { toPlainText } from './numerals/plain-text.ts';
import { type Ending, readEnding } from './numerals/read-ending.ts';

/** Characters of a text that are looked at. */
const MAX_CHARS = 64 * 1024;

/** Longer numbers are not converted. */
const MAX_DIGITS = 100;

/** A text of a page, and the form in which its numbers are found. */
export interface Source {
  readonly text: string;
  readonly plain: string;
  readonly isCut: boolean;
}

/** A number of a text: its value, or a sentence that explains why there is none. */
export type Amount =
  | {
      /** Its digits as text if JavaScript would round them. */
      readonly value: number | string;
      readonly inexact?: string;
      /** True if the text writes no other digit than zero behind the decimal mark. */
      readonly isInteger: boolean;
      /** True if the last three digits are decimals here, but would be a group in another convention. */
      readonly isGroupLike: boolean;
      /** True if only the rule for undecided texts took the last three digits for a group. */
      readonly isUndecided: boolean;
      readonly ambiguity?: string | undefined;
    }
  | { readonly problem: string };

/** Locales and conventions that hold for all texts of a field. */
export interface FieldConventions extends Conventions {
  /** Locales whose words may follow a number; the first one decided about separators. */
  readonly locales: readonly string[];
  readonly requestedTag: string | undefined;
}

/** A minus sign and a space before a number. A dash instead may start an item of a list. */
const SPACED_MINUS = /(?<![\p{L}\p{N})\]%]\s?)\u2212\s(?=[\p{Sc}\d.,])/gu;

/** Cost of finding and reading a number, besides the characters around it. */
const STEPS_PER_AMOUNT = 150;

/** Prepares a text, and pays for the work on it. */
export function readSource(text: string, { budget }: ConversionContext): Source {
  const isCut = text.length > MAX_CHARS;
  const seen = isCut ? text.slice(0, MAX_CHARS) : text;
  // Characters beyond ASCII are looked up one by one.
  budget.spend(STEPS_PER_AMOUNT + 2 * seen.length + 8 * (Buffer.byteLength(seen) - seen.length));
  return { text: seen, plain: toPlainText(seen.replace(SPACED_MINUS, '-')), isCut };
}

/** Locale of a field: the requested one, else the language of the page. */
export interface FieldLocale {
  readonly requestedTag: string | undefined;
  readonly pageTag: string | undefined;
  /** The tag in canonical form, if ICU has data for it. */
  readonly supported: string | undefined;
}

/** Returns the locale of a field. */
export function fieldLocale({ locale }: ConversionOptions, { language }: ConversionContext): FieldLocale {
  const pageTag = locale === undefined ? language() : undefined;
  return { requestedTag: locale, pageTag, supported: supportedLocale(locale ?? pageTag ?? '') };
}

/** Returns the conventions of a field: of the requested locale, of the field's own numbers, of the page's language. */
export function fieldConventions(
  numbers: readonly (FoundNumber | undefined)[],
  style: NumberStyle,
  { requestedTag, pageTag, supported }: FieldLocale,
): FieldConventions {
  return {
    requested: requestedTag === undefined ? undefined : conventionOf(requestedTag, style),
    page: pageTag === undefined ? undefined : conventionOf(pageTag, style),
    proved: provedConvention(numbers.filter((number) => number !== undefined)),
    locales: supported === undefined || supported === 'en' ? ['en'] : [supported, 'en'],
    requestedTag,
  };
}

/** Reads a number found in a text. The text after it, up to `until`, may change its meaning. */
export function readAmount(
  source: Source,
  number: FoundNumber | undefined,
  field: FieldConventions,
  until = Number.POSITIVE_INFINITY,
): Amount {
  const { text, plain, isCut } = source;
  if (number === undefined) return { problem: `${quote(text)} contains no number.` };
  if (isCut && number.end === plain.length) return { problem: `${quote(text)} is too long for a number.` };
  const ending = readEnding(plain.slice(number.end, Math.min(number.end + 40, until)), field.locales);
  if (ending.kind === 'exponent') return readScientific(source, number, ending.literal);
  if (ending.kind === 'compact')
    return { problem: `${quote(text)} is abbreviated ("${ending.word}"): ${TAKE_STRING}` };
  if (ending.kind === 'formula') {
    return { problem: `${quote(text)} contains a fraction or a power of ten: ${TAKE_STRING}` };
  }
  const chosen = chooseReading(number, field);
  if (chosen === undefined) {
    return { problem: `${quote(text)} is not converted: the separators between its digits fit no number.` };
  }
  if (chosen.literal.length > MAX_DIGITS)
    return { problem: `${quote(text)} has too many digits: ${TAKE_STRING}` };
  const kept = keep(chosen.literal, number, text);
  const { value } = kept;
  const alternative =
    chosen.alternative === undefined ? undefined : signed(Number(chosen.alternative), number);
  return {
    ...kept,
    isInteger: /^\d+(?:\.0*)?$/.test(chosen.literal),
    isGroupLike: chosen.alternative === number.grouped && alternative !== undefined && !chosen.isRequested,
    isUndecided: chosen.doubt === 'undecided',
    ambiguity:
      explainDoubt(chosen.doubt, ending, { text, value, alternative, field }) ??
      explainRaised(source, number, value),
  };
}

const RAISED = /^[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b]/;

/** Explains that a raised figure just behind the number, such as small cents or an exponent, was left out. */
function explainRaised(
  { text, plain }: Source,
  { end }: FoundNumber,
  value: number | string,
): string | undefined {
  if (!RAISED.test(plain.charAt(end))) return undefined;
  return `${quote(text)} was read as ${value}, without the raised figures behind it, which may be cents, an exponent or a note: set "pattern" to decide.`;
}

const TAKE_STRING = 'take it as a string.';

function signed(value: number, { isNegative }: FoundNumber): number {
  return isNegative && value !== 0 ? -value : value;
}

/** Returns the number that a literal stands for, or its digits with a warning if they would be lost. */
function keep(
  literal: string,
  found: FoundNumber,
  text: string,
): { readonly value: number | string; readonly inexact?: string } {
  if (keepsDigits(literal)) return { value: signed(Number(literal), found) };
  const inexact = `${quote(text)} is kept as text, because a number would lose some of its digits.`;
  return { value: `${found.isNegative ? '-' : ''}${literal}`, inexact };
}

/** Reads `1.5e-3`, whose separator is the decimal mark. */
function readScientific({ text, plain }: Source, number: FoundNumber, exponent: string): Amount {
  const digits = plain.slice(number.start, number.end);
  const literal = /^\d+$/.test(digits) ? number.grouped : number.decimal;
  if (literal === undefined || /[ \u00a0']/.test(digits)) {
    return { problem: `${quote(text)} groups the digits of a number in scientific notation: ${TAKE_STRING}` };
  }
  if (literal.length > MAX_DIGITS) return { problem: `${quote(text)} has too many digits: ${TAKE_STRING}` };
  const kept = keep(literal + exponent.toLowerCase(), number, text);
  const isInteger = typeof kept.value === 'number' ? Number.isInteger(kept.value) : !exponent.includes('-');
  return { ...kept, isInteger, isGroupLike: false, isUndecided: false };
}

interface Reading {
  readonly text: string;
  readonly value: number | string;
  readonly alternative: number | undefined;
  readonly field: FieldConventions;
}

function explainDoubt(
  doubt: Doubt | undefined,
  ending: Ending,
  { text, value, alternative, field }: Reading,
): string | undefined {
  if (doubt === undefined && ending.kind !== 'maybe compact') return undefined;
  const read = `${quote(text)} was read as ${value}`;
  if (doubt !== undefined) {
    const reasons: Record<Doubt, string> = {
      undecided: `${read}, but may be ${alternative}: set "locale" to decide.`,
      'contradicts locale': `${read}, but "${field.requestedTag}" writes numbers in another way: check "locale".`,
      'contradicts values': `${read}, but may be ${alternative}, as other values and the locale disagree: set "locale" to decide.`,
      space: `${read}, but may be two numbers: set "locale" or "pattern" to decide.`,
    };
    return reasons[doubt];
  }
  if (ending.kind !== 'maybe compact') return undefined;
  return `${read}, but "${ending.word}" may stand for a multiple: set "pattern" to leave it out.`;
}
