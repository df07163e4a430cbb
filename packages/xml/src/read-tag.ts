/** A start tag. */
export interface Tag {
  readonly name: string;
  /** Names and values as they are written; of names that are given twice, the first is kept. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  /** Position behind the tag. */
  readonly end: number;
}

const NAME = /<([\p{L}_:][^\s/>=<"'&]*)/uy;
const BETWEEN = /[\s=&"'/]*/y;
/** A value is quoted, or ends at white space and before the end of the tag; it may be missing. */
const ATTRIBUTE = /([^\s/>=<"'&]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|((?:[^\s"'<>/]|\/(?!>))+)))?/y;
const OPEN_QUOTE = /\s*=\s*["']/y;

/** Text up to a position instead of a tag, or the start of a tag or of a value in quotes that does not end. */
export type NoTag = { readonly textEnd: number } | 'incomplete';

/**
 * Reads the start tag at a position. A less-than sign begins a tag if a name follows and a greater-than sign comes before the
 * next one outside of quotes; otherwise all until there is text.
 */
export function readTag(text: string, start: number): Tag | NoTag {
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[1];
  if (name === undefined) return { textEnd: start + 1 };
  const attributes = new Map<string, string>();
  for (let at = start + 1 + name.length; ; ) {
    const next = after(BETWEEN, text, at);
    if (next >= text.length) return 'incomplete';
    if (text[next] === '<') return { textEnd: next };
    if (text[next] === '>') return { name, attributes, isEmpty: text[next - 1] === '/', end: next + 1 };
    ATTRIBUTE.lastIndex = next;
    const [, key = '', double, single, bare] = ATTRIBUTE.exec(text) ?? [];
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
    at = ATTRIBUTE.lastIndex;
    if (after(OPEN_QUOTE, text, at) > at) return 'incomplete';
  }
}

/** Returns the end of what an expression matches at a position, or the position. */
export function after(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}
