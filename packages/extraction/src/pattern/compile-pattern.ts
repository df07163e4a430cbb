import QuickLRU from 'quick-lru';
import { RE2JS, RE2JSException } from 're2js';
import type { Budget } from '../budget.ts';
import { SelectorError } from '../css/selector.ts';
import { estimateSize } from './estimate-size.ts';

const MAX_PATTERN_BYTES = 1024;

/** Largest size of one pattern: compiling takes microseconds for each unit, and matching up to as many steps a character. */
const MAX_PROGRAM_SIZE = 4000;

/** Compiled patterns of this thread: at least those of one request. */
const compiled = new QuickLRU<string, RE2JS>({ maxSize: 100 });

/** Returns the pattern (RE2 syntax, linear time), compiled once in each thread. Throws a SelectorError if it is not valid. */
export function compilePattern(source: string): RE2JS {
  const pattern = compiled.get(source) ?? compile(source);
  compiled.set(source, pattern);
  return pattern;
}

/** Returns the size of a pattern that is going to be compiled; 0 for one that is rejected before that. */
export function compileCost(source: string): number {
  const size = Buffer.byteLength(source) > MAX_PATTERN_BYTES ? 0 : estimateSize(source);
  return size > MAX_PROGRAM_SIZE ? 0 : size;
}

function compile(source: string): RE2JS {
  if (Buffer.byteLength(source) > MAX_PATTERN_BYTES) {
    throw new SelectorError(`"pattern" must have at most ${MAX_PATTERN_BYTES} bytes.`);
  }
  if (estimateSize(source) > MAX_PROGRAM_SIZE) throw tooLarge();
  try {
    const pattern = RE2JS.compile(source);
    if (pattern.programSize() > MAX_PROGRAM_SIZE) throw tooLarge();
    return pattern;
  } catch (error) {
    if (error instanceof RE2JSException) throw invalidPattern(source, error);
    throw error;
  }
}

function tooLarge(): SelectorError {
  return new SelectorError(
    '"pattern" is too large: lower its repetition counts, such as {1,500}, or use fewer classes such as \\p{L}.',
  );
}

/** Syntax of other engines that RE2 does not have, with its name. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [
    /\(\?<?[=!]/,
    'look-around such as (?=…) or (?<!…): match the text around the value, and put the value in a group',
  ],
  [/\\[1-9]|\\k</, 'backreferences such as \\1'],
  [
    /\(\?>|[*+?}]\+/,
    'atomic groups and possessive quantifiers: nothing backtracks, so a plain one does the same',
  ],
  [/^\/.+\/[dgimsuvy]*$/, 'delimiters: leave out the slashes, and write flags as (?i)'],
];

function invalidPattern(source: string, { message }: RE2JSException): SelectorError {
  const known = UNSUPPORTED.find(([syntax]) => syntax.test(source));
  const reason = message.replace(/^error parsing regexp: /, '');
  const problem = known ? `RE2 syntax has no ${known[1]}` : reason;
  return new SelectorError(`"pattern" is not a regular expression in RE2 syntax: ${problem}.`);
}

/** Characters of a text that a pattern reads. */
const MAX_TEXT_CHARS = 64 * 1024;

/** Steps for each character: some for finding a state, and more where many instructions run at once. */
const STEPS_PER_CHAR = 2;
const STEPS_PER_INSTRUCTION = 1.5;
/** Most instructions of a program that run at once, as far as they are counted in full. */
const MOST_AT_ONCE = 60;
const INSTRUCTIONS_PER_STEP = 6;

/**
 * Returns the first group of the first match, or the whole match if the pattern has no group; null without a match, and
 * for a group that takes no part in it. Reads the first 64 KiB of the text.
 */
export function findPattern(source: string, text: string, budget: Budget): string | null {
  const pattern = compilePattern(source);
  const input = text.slice(0, MAX_TEXT_CHARS);
  const stepsPerChar = STEPS_PER_CHAR + stepsOfInstructions(pattern.programSize());
  budget.spend(1 + Math.ceil(input.length * stepsPerChar));
  const matcher = pattern.matcher(input);
  if (!matcher.find()) return null;
  const found = matcher.group(pattern.groupCount() > 0 ? 1 : 0);
  return found === null ? null : detach(found, input);
}

function stepsOfInstructions(size: number): number {
  return (
    Math.min(size, MOST_AT_ONCE) * STEPS_PER_INSTRUCTION +
    Math.max(0, size - MOST_AT_ONCE) / INSTRUCTIONS_PER_STEP
  );
}

/** Length of a text that may stay in memory for a part of it. */
const MAX_KEPT_CHARS = 1024;

/** Returns a part of a text as a text of its own: V8 would keep all of a long text in memory for it. */
function detach(part: string, whole: string): string {
  if (whole.length <= MAX_KEPT_CHARS) return part;
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
