/**
 * Returns about how much work compiling a pattern is, without compiling it: an instruction counts one, which takes up to
 * three microseconds, and a class of Unicode or a folded range as many as take its time. A repetition such as `(ab){1000}`
 * makes a short pattern large. One pass; syntax errors are left to the compiler.
 */
export function estimateSize(source: string): number {
  const groups: Group[] = [{ size: 0, last: 0 }];
  const isFolded = FOLDS.test(source);
  let classes = 0;
  for (const [part] of source.matchAll(PART)) {
    const group = groups.at(-1) as Group;
    if (part === '(') groups.push({ size: 0, last: 0 });
    else if (part === ')' && groups.length > 1) close(groups);
    else if (COUNTS.test(part)) repeat(group, part);
    else append(group, part.startsWith('\\Q') ? part.length : 1);
    // Copies of a class share its ranges.
    if (/^(?:\[|\\p)/i.test(part)) classes += sizeOfClass(part, isFolded);
  }
  while (groups.length > 1) close(groups);
  return (groups[0]?.size ?? 0) + classes;
}

/** Sizes of an open group: all of it, and its last part, which a repetition multiplies. */
interface Group {
  size: number;
  last: number;
}

/** A part of a pattern: quoted text, an escape, a class, a repetition with counts, or a character. */
const PART =
  /\\Q.*?(?:\\E|$)|\\p(?:\{[^}]*\}?|.)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\\\]])*\]?|\{\d+(?:,\d*)?\}|./gisu;

const COUNTS = /^\{\d/;
const FOLDS = /\(\?[a-z]*i/i;

/** A class of Unicode, or the opposite of a class of Perl. */
const CLASS = /\\p(?:\{\^?([^}]*)\}?|(.))|\\[DSW]/gisu;
/** Those with the most ranges: letters, marks, and whether a character is assigned. */
const LARGE_CLASS = /^(?:L|Lu|Ll|Lo|L&|LC|M|Mn|C|Cn|.*Letter|.*Mark|Other|Unassigned|Assigned)$/i;
/** In brackets, the ranges of classes are sorted and merged. */
const CLASS_SIZES = { large: 150, small: 30 };
const SIZES_ALONE = { large: 25, small: 5 };

/** A range of characters, each perhaps escaped. */
const RANGE =
  /(\\x\{[\da-f]+\}|\\x[\da-f]{2}|\\[0-7]{1,3}|\\.|[^\\])-(?=(\\x\{[\da-f]+\}|\\x[\da-f]{2}|\\[0-7]{1,3}|\\.|[^\\]))/giu;

/** The first and the last character that have another case; each between them is looked up. */
const FIRST_FOLDED = 0x41;
const LAST_FOLDED = 0x1e943;
const FOLDED_PER_SIZE = 100;
const CHARS_PER_SIZE = 8;

function sizeOfClass(part: string, isFolded: boolean): number {
  const isInBrackets = part.startsWith('[');
  const sizes = isInBrackets ? CLASS_SIZES : SIZES_ALONE;
  let size = isInBrackets ? part.length / CHARS_PER_SIZE : 0;
  for (const [, name, letter] of part.matchAll(CLASS)) {
    size += LARGE_CLASS.test(name ?? letter ?? '') ? sizes.large : sizes.small;
  }
  if (!isFolded) return Math.floor(size);
  for (const [, first = '', last = ''] of part.matchAll(RANGE)) {
    const folded = Math.min(codePointOf(last), LAST_FOLDED) - Math.max(codePointOf(first), FIRST_FOLDED);
    size += Math.max(0, folded) / FOLDED_PER_SIZE;
  }
  return Math.floor(size);
}

function codePointOf(char: string): number {
  if (/^\\x/i.test(char)) return Number.parseInt(char.replace(/[^\da-f]/gi, ''), 16);
  if (/^\\\d/.test(char)) return Number.parseInt(char.slice(1), 8);
  return char.replace(/^\\(?=.)/su, '').codePointAt(0) ?? 0;
}

function append(group: Group, size: number): void {
  group.size += size;
  group.last = size;
}

function repeat(group: Group, counts: string): void {
  const times = Math.max(...(counts.match(/\d+/g) ?? []).map(Number), 1);
  const added = group.last * (times - 1);
  group.size += added;
  group.last += added;
}

function close(groups: Group[]): void {
  const closed = groups.pop();
  append(groups.at(-1) as Group, (closed?.size ?? 0) + 1);
}
