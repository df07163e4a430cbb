/** Returns the URLs of a text with one on each line. */
export function urlsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
