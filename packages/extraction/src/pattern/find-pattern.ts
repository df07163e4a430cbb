import type { Budget } from '../budget.ts';
import { compilePattern } from './compile-pattern.ts';

/** Characters of a text that a pattern reads. */
const MAX_TEXT_CHARS = 64 * 1024;

/** Steps for each character: some for finding a state, and more where all instructions of a large program may run. */
const STEPS_PER_CHAR = 2;
const INSTRUCTIONS_PER_STEP = 6;

/**
 * Returns the first group of the first match, or the whole match if the pattern has no group; null without a match, and
 * for a group that takes no part in it. Reads the first 64 KiB of the text.
 */
export function findPattern(source: string, text: string, budget: Budget): string | null {
  const pattern = compilePattern(source);
  const input = text.slice(0, MAX_TEXT_CHARS);
  const stepsPerChar = STEPS_PER_CHAR + pattern.programSize() / INSTRUCTIONS_PER_STEP;
  budget.spend(1 + Math.ceil(input.length * stepsPerChar));
  const matcher = pattern.matcher(input);
  if (!matcher.find()) return null;
  const found = matcher.group(pattern.groupCount() > 0 ? 1 : 0);
  return found === null ? null : detach(found, input);
}

/** Length of a text that may stay in memory for a part of it. */
const MAX_KEPT_CHARS = 1024;

/** Returns a part of a text as a text of its own: V8 would keep all of a long text in memory for it. */
function detach(part: string, whole: string): string {
  if (whole.length <= MAX_KEPT_CHARS) return part;
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
