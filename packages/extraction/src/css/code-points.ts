/** Returns true for white space, after preprocessing. CSS Syntax 3 §4.2. */
export function isWhitespace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t';
}

/** Returns true for a line break, after preprocessing. */
export function isNewline(char: string): boolean {
  return char === '\n';
}

/** Returns true if an identifier starts at the position. CSS Syntax 3 §4.3.9. */
export function isIdentifierStart(source: string, position: number): boolean {
  if (source[position] !== '-') return isNameStart(source, position);
  return source[position + 1] === '-' || isNameStart(source, position + 1);
}

/** Returns true if the character or escape at the position can be part of a name. */
export function isNamePart(source: string, position: number): boolean {
  const char = source[position];
  if (char === undefined) return false;
  return (char >= '0' && char <= '9') || char === '-' || isNameStart(source, position);
}

function isNameStart(source: string, position: number): boolean {
  const char = source[position];
  if (char === undefined) return false;
  if (char === '\\') return !isNewline(source[position + 1] ?? '');
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_' || char >= '\u0080';
}

const ESCAPE = /\\([0-9a-fA-F]{1,6})[ \n\t]?/y;

/** Decodes the escape at the position; a backslash at the end of the input is U+FFFD. CSS Syntax 3 §4.3.7. */
export function consumeEscape(source: string, position: number): { value: string; end: number } {
  ESCAPE.lastIndex = position;
  const hex = ESCAPE.exec(source);
  if (hex) return { value: fromHex(hex[1] as string), end: position + hex[0].length };
  const codePoint = source.codePointAt(position + 1);
  if (codePoint === undefined) return { value: '\uFFFD', end: position + 1 };
  const value = String.fromCodePoint(codePoint);
  return { value, end: position + 1 + value.length };
}

function fromHex(digits: string): string {
  const codePoint = Number.parseInt(digits, 16);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint === 0 || isSurrogate || codePoint > 0x10ffff ? '\uFFFD' : String.fromCodePoint(codePoint);
}

/** Lower-cases ASCII letters only, as browsers do when they compare names and values. */
export function foldCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
