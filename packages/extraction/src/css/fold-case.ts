/** ASCII letters in lower case; other letters keep their case, as browsers compare names and values. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
