import type { RuleValue } from '@gleaner/contracts';
import { hashOf, isNothing } from '../canonical.ts';

/** Length of the longest text that is kept whole, and of the kept beginning of a longer one. */
const MAX_WHOLE = 200;
const KEPT = 80;
/** Mark of what was cut, before the hash of the whole. */
const CUT = /…#\d+$/;

/** Returns a value in the form in which rules keep and compare it: a long one by its beginning and a hash. */
export function encodeValue(value: unknown): RuleValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (isNothing(value)) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_WHOLE ? text : `${text.slice(0, KEPT).toWellFormed()}…#${hashOf(text)}`;
}

/** Returns an encoded value as people read it. */
export function showValue(value: RuleValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'string' ? value.replace(CUT, '…') : String(value);
}
