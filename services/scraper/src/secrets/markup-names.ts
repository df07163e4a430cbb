import type { TextKind } from './redactor.ts';
import type { Match } from './secret-matcher.ts';

/** Attributes with names as values, which selectors and scripts look for. */
const OF_NAMES =
  /^(?:class|id|for|name|type|rel|role|lang|slot|part|headers|form|list|method|itemprop|itemtype|property|http-equiv|charset|data-testid|aria-(?:labelledby|describedby|controls|owns))$/i;

/** Elements whose content is not markup. */
const RAW = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext']);

type Part = 'text' | 'raw' | 'name' | 'value' | 'other';

/** A part of markup. */
interface Token {
  readonly part: Part;
  readonly end: number;
  /** Name of the attribute of a value. */
  readonly attribute?: string;
}

/**
 * Returns the kind of markup: a secret such as "main" is not replaced in names of elements and attributes, in classes and
 * their like, nor in keys of JSON in scripts.
 */
export function markupKind(source: string): TextKind {
  const scan = new MarkupScan(source);
  return {
    isKept(match) {
      if (!match.form.isName) return false;
      const { part, end, attribute = '' } = scan.tokenAt(match.start);
      if (part === 'name') return match.end <= end;
      return (part === 'value' && OF_NAMES.test(attribute)) || isKey(source, match);
    },
    write(match) {
      const isNumber = scan.tokenAt(match.start).part === 'raw' && isBareNumber(source, match);
      return isNumber ? '"[redacted]"' : '[redacted]';
    },
  };
}

/** Returns the kind of other texts, in which a secret such as "main" is not replaced in keys of JSON. */
export function plainKind(text: string): TextKind {
  return { isKept: (match) => match.form.isName && isKey(text, match) };
}

/** Longest key of JSON around a match. */
const MAX_KEY = 100;

/** Returns true for a match in a key of JSON, also of one that is escaped. */
function isKey(text: string, { start, end }: Match): boolean {
  const before = text.slice(Math.max(0, start - MAX_KEY), start);
  const after = text.slice(end, end + MAX_KEY);
  return /(?:"|&quot;)[\w.-]{0,90}$/.test(before) && /^[\w.-]{0,90}\\{0,3}(?:"|&quot;)\s{0,5}:/.test(after);
}

/** Returns true for a number of JSON or of a script. */
function isBareNumber(text: string, { start, end }: Match): boolean {
  if (!/^[\d.]+$/.test(text.slice(start, end))) return false;
  return (
    /[:[,=(]\s?$/.test(text.slice(Math.max(0, start - 2), start)) &&
    /^\s?[,\]};)]/.test(text.slice(end, end + 2))
  );
}

/** Reads markup from its beginning, once: places have to be asked for in their order. */
class MarkupScan {
  readonly #source: string;
  #token: Token = { part: 'text', end: 0 };
  /** Element of the tag that is being read; undefined between tags. */
  #tag: string | undefined;
  /** Attribute whose value comes next. */
  #attribute: string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the part that a place is in. */
  tokenAt(place: number): Token {
    while (this.#token.end <= place && this.#token.end < this.#source.length) {
      this.#token = this.#next(this.#token.end);
    }
    return this.#token;
  }

  #next(at: number): Token {
    if (this.#tag === undefined) return this.#nextOutside(at);
    return this.#attribute === undefined ? this.#nextInTag(at, this.#tag) : this.#value(at, this.#attribute);
  }

  #nextOutside(at: number): Token {
    const source = this.#source;
    if (source[at] !== '<') return { part: 'text', end: this.#find('<', at) };
    if (source.startsWith('<!--', at)) return { part: 'text', end: this.#find('-->', at + 4) };
    const name = readWhile(source, at + (source[at + 1] === '/' ? 2 : 1), NAME_END);
    if (!/^[a-z]/i.test(name)) return { part: 'text', end: at + 1 };
    const isEnd = source[at + 1] === '/';
    this.#tag = isEnd ? '' : name.toLowerCase();
    return { part: 'name', end: at + (isEnd ? 2 : 1) + name.length };
  }

  #nextInTag(at: number, tag: string): Token {
    const source = this.#source;
    if (source[at] === '>') {
      this.#tag = undefined;
      if (!RAW.has(tag) || source[at - 1] === '/') return { part: 'other', end: at + 1 };
      return { part: 'raw', end: this.#findEnd(tag, at + 1) };
    }
    const name = readWhile(source, at, ATTRIBUTE_END);
    if (name === '') return { part: 'other', end: at + 1 };
    if (source[at + name.length] === '=') this.#attribute = name;
    return { part: 'name', end: at + name.length };
  }

  #value(at: number, attribute: string): Token {
    const source = this.#source;
    this.#attribute = undefined;
    const quote = source[at + 1];
    const isQuoted = quote === '"' || quote === "'";
    const end = isQuoted
      ? this.#find(quote, at + 2) + 1
      : at + 1 + readWhile(source, at + 1, VALUE_END).length;
    return { part: 'value', end, attribute };
  }

  #find(text: string, from: number): number {
    const found = this.#source.indexOf(text, from);
    return found < 0 ? this.#source.length : found;
  }

  #findEnd(tag: string, from: number): number {
    const end = new RegExp(`</${tag}`, 'gi');
    end.lastIndex = from;
    return end.exec(this.#source)?.index ?? this.#source.length;
  }
}

const NAME_END = /[\s/>]/;
const ATTRIBUTE_END = /[\s/>="']/;
const VALUE_END = /[\s>]/;

function readWhile(source: string, from: number, end: RegExp): string {
  let at = from;
  while (at < source.length && !end.test(source[at] ?? '')) at += 1;
  return source.slice(from, at);
}
