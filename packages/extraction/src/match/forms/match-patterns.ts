import { createContext, Script } from 'node:vm';
import { AppError } from '@gleaner/contracts';

/** A `pattern` attribute and the values that it has to match. */
export interface PatternCheck {
  readonly pattern: string;
  readonly values: readonly string[];
}

/** For all patterns of a page; those that people write take microseconds. */
const MATCH_WITHIN_MS = 500;

/** A pattern that is no regular expression holds nothing. HTML §4.10.5.3.6. */
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
 * Which of the checks hold. The expressions are the page's, and may take for ever: so they run where they can be
 * stopped. Throws UNSUPPORTED_CONTENT when they are.
 */
export function matchPatterns(checks: readonly PatternCheck[]): boolean[] {
  if (checks.length === 0) return [];
  try {
    return [...MATCH_ALL.runInContext(createContext({ checks }), { timeout: MATCH_WITHIN_MS })];
  } catch (cause) {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: `The page has \`pattern\` attributes that take over ${MATCH_WITHIN_MS} ms to match, and :valid and :invalid depend on them.`,
      suggestion: 'Select by attributes, such as [required] or [pattern], in place of :valid and :invalid.',
      cause,
    });
  }
}
