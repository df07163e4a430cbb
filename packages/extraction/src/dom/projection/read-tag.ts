import { decodeHTMLAttribute } from 'entities/decode';
import type { Token } from 'parse5';
import { foldCase } from '../../css/code-points.ts';

/** Rest of a tag after its name. */
export interface TagRest {
  /** Position of the `>`. */
  readonly end: number;
  readonly isSelfClosing: boolean;
  /** The wanted attributes. */
  readonly attributes: Token.Attribute[];
}

const [SPACE, TAB, LINE_FEED, FORM_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0c, 0x0d] as const;
const [QUOTE, APOSTROPHE, SLASH, EQUALS, END] = [0x22, 0x27, 0x2f, 0x3d, 0x3e] as const;
/** Characters of values that the tokenizer replaces, beside references. */
const REPLACED = /[\0\r]/;

const NO_ATTRIBUTES: ReadonlySet<string> = new Set();

/**
 * Reads a tag from the end of its name as the tokenizer does (HTML §13.2.5.32–40), but skips the values of attributes that
 * are not wanted. Null leaves the tag to the tokenizer: one that has no end, or whose wanted attributes hold characters
 * that are replaced.
 */
export function readTag(
  source: string,
  start: number,
  wanted: ReadonlySet<string> = NO_ATTRIBUTES,
): TagRest | null {
  const attributes: Token.Attribute[] = [];
  let at = start;
  for (;;) {
    at = skipSpace(source, at);
    const code = source.charCodeAt(at);
    if (code === END) return { end: at, isSelfClosing: false, attributes };
    if (code === SLASH) {
      if (source.charCodeAt(at + 1) === END) return { end: at + 1, isSelfClosing: true, attributes };
      at += 1;
      continue;
    }
    const nameEnd = endOfName(source, at);
    if (nameEnd >= source.length) return null;
    const valueStart = startOfValue(source, nameEnd);
    const quote = valueStart < 0 ? 0 : source.charCodeAt(valueStart);
    const isQuoted = quote === QUOTE || quote === APOSTROPHE;
    const from = isQuoted ? valueStart + 1 : valueStart;
    const to = valueStart < 0 ? -1 : endOfValue(source, from, isQuoted ? quote : 0);
    if (to >= source.length) return null;
    if (wanted.size > 0) {
      const value = valueStart < 0 ? '' : source.slice(from, to);
      if (!keepAttribute(source.slice(at, nameEnd), value, { wanted, attributes })) return null;
    }
    if (valueStart < 0) at = nameEnd;
    else at = isQuoted ? to + 1 : to;
  }
}

function skipSpace(source: string, start: number): number {
  let at = start;
  while (isSpace(source.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB || code === RETURN || code === FORM_FEED;
}

/** Returns the end of the name that starts here; an equals sign may be its first character. */
function endOfName(source: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code === EQUALS || code === END || code === SLASH || isSpace(code) || Number.isNaN(code)) return at;
    at++;
  }
}

/** Returns the start of the value behind a name, or -1 if it has none. */
function startOfValue(source: string, nameEnd: number): number {
  const equals = skipSpace(source, nameEnd);
  if (source.charCodeAt(equals) !== EQUALS) return -1;
  return skipSpace(source, equals + 1);
}

/** Returns the end of a value; the length of the source or more if it has none. */
function endOfValue(source: string, from: number, quote: number): number {
  if (quote !== 0) {
    const end = source.indexOf(quote === QUOTE ? '"' : "'", from);
    return end < 0 ? source.length : end;
  }
  let at = from;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code === END || isSpace(code) || Number.isNaN(code)) return at;
    at++;
  }
}

interface Wanted {
  readonly wanted: ReadonlySet<string>;
  readonly attributes: Token.Attribute[];
}

/** Adds an attribute if it is wanted and the first of its name; returns false if it has to be left to the tokenizer. */
function keepAttribute(rawName: string, value: string, { wanted, attributes }: Wanted): boolean {
  const name = foldCase(rawName);
  if (!wanted.has(name)) return !name.includes(':') && !name.includes('\0');
  if (REPLACED.test(value)) return false;
  if (!attributes.some((attribute) => attribute.name === name))
    attributes.push({ name, value: value.includes('&') ? decodeHTMLAttribute(value) : value });
  return true;
}
