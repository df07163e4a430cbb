import { consumeEscape, isIdentifierStart, isNamePart, isNewline, isWhitespace } from './code-points.ts';

/** Token of CSS Syntax 3, reduced to the kinds that selectors distinguish. */
export interface CssToken {
  readonly type: TokenType;
  /** Unescaped name, string or delimiter; the unit of a dimension. */
  readonly value: string;
  /** Position in the preprocessed source. */
  readonly start: number;
  readonly end: number;
  /** Numbers and dimensions: the number. An integer is one written without a point and an exponent. */
  readonly number?: number;
  readonly isInteger?: boolean;
  readonly isSigned?: boolean;
  /** Hashes: true if the name is a valid identifier, as ids must be. */
  readonly isIdentifier?: boolean;
  /** Opening tokens: the index of the token that closes the block, or the number of tokens if none does. */
  close?: number;
}

/** Kinds of token: `match` is `~=` and similar operators, `open` and `shut` are brackets, `bad` is never valid. */
export type TokenType =
  | 'ident'
  | 'function'
  | 'hash'
  | 'string'
  | 'number'
  | 'dimension'
  | 'whitespace'
  | 'delim'
  | 'match'
  | 'colon'
  | 'comma'
  | 'open'
  | 'shut'
  | 'bad';

/** The source, preprocessed by CSS Syntax 3 §3.3, and its tokens without comments. */
export interface TokenizedCss {
  readonly source: string;
  readonly tokens: readonly CssToken[];
}

/** Splits a selector into tokens; never throws: malformed parts become `bad` tokens. CSS Syntax 3 §4. */
export function tokenize(input: string): TokenizedCss {
  const source = input
    .replace(/\r\n?|\f/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed();
  const tokens: CssToken[] = [];
  let position = 0;
  while (position < source.length) {
    if (source.startsWith('/*', position)) {
      const close = source.indexOf('*/', position + 2);
      position = close < 0 ? source.length : close + 2;
      continue;
    }
    const token = consumeToken(source, position);
    tokens.push(token);
    position = token.end;
  }
  linkBlocks(tokens);
  return { source, tokens };
}

const PUNCTUATION: Readonly<Record<string, TokenType>> = {
  ':': 'colon',
  ',': 'comma',
  '(': 'open',
  '[': 'open',
  '{': 'open',
  ')': 'shut',
  ']': 'shut',
  '}': 'shut',
};

function consumeToken(source: string, start: number): CssToken {
  const char = source[start] as string;
  if (isWhitespace(char)) return consumeWhitespace(source, start);
  if (char === '"' || char === "'") return consumeString(source, start);
  if (source.startsWith('-->', start)) return { type: 'bad', value: char, start, end: start + 3 };
  if (startsNumber(source, start)) return consumeNumeric(source, start);
  if (isIdentifierStart(source, start)) return consumeIdentLike(source, start);
  const punctuation = PUNCTUATION[char];
  if (punctuation) return { type: punctuation, value: char, start, end: start + 1 };
  if (char === '#' && isNamePart(source, start + 1)) {
    const name = consumeName(source, start + 1);
    return {
      type: 'hash',
      value: name.value,
      start,
      end: name.end,
      isIdentifier: isIdentifierStart(source, start + 1),
    };
  }
  if ('~|^$*'.includes(char) && source[start + 1] === '=') {
    return { type: 'match', value: `${char}=`, start, end: start + 2 };
  }
  const whole = String.fromCodePoint(source.codePointAt(start) as number);
  return { type: 'delim', value: whole, start, end: start + whole.length };
}

function consumeWhitespace(source: string, start: number): CssToken {
  let end = start + 1;
  while (isWhitespace(source[end] ?? '')) end++;
  return { type: 'whitespace', value: ' ', start, end };
}

/** Consumes a string. The end of the input closes it, as in browsers; a line break makes it `bad`. */
function consumeString(source: string, start: number): CssToken {
  const quote = source[start];
  let value = '';
  let end = start + 1;
  while (end < source.length) {
    const char = source[end] as string;
    if (char === quote) return { type: 'string', value, start, end: end + 1 };
    if (isNewline(char)) return { type: 'bad', value, start, end };
    if (char !== '\\') {
      value += char;
      end++;
    } else if (end + 1 >= source.length || isNewline(source[end + 1] as string)) {
      end += 2;
    } else {
      const escaped = consumeEscape(source, end);
      value += escaped.value;
      end = escaped.end;
    }
  }
  return { type: 'string', value, start, end: source.length };
}

function startsNumber(source: string, start: number): boolean {
  return /^[+-]?\.?[0-9]/.test(source.slice(start, start + 3));
}

const NUMBER = /[+-]?(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?/y;

function consumeNumeric(source: string, start: number): CssToken {
  NUMBER.lastIndex = start;
  const text = (NUMBER.exec(source) as RegExpExecArray)[0];
  const end = start + text.length;
  const number = {
    number: Number(text),
    isInteger: /^[+-]?[0-9]+$/.test(text),
    isSigned: /^[+-]/.test(text),
  };
  if (isIdentifierStart(source, end)) {
    const unit = consumeName(source, end);
    return { type: 'dimension', value: unit.value, start, end: unit.end, ...number };
  }
  if (source[end] === '%') return { type: 'bad', value: '%', start, end: end + 1 };
  return { type: 'number', value: text, start, end, ...number };
}

function consumeIdentLike(source: string, start: number): CssToken {
  const { value, end } = consumeName(source, start);
  if (source[end] !== '(') return { type: 'ident', value, start, end };
  const argument = source.slice(end + 1).trimStart();
  const isUrl = value.toLowerCase() === 'url' && !argument.startsWith('"') && !argument.startsWith("'");
  if (!isUrl) return { type: 'function', value, start, end: end + 1 };
  return { type: 'bad', value, start, end: endOfUrl(source, end + 1) };
}

function endOfUrl(source: string, start: number): number {
  let end = start;
  while (end < source.length && source[end] !== ')') end = source[end] === '\\' ? end + 2 : end + 1;
  return Math.min(end + 1, source.length);
}

function consumeName(source: string, start: number): { value: string; end: number } {
  let value = '';
  let end = start;
  while (isNamePart(source, end)) {
    if (source[end] === '\\') {
      const escaped = consumeEscape(source, end);
      value += escaped.value;
      end = escaped.end;
    } else {
      value += source[end++];
    }
  }
  return { value, end };
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Links opening to closing tokens: a bracket closes only the innermost open block, and only one of its kind. */
function linkBlocks(tokens: readonly CssToken[]): void {
  const open: { token: CssToken; closer: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open' || token.type === 'function') {
      open.push({ token, closer: token.type === 'function' ? ')' : (CLOSERS[token.value] as string) });
    } else if (token.type === 'shut' && open.at(-1)?.closer === token.value) {
      (open.pop() as { token: CssToken }).token.close = index;
    }
  }
  for (const { token } of open) token.close = tokens.length;
}
