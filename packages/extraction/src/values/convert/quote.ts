import { cutText } from '@gleaner/contracts';

const MAX_QUOTED_CHARS = 80;

/** Returns a text of a page in quotation marks for a sentence: on one line, cut at 80 characters. */
export function quote(text: string): string {
  const line = text
    .slice(0, 4 * MAX_QUOTED_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_QUOTED_CHARS) return `"${line.toWellFormed()}"`;
  return `"${cutText(line, MAX_QUOTED_CHARS - 1).toWellFormed()}…"`;
}
