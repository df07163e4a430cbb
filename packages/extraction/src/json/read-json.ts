import type { Budget } from '../budget.ts';
import { relaxJson } from './relax-json.ts';
import type { JsonValue } from './visit-json.ts';

/** A value of JSON, or a sentence that explains why the text is not JSON. */
export type JsonReading =
  | {
      readonly value: JsonValue;
      /** Numbers that JavaScript cannot keep exactly: in the value, they are texts. */
      readonly inexact?: ReadonlySet<string>;
    }
  | { readonly problem: string };

/** Limit on nested arrays and objects, below which `JSON.stringify` and the parsers of other languages do not fail. */
const MAX_DEPTH = 512;

/**
 * Parses JSON as the standard defines it, else as pages write it: with comments, comment and CDATA markers around it, commas
 * before a closing bracket, and control characters and escapes of JavaScript in strings. Member names are plain data, `__proto__` too. Throws
 * UNSUPPORTED_CONTENT when over the budget.
 */
export function readJson(text: string, budget: Budget): JsonReading {
  const strict = parseStrict(text, budget);
  if (!('syntaxError' in strict)) return strict;
  if (text.trim() === '') return { problem: 'The text is empty, which is not JSON.' };
  const relaxed = relaxJson(text, budget);
  if (relaxed === text) return { problem: `The text is not JSON: ${strict.syntaxError}.` };
  const lenient = parseStrict(relaxed, budget);
  if (!('syntaxError' in lenient)) return lenient;
  return { problem: `The text is not JSON, even without its comments: ${lenient.syntaxError}.` };
}

function parseStrict(text: string, budget: Budget): JsonReading | { readonly syntaxError: string } {
  budget.spend(1 + (text.length >> 2));
  if (payForContainers(text, budget) > MAX_DEPTH) {
    return { problem: `The JSON is nested more than ${MAX_DEPTH} levels deep.` };
  }
  try {
    return MAY_BE_INEXACT.test(text) || HALF_OF_PAIR.test(text)
      ? parseExactly(text)
      : { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    budget.spend(STEPS_PER_ERROR);
    return { syntaxError: error.message };
  }
}

/** Matches numbers, and a few texts, that are long or have a large exponent. */
const MAY_BE_INEXACT = /(?<![\w.])(?:\d[\d.]{15,}|[\d.]+[eE][-+]?\d{2})/;

/** Matches escapes of surrogates, which need not come in pairs. */
const HALF_OF_PAIR = /\\u[dD][89a-fA-F]/;

type Reviver = (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue;

function parseExactly(text: string): JsonReading {
  const inexact = new Set<string>();
  const revive: Reviver = (_key, value, { source }) => {
    if (typeof value === 'string') return value.toWellFormed();
    if (typeof value !== 'number' || source === undefined || keepsDigits(source)) return value;
    inexact.add(source);
    return source;
  };
  return { value: JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]), inexact };
}

const LITERAL = /^-?(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;
/** Every literal of so few digits is kept. */
const SAFE_DIGITS = 15;
/** Most digits that `toExponential` writes. */
const MAX_DIGITS = 100;

/** Returns true if a number of JavaScript has all digits of the decimal literal. */
export function keepsDigits(literal: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = LITERAL.exec(literal) ?? [];
  const written = whole + fraction;
  if (written.length <= SAFE_DIGITS && exponent === '0') return true;
  const significant = written.replace(/^0+/, '');
  const digits = withoutZerosAtEnd(significant);
  if (digits === '') return true;
  if (digits.length > MAX_DIGITS) return false;
  const power = Number(exponent) + whole.length - (written.length - significant.length) - 1;
  return Math.abs(Number(literal)).toExponential(digits.length - 1) === scientific(digits, power);
}

function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function scientific(digits: string, power: number): string {
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${mantissa}e${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

/** Steps of creating an error, which is slow next to short texts. */
const STEPS_PER_ERROR = 512;

/** Steps of an array and of an object: an empty one takes much more memory than its two characters. */
const STEPS_PER_ARRAY = 32;
const STEPS_PER_OBJECT = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Pays for the arrays and objects before they are created. Returns the depth of the deepest one, or one above the limit. */
function payForContainers(text: string, budget: Budget): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= MAX_DEPTH; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      budget.spend(unit === OPEN_BRACE ? STEPS_PER_OBJECT : STEPS_PER_ARRAY);
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) {
      depth--;
    }
  }
  return deepest;
}

/** Returns the position of the quotation mark that ends the string, or the length of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
