import { decodeHTMLAttribute } from 'entities/decode';
import { Token, type TokenHandler, TokenizerMode } from 'parse5';
import { foldCase } from '../../css/code-points.ts';
import { NAME, type ParserState, SkimmingTokenizer, tableOf } from '../skimming-tokenizer.ts';
import type { Projection } from './projection.ts';

/**
 * Elements that the parser treats by their attributes: integration points, hidden fields, shadow roots, and formatting
 * elements, of which it keeps at most three with equal attributes (HTML §13.2.4.3). Of `a`, no two are ever kept.
 */
const READ_WHOLE = new Set(
  'annotation-xml b big code em font i input nobr s small strike strong template tt u'.split(' '),
);

/** Elements whose `src` is part of what a page shows, for its facts. */
const WITH_SOURCE = new Set(['img', 'iframe', 'video', 'audio', 'embed', 'frame']);
const SOURCE: ReadonlySet<string> = new Set(['src']);

/** Characters behind a name that has come to its end. */
const AFTER_NAME = tableOf((code) => '\t\n\f\r />'.includes(String.fromCharCode(code)));
/** Names that are kept as one instance each, so that they are hashed once. */
const MAX_NAMES = 1000;

/** Tokenizer that reads only the attributes of a projection, and does not copy texts, most of which are left out. */
export class ProjectingTokenizer extends SkimmingTokenizer {
  readonly #projection: Projection;
  readonly #names = new Map<string, string>();
  readonly #wantedWithSource: ReadonlySet<string>;

  constructor(handler: TokenHandler, parserState: ParserState, projection: Projection) {
    super(handler, parserState);
    this.#projection = projection;
    this.#wantedWithSource = new Set([...projection.attributes, 'src']);
  }

  protected override _stateTagName(cp: number): void {
    const token = this.currentToken;
    const isNew = token !== null && 'tagName' in token && token.tagName === '' && NAME[cp] === 1;
    if (isNew) token.tagName = this.#readName();
    else super._stateTagName(cp);
    if (token === null || !('tagName' in token) || AFTER_NAME[cp] === 1) return;
    const { html, pos } = this.preprocessor;
    if (AFTER_NAME[html.charCodeAt(pos + 1)] === 1) this.#readRest(token, html, pos + 1);
  }

  /** Takes texts as slices of the page, which is in memory anyway until its values have been read. */
  protected override _flushRun(text: string): void {
    const { currentCharacterToken: token } = this;
    if (this.currentToken !== null || token === null) {
      super._flushRun(text);
      return;
    }
    token.chars += this.preprocessor.html.slice(this.runStart, this.runEnd) + text;
    this.runStart = this.runEnd;
  }

  /** Reads a name from its first character on. */
  #readName(): string {
    const {
      preprocessor,
      preprocessor: { html, pos },
    } = this;
    let end = pos + 1;
    while (NAME[html.charCodeAt(end)] === 1) end++;
    preprocessor.pos = end - 1;
    const name = html.slice(pos, end);
    const known = this.#names.get(name);
    if (known === undefined && this.#names.size < MAX_NAMES) this.#names.set(name, name);
    return known ?? name;
  }

  #readRest(token: Token.TagToken, html: string, start: number): void {
    const rest = this.#isReadWhole(token) ? null : readTag(html, start, this.#wantedOf(token));
    if (rest === null) return;
    token.attrs = rest.attributes;
    token.selfClosing = rest.isSelfClosing;
    this.preprocessor.pos = rest.end;
    this.state = TokenizerMode.DATA;
    this.emitCurrentTagToken();
  }

  #isReadWhole({ type, tagName }: Token.TagToken): boolean {
    return type === Token.TokenType.START_TAG && READ_WHOLE.has(tagName);
  }

  #wantedOf({ type, tagName }: Token.TagToken): ReadonlySet<string> | undefined {
    const { names, markers, attributes } = this.#projection;
    if (type !== Token.TokenType.START_TAG) return undefined;
    // The parser takes `image` for `img`.
    const mayBeKept = names === null || markers.size > 0 || names.has(tagName) || tagName === 'image';
    if (WITH_SOURCE.has(tagName)) return mayBeKept ? this.#wantedWithSource : SOURCE;
    return mayBeKept ? attributes : undefined;
  }
}

interface TagRest {
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
function readTag(source: string, start: number, wanted: ReadonlySet<string> = NO_ATTRIBUTES): TagRest | null {
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
