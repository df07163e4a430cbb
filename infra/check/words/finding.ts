/** Wording that is not allowed, and its replacement. */
export interface Finding {
  file: string;
  line: number;
  column: number;
  word: string;
  instead: string;
}

/** Returns the line and the column of an index, from 1. */
export function placeOf(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index);
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}
