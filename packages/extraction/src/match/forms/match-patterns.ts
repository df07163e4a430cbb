import { createContext, Script } from 'node:vm';
import { AppError } from '@gleaner/contracts';

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
