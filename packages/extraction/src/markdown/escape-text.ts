import { BREAK } from './inline-run.ts';

/** Surroundings of a text, for choosing the characters to escape. */
export interface TextSurroundings {
  /** True inside the text of a link or an image, whose brackets must not end it. */
  readonly isInBrackets: boolean;
  /** True if a link or an image follows at once. */
  readonly isBeforeBracket: boolean;
  /** True in a cell of a table, whose bars get a backslash afterwards. */
  readonly isInCell: boolean;
  /** True at the start of the block. */
  readonly isFirst: boolean;
  /** True at the end of the block. */
  readonly isLast: boolean;
}

const SPECIAL = /[\\`*_[\]<&~!]/;
const EACH_SPECIAL = /[\\`*_[\]<&~!]/g;
const EACH_SPECIAL_OR_SEPARATOR = /[\\`*_[\]<&~!:.]/g;

/** Escapes what CommonMark or GFM would read as markup inside a line. Leaves the rest as it is, for people and search. */
export function escapeText(text: string, surroundings: TextSurroundings): string {
  const separators = findSeparators(text, surroundings);
  if (separators.size === 0 && !SPECIAL.test(text)) return text;
  const each = separators.size === 0 ? EACH_SPECIAL : EACH_SPECIAL_OR_SEPARATOR;
  return text.replace(each, (char, index: number) =>
    separators.has(index) || isEscaped(text, index, surroundings) ? `\\${char}` : char,
  );
}

function isEscaped(text: string, index: number, surroundings: TextSurroundings): boolean {
  return RULES[text.charAt(index)]?.(text, index, surroundings) ?? false;
}

const HAS_URL = /:\/\/|www\./i;
const EACH_URL = /(?:https?:\/\/|www\.)\S*/gi;
const EACH_SEPARATOR = /:(?=\/\/)|www\./gi;

const NO_SEPARATORS: ReadonlySet<number> = new Set();

/**
 * Returns the positions of the separators in URLs that GFM would read as links together with the markup in or after them.
 * A backslash there keeps them text; other URLs stay as they are.
 */
function findSeparators(text: string, surroundings: TextSurroundings): ReadonlySet<number> {
  if (!HAS_URL.test(text)) return NO_SEPARATORS;
  const separators = new Set<number>();
  for (const { 0: url, index: start } of text.matchAll(EACH_URL)) {
    const end = start + url.length;
    let isMixed = end === text.length ? !surroundings.isLast : text.charAt(end) === BREAK;
    isMixed ||= surroundings.isInCell && url.includes('|');
    for (let index = start; index < end && !isMixed; index++) isMixed = isEscaped(text, index, surroundings);
    if (!isMixed) continue;
    for (const { 0: sign, index } of url.matchAll(EACH_SEPARATOR))
      separators.add(start + index + sign.length - 1);
  }
  return separators;
}

type EscapeRule = (text: string, index: number, surroundings: TextSurroundings) => boolean;

const always: EscapeRule = () => true;

/** For each character, whether it needs a backslash at the index. The end of a text may be followed by any markup. */
const RULES: Readonly<Record<string, EscapeRule>> = {
  '\\': (text, index) => !/[^!-/:-@[-`{-~\n]/.test(text.charAt(index + 1)),
  '`': always,
  '*': (text, index) => !(text.charAt(index - 1) === ' ' && text.charAt(index + 1) === ' '),
  _: (text, index) => !(isWord(text.charAt(index - 1)) && isWord(text.charAt(index + 1))),
  '[': (text, index, { isInBrackets, isFirst }) => isInBrackets || startsLabel(text, index, isFirst),
  ']': (text, index, { isInBrackets }) => isInBrackets || /^$|[([:]/.test(text.charAt(index + 1)),
  '<': (text, index) => {
    MAY_START_TAG.lastIndex = index;
    return MAY_START_TAG.test(text);
  },
  '&': (text, index) => {
    REFERENCE.lastIndex = index;
    return REFERENCE.test(text);
  },
  '~': (text, index) => !(isSpace(text.charAt(index - 1)) && isWord(text.charAt(index + 1))),
  '!': (text, index, { isBeforeBracket }) => isBeforeBracket && index === text.length - 1,
};

const MAX_LABEL_CHARS = 999;

/** Returns true for a bracket at the start of a line that code after the text could close, as the label of a definition. */
function startsLabel(text: string, index: number, isFirst: boolean): boolean {
  const isLineStart = index === 0 ? isFirst : text.charAt(index - 1) === BREAK;
  return isLineStart && !/\][^([:]/.test(text.slice(index, index + MAX_LABEL_CHARS));
}

const REFERENCE = /&(?:#[0-9xX]|[A-Za-z][A-Za-z0-9]{1,31};)/y;

/** A tag, a comment, or an e-mail address that an angle bracket after it would make a link. */
const MAY_START_TAG = /<(?:$|[A-Za-z/!?]|[\w.!#$%&'*+/=?^`{|}~-]+@)/y;

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
