import { quote } from '../quote.ts';

/** Numbers of seconds or milliseconds since 1970. */
const UNIX_TIME = /^\s*-?\d{10}(?:\d{3})?\s*$/;

const RELATIVE =
  /\b(?:ago|yesterday|today|tomorrow|just now|(?:last|next) (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|in \d+ (?:minutes?|hours?|days?|weeks?|months?|years?))\b/i;

/** Texts longer than this are not looked through for words. */
const MAX_SEARCHED_CHARS = 256;

/** Returns a sentence that explains why a text has no date. */
export function explainMissingDate(text: string): string {
  if (UNIX_TIME.test(text.slice(0, MAX_SEARCHED_CHARS)))
    return `${quote(text)} is a number, not a date. Take Unix time with type "number".`;
  if (RELATIVE.test(text.slice(0, MAX_SEARCHED_CHARS)))
    return `${quote(text)} is a relative date. Relative dates are not supported: select an absolute one, such as the "datetime" attribute of a <time> element.`;
  return `${quote(text)} contains no complete date.`;
}
