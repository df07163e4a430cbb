import type { Budget } from '../budget.ts';

/**
 * Returns the text as standard JSON where pages commonly differ from it: without comments, without the markers of comments
 * and CDATA, without commas before a closing bracket and semicolons after the value, and with the control characters in
 * strings and the escapes of JavaScript, such as `\x27`, written as JSON has them. Reads each character at most a few times.
 */
export function relaxJson(text: string, budget: Budget): string {
  budget.spend(1 + (text.length >> 2));
  const source = unwrap(text);
  const output = new Copy(source);
  const noise = new Noise(source);
  for (let at = 0; at < source.length; ) {
    const unit = source[at] as string;
    if (unit === '"') {
      at = copyString(source, at, output);
    } else if (unit === ',' || unit === ';') {
      const next = noise.skip(at + 1);
      if (isSuperfluous(unit, source[next])) output.replace(at, at + 1, ' ');
      at++;
    } else {
      const end = noise.endAt(at);
      if (end > at) output.replace(at, end, ' ');
      at = Math.max(end, at + 1);
    }
  }
  return output.finish();
}

/** Removes the comment that hides a whole script from very old browsers: `<!-- … -->`. */
function unwrap(text: string): string {
  const trimmed = text.trim();
  const isWrapped = trimmed.startsWith('<!--') && trimmed.indexOf('-->') === trimmed.length - 3;
  return isWrapped ? trimmed.slice(4, -3) : trimmed;
}

/** Returns true for a comma before a closing bracket, and a semicolon at the end. */
function isSuperfluous(unit: ',' | ';', next: string | undefined): boolean {
  return unit === ',' ? next === ']' || next === '}' : next === undefined;
}

const FIRST_PRINTABLE = 0x20;

/** Passes over a string and escapes its control characters. Returns the position after it. */
function copyString(source: string, start: number, output: Copy): number {
  for (let at = start + 1; at < source.length; at++) {
    const unit = source.charCodeAt(at);
    if (unit < FIRST_PRINTABLE) output.replace(at, at + 1, escapeOf(unit));
    else if (source[at] === '\\') at = copyEscape(source, at, output) - 1;
    else if (source[at] === '"') return at + 1;
  }
  return source.length;
}

/** Hexadecimal escapes of JavaScript that JSON lacks. */
const HEX_ESCAPE = /\\(?:x([\da-f]{2})|u\{0{0,9}([\da-f]{1,6})\})/iy;
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[\da-f]{4})/iy;
/** Meaning of the other escapes of JavaScript that do not stand for the character behind the backslash. */
const SCRIPT_ESCAPES: Readonly<Record<string, string>> = {
  0: '\\u0000',
  v: '\\u000b',
  u: '\\\\u',
  '\n': '',
  '\r': '',
};

/** Passes over an escape; one of JavaScript alone becomes one of JSON (ECMA-262 §12.9.4). Returns the position after it. */
function copyEscape(source: string, start: number, output: Copy): number {
  const known = matchEnd(JSON_ESCAPE, source, start);
  if (known > start) return known;
  HEX_ESCAPE.lastIndex = start;
  const hex = HEX_ESCAPE.exec(source);
  const code = Number.parseInt(hex?.[1] ?? hex?.[2] ?? '', 16);
  const next = source[start + 1] ?? '';
  const isCode = hex !== null && code <= MAX_CODE_POINT;
  const end = isCode ? HEX_ESCAPE.lastIndex : start + 2;
  const meant = isCode ? String.fromCodePoint(code) : (SCRIPT_ESCAPES[next] ?? next);
  output.replace(start, end, isCode ? JSON.stringify(meant).slice(1, -1) : meant);
  return end;
}

const MAX_CODE_POINT = 0x10ffff;

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Markers that pages leave around JSON. */
const MARKERS = ['<![CDATA[', '<!]]>', ']]>', '-->'];

const SPACES = /[ \t\n\r]+/y;
const CDATA_IN_COMMENT = /\/\/[ \t]*<!\[CDATA\[/y;
const LINE_END = /[\n\r\u2028\u2029]/g;

/** Finds comments, markers and white space between the tokens of a source. */
class Noise {
  readonly #source: string;
  /** Closing marks that the rest of the source does not contain. */
  readonly #missing = new Set<string>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the position of the next token. */
  skip(start: number): number {
    let at = start;
    for (let end = at; ; at = end) {
      end = Math.max(matchEnd(SPACES, this.#source, at), this.endAt(at));
      if (end <= at) return at;
    }
  }

  /** Returns the end of the comment or marker at the position; without one, the position itself. */
  endAt(at: number): number {
    const source = this.#source;
    switch (source[at]) {
      case '/':
        if (source[at + 1] === '*') return this.#after('*/', at + 2) ?? source.length;
        return source[at + 1] === '/' ? endOfLineComment(source, at) : at;
      case '<':
        if (source.startsWith('<!--', at)) return this.#after('-->', at + 4) ?? at + 4;
        return endOfMarker(source, at);
      case ']':
      case '-':
        return endOfMarker(source, at);
      default:
        return at;
    }
  }

  #after(mark: string, start: number): number | undefined {
    const at = this.#missing.has(mark) ? -1 : this.#source.indexOf(mark, start);
    if (at >= 0) return at + mark.length;
    this.#missing.add(mark);
    return undefined;
  }
}

function endOfMarker(source: string, at: number): number {
  const marker = MARKERS.find((known) => source.startsWith(known, at));
  return at + (marker?.length ?? 0);
}

/** Returns the end of the line, or only of `// <![CDATA[`, after which the value may begin on the same line. */
function endOfLineComment(source: string, at: number): number {
  const cdata = matchEnd(CDATA_IN_COMMENT, source, at);
  if (cdata > at) return cdata;
  LINE_END.lastIndex = at;
  return LINE_END.exec(source)?.index ?? source.length;
}

function matchEnd(sticky: RegExp, source: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(source) ? sticky.lastIndex : at;
}

/** Number of pieces after which they are joined: a piece takes several times its own size. */
const MAX_PIECES = 1024;

/** Copy of a source with replacements, which are given in order. */
class Copy {
  readonly #source: string;
  #pieces: string[] = [];
  #joined: string[] = [];
  #copied = 0;

  constructor(source: string) {
    this.#source = source;
  }

  replace(start: number, end: number, replacement: string): void {
    this.#pieces.push(this.#source.slice(this.#copied, start), replacement);
    this.#copied = end;
    if (this.#pieces.length >= MAX_PIECES) this.#join();
  }

  finish(): string {
    this.#pieces.push(this.#source.slice(this.#copied));
    this.#join();
    return this.#joined.join('');
  }

  #join(): void {
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}
