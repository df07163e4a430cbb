/**
 * Returns about how many instructions a pattern compiles to, without compiling it: a repetition such as `(ab){1000}` makes
 * a short pattern large. One pass; syntax errors are left to the compiler.
 */
export function estimateSize(source: string): number {
  const groups: Group[] = [{ size: 0, last: 0 }];
  for (const [part] of source.matchAll(PART)) {
    const group = groups.at(-1) as Group;
    if (part === '(') groups.push({ size: 0, last: 0 });
    else if (part === ')' && groups.length > 1) close(groups);
    else if (COUNTS.test(part)) repeat(group, part);
    else append(group, part.startsWith('\\Q') ? part.length : 1);
  }
  while (groups.length > 1) close(groups);
  return groups[0]?.size ?? 0;
}

/** Sizes of an open group: all of it, and its last part, which a repetition multiplies. */
interface Group {
  size: number;
  last: number;
}

/** A part of a pattern: quoted text, an escape, a class, a repetition with counts, or a character. */
const PART = /\\Q.*?(?:\\E|$)|\\p\{[^}]*\}?|\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\\\]])*\]?|\{\d+(?:,\d*)?\}|./gis;

const COUNTS = /^\{\d/;

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
