/** A glob or a regular expression, as in `include` and `exclude` of a crawl. */
export type Pattern = string | { readonly regex: string };

/** Returns whether a URL without fragment matches a pattern of `include` or `exclude`. */
export function matchesPattern(pattern: Pattern, { href, pathname, search }: URL): boolean {
  if (typeof pattern !== 'string') return new RegExp(pattern.regex).test(href);
  return matchesGlob(pattern, /^https?:/i.test(pattern) ? href : pathname + search);
}

/** Compares a text with a glob from end to end: `*` stands for characters but `/`, and `**` for any. */
function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.split(/(\*{2,}|\*)/);
  let ends = new Set([0]);
  for (const part of parts) ends = new Set([...ends].flatMap((start) => endsOf(part, text, start)));
  return ends.has(text.length);
}

/** Returns the places where a part of a glob may end that begins at a place of the text. */
function endsOf(part: string, text: string, start: number): readonly number[] {
  if (!part.startsWith('*')) return text.startsWith(part, start) ? [start + part.length] : [];
  const slash = part === '*' ? text.indexOf('/', start) : -1;
  const last = slash < 0 ? text.length : slash;
  return Array.from({ length: last - start + 1 }, (_, index) => start + index);
}
