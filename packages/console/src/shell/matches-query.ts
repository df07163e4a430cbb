/** Returns true when every word of the query begins a word of the text. */
export function matchesQuery(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)));
}
