import { cutText } from '@gleaner/contracts';

/** Longer names are cut: they are repeated in each record. */
export const MAX_NAME_CHARS = 256;

/**
 * Returns a name for each column: unlike all others, and fit for JSON and the database. Columns without a text are
 * `column_1`, `column_2` …, and repeated names end in `_2`, `_3` ….
 */
export function columnNames(texts: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return texts.map((text, index) => {
    const wanted = safeName(text) || `column_${index + 1}`;
    let name = wanted;
    for (let count = counts.get(wanted) ?? 1; taken.has(name); counts.set(wanted, count)) {
      name = `${wanted}_${++count}`;
    }
    taken.add(name);
    return name;
  });
}

/** Cuts a long name and changes what `findNameError` rejects. */
function safeName(text: string): string {
  const name = cutText(text, MAX_NAME_CHARS).toWellFormed().replaceAll('\0', '\uFFFD').trim();
  return name.startsWith('$') || name === '__proto__' ? `_${name}` : name;
}
