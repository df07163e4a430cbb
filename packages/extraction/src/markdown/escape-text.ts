import { BREAK } from './inline-run.ts';

/** Surroundings of a text that decide what needs a backslash. */
export interface TextSurroundings {
  /** True inside the text of a link or an image, whose brackets must not end it. */
  readonly isInBrackets: boolean;
  /** True if a link or an image follows at once. */
  readonly isBeforeBracket: boolean;
}

const SPECIAL = /[\\`*_[\]<&~!]/;
const EACH_SPECIAL = /[\\`*_[\]<&~!]/g;

/** Escapes what CommonMark or GFM would read as markup inside a line. Leaves the rest as it is, for people and search. */
export function escapeText(text: string, surroundings: TextSurroundings): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(EACH_SPECIAL, (char, index: number) =>
    RULES[char]?.(text, index, surroundings) ? `\\${char}` : char,
  );
}

type EscapeRule = (text: string, index: number, surroundings: TextSurroundings) => boolean;

const always: EscapeRule = () => true;

/** For each character, whether it needs a backslash at the index. The end of a text may be followed by any markup. */
const RULES: Readonly<Record<string, EscapeRule>> = {
  '\\': (text, index) => !/[^!-/:-@[-`{-~\n]/.test(text.charAt(index + 1)),
  '`': always,
  '*': (text, index) => !(isSpace(text.charAt(index - 1)) && isSpace(text.charAt(index + 1))),
  _: (text, index) => !(isWord(text.charAt(index - 1)) && isWord(text.charAt(index + 1))),
  '[': (_text, _index, { isInBrackets }) => isInBrackets,
  ']': (text, index, { isInBrackets }) => isInBrackets || /^$|[([:]/.test(text.charAt(index + 1)),
  '<': (text, index) => /^$|[A-Za-z/!?]/.test(text.charAt(index + 1)),
  '&': (text, index) => {
    REFERENCE.lastIndex = index;
    return REFERENCE.test(text);
  },
  '~': (text, index) => !isSpace(text.charAt(index - 1)) || text.charAt(index + 1) === '~',
  '!': (text, index, { isBeforeBracket }) => isBeforeBracket && index === text.length - 1,
};

const REFERENCE = /&(?:#[0-9xX]|[A-Za-z][A-Za-z0-9]{1,31};)/y;

function isSpace(char: string): boolean {
  return char !== '' && /\s/.test(char);
}

function isWord(char: string): boolean {
  return /[\p{L}\p{N}]/u.test(char);
}

/** Escapes what would start another block at the start of each line. */
export function escapeLineStarts(markup: string): string {
  return markup.split(BREAK).map(escapeLineStart).join(BREAK);
}

function escapeLineStart(line: string): string {
  if (!/^[#>+\-=|:\d[]/.test(line)) return line;
  const number = /^\d{1,9}(?=[.)](?:\s|$))/.exec(line);
  if (number) return `${number[0]}\\${line.slice(number[0].length)}`;
  return STARTS_BLOCK.test(line) ? `\\${line}` : line;
}

/** A heading, a quote, a list, an underline of a heading, the second row of a table, or a task. */
const STARTS_BLOCK = /^(?:#{1,6}(?:\s|\\?$)|>|[+-](?:\s|\\?$)|[=\-|: ]+\\?$|\[[ xX]\]\s)/;
