/** Texts that pages repeat are short, and few of them differ. */
const MAX_CHARS = 64;
const MAX_TEXTS = 4096;

/** Gives back an equal text that it saw before, so that a page of 200,000 equal class names keeps one of them. */
export type Intern = (text: string) => string;

/** Starts without any text; what it keeps lives as long as it does. */
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
