/** The attributes of a tag and its end, undefined when the text ends first. */
export interface ReadAttributes {
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number | undefined;
}

const SPACE = /[\t\n\f\r ]/;
const SPACE_OR_SLASH = /[\t\n\f\r /]/;

/** Reads the attributes after a tag's name, in a text in lower case (https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing). */
export function readAttributes(text: string, from: number): ReadAttributes {
  const attributes = new Map<string, string>();
  let position = from;
  for (;;) {
    position = skip(text, position, SPACE_OR_SLASH);
    if (position >= text.length) return { attributes, end: undefined };
    if (text[position] === '>') return { attributes, end: position + 1 };
    const name = readName(text, position);
    const { value, end } = readValue(text, name.end);
    if (end >= text.length) return { attributes, end: undefined };
    // The first of two equal names counts.
    if (!attributes.has(name.text)) attributes.set(name.text, value);
    position = end;
  }
}

/** Reads a name, which may begin with an equals sign and ends before the next one. */
function readName(text: string, from: number): { text: string; end: number } {
  const end = until(text, from + 1, /[\t\n\f\r /=>]/);
  return { text: text.slice(from, end), end };
}

function readValue(text: string, from: number): { value: string; end: number } {
  const equals = skip(text, from, SPACE);
  if (text[equals] !== '=') return { value: '', end: equals };
  const start = skip(text, equals + 1, SPACE);
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, start + 1);
    const end = close === -1 ? text.length : close;
    return { value: text.slice(start + 1, end), end: end + 1 };
  }
  const end = until(text, start, /[\t\n\f\r >]/);
  return { value: text.slice(start, end), end };
}

function skip(text: string, from: number, characters: RegExp): number {
  let position = from;
  while (position < text.length && characters.test(text[position] ?? '')) position += 1;
  return position;
}

function until(text: string, from: number, characters: RegExp): number {
  let position = from;
  while (position < text.length && !characters.test(text[position] ?? '')) position += 1;
  return position;
}
