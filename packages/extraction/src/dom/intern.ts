/** Limits on the kept texts: those that pages repeat are short and few. */
const MAX_CHARS = 64;
const MAX_TEXTS = 4096;

/** Returns an equal text seen earlier, so that a page with many equal class names keeps only one of them. */
export type Intern = (text: string) => string;

/** Creates an empty intern table; texts are kept as long as the function is. */
export function createIntern(): Intern {
  const texts = new Map<string, string>();
  return (text) => {
    if (text.length > MAX_CHARS) return text;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size < MAX_TEXTS) texts.set(text, text);
    return text;
  };
}
