import { closest, distance } from 'fastest-levenshtein';

/** Returns the known name that was probably meant, or undefined if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const nearest = closest(name, known);
  const edits = distance(name, nearest);
  return edits < name.length && edits <= Math.max(2, nearest.length / 3) ? nearest : undefined;
}
