import { domainToASCII } from 'node:url';
import { createContext, Script } from 'node:vm';
import { AppError } from '@gleaner/contracts';
import { attributeOf, type Node } from '../../dom/node.ts';
import { has } from './form-control.ts';

const TEXT_TYPES = new Set(['text', 'search', 'tel', 'password', 'url', 'email']);

/** Returns true for input types with a line of text as value: `pattern` applies to them. */
export function isTextType(type: string): boolean {
  return TEXT_TYPES.has(type);
}

/** Returns the sanitized value of an input of a text type. HTML §4.10.5.1. */
export function textValueOf(input: Node, type: string): string {
  const line = (attributeOf(input, 'value') ?? '').replace(/[\r\n]/g, '');
  if (type === 'url') return trim(line);
  return type === 'email' ? addressesIn(input, line).join(',') : line;
}

/** Returns the values that `pattern` must match: each address of a list separately. */
export function patternedValues(input: Node, type: string, value: string): string[] {
  return type === 'email' ? addressesIn(input, value) : [value];
}

/** Returns true if the value of a URL or e-mail input is not valid for its type. */
export function isMistyped(input: Node, type: string, value: string): boolean {
  if (value === '') return false;
  if (type === 'url') return !URL.canParse(value);
  return type === 'email' && !addressesIn(input, value).every(isAddress);
}

function addressesIn(input: Node, value: string): string[] {
  return has(input, 'multiple') ? value.split(',').map(trim) : [trim(value)];
}

/** Strips ASCII white space from both ends in linear time, since pages may contain megabytes of it. */
function trim(text: string): string {
  return /[^\t\n\f\r ](?:[\s\S]*[^\t\n\f\r ])?/.exec(text)?.[0] ?? '';
}

/** Valid e-mail address, with the domain in ASCII. HTML §4.10.5.1.5. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const NOT_ASCII = /[^\0-\x7f]/;

function isAddress(text: string): boolean {
  if (!NOT_ASCII.test(text)) return ADDRESS.test(text);
  const at = text.indexOf('@');
  return ADDRESS.test(text.slice(0, at + 1) + domainToASCII(text.slice(at + 1)));
}

/** A `pattern` attribute and the values that it must match. */
export interface PatternCheck {
  readonly pattern: string;
  readonly values: readonly string[];
}

/** Time limit for all patterns of a page; real ones take microseconds. */
const MATCH_WITHIN_MS = 500;

/** Matches all patterns; one that is not a valid regular expression accepts every value. HTML §4.10.5.3.6. */
const MATCH_ALL = new Script(`checks.map(({ pattern, values }) => {
  try {
    new RegExp(pattern, 'v');
  } catch {
    return true;
  }
  try {
    const whole = new RegExp('^(?:' + pattern + ')$', 'v');
    return values.every((value) => whole.test(value));
  } catch {
    return false;
  }
})`);

/**
 * Returns the result of each check. The expressions come from the page and may never finish, so they run in a context that
 * can be stopped. Throws UNSUPPORTED_CONTENT at the time limit.
 */
export function matchPatterns(checks: readonly PatternCheck[]): boolean[] {
  if (checks.length === 0) return [];
  try {
    return [...MATCH_ALL.runInContext(createContext({ checks }), { timeout: MATCH_WITHIN_MS })];
  } catch (cause) {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: `The page has \`pattern\` attributes that take over ${MATCH_WITHIN_MS} ms to match, and :valid and :invalid depend on them.`,
      suggestion: 'Select by attributes, such as [required] or [pattern], instead of :valid and :invalid.',
      cause,
    });
  }
}
