/** What may stand next while a JSON text is read. */
type Expectation = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** What a string that is not whole lacks. */
type Lack = 'escape' | 'escaped character' | 'closing quote';

const IN_WORDS: Record<Expectation | Lack, string> = {
  value: 'a value',
  'value or end': 'a value or "]"',
  key: 'a name in double quotes',
  'key or end': 'a name in double quotes or "}"',
  colon: '":"',
  'comma or end': '"," or a closing bracket',
  nothing: 'nothing more',
  escape: 'an escape such as "\\n" or "\\u00e9"',
  'escaped character': 'an escape for it such as "\\n" or "\\u0000"',
  'closing quote': 'the closing quote of a string',
};

/** The index behind a token that fits, and what comes next. */
type Step = [index: number, next: Expectation];

const WHITESPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const STRING_BEGINNING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Where a text that JSON.parse refused stops being JSON (RFC 8259), in words with line and column. */
export function locateJsonFault(text: string): string {
  const closers: string[] = [];
  let expected: Expectation = 'value';
  for (let index = skip(WHITESPACE, text, 0); ; index = skip(WHITESPACE, text, index)) {
    const step: Step | undefined = index < text.length ? take(text, index, expected, closers) : undefined;
    if (!step)
      return isString(text, index, expected) ? describeString(text, index) : describe(text, index, expected);
    [index, expected] = step;
  }
}

/** Takes one token where it fits: the index behind it and what comes next; undefined where it does not fit. */
function take(text: string, index: number, expected: Expectation, closers: string[]): Step | undefined {
  const char = text[index];
  const isEnd = expected.endsWith('or end') && char === closers.at(-1);
  if (isEnd) {
    closers.pop();
    return [index + 1, afterValue(closers)];
  }
  if (expected === 'colon') return char === ':' ? [index + 1, 'value'] : undefined;
  if (expected === 'comma or end') {
    return char === ',' ? [index + 1, closers.at(-1) === '}' ? 'key' : 'value'] : undefined;
  }
  if (expected.startsWith('key')) return token(STRING, text, index, 'colon');
  return expected.startsWith('value') ? takeValue(text, index, closers) : undefined;
}

function takeValue(text: string, index: number, closers: string[]): Step | undefined {
  const char = text[index];
  if (char === '[' || char === '{') {
    closers.push(char === '[' ? ']' : '}');
    return [index + 1, char === '[' ? 'value or end' : 'key or end'];
  }
  return token(char === '"' ? STRING : SCALAR, text, index, afterValue(closers));
}

function afterValue(closers: readonly string[]): Expectation {
  return closers.length > 0 ? 'comma or end' : 'nothing';
}

function token(pattern: RegExp, text: string, index: number, next: Expectation): Step | undefined {
  const end = skip(pattern, text, index);
  return end > index ? [end, next] : undefined;
}

function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

/** Whether what does not fit began as a string, where one may stand. */
function isString(text: string, index: number, expected: Expectation): boolean {
  return text[index] === '"' && /^(?:value|key)/.test(expected);
}

/** The fault of a string is further on than its opening quote. */
function describeString(text: string, start: number): string {
  const index = skip(STRING_BEGINNING, text, start);
  if (index === text.length) return describe(text, index, 'closing quote');
  return describe(text, index, text[index] === '\\' ? 'escape' : 'escaped character');
}

function describe(text: string, index: number, expected: Expectation | Lack): string {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  const column = index - before.lastIndexOf('\n');
  const char = text.codePointAt(index);
  const found = char === undefined ? 'the end' : `${JSON.stringify(String.fromCodePoint(char))}`;
  return `at line ${line}, column ${column} there is ${found} where ${IN_WORDS[expected]} should be`;
}
