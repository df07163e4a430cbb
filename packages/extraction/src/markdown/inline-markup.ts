import { escapeLineStarts, escapeText, type TextSurroundings } from './escape-text.ts';
import { BREAK, type InlineToken, type Mark } from './inline-run.ts';
import { autolink, codeSpan, linkEnd } from './link-markup.ts';
import { settleMarks } from './settle-marks.ts';

/** Place of a text, which decides how its line breaks are written. */
export type InlinePlace = 'flow' | 'heading' | 'cell';

const BREAKS: Readonly<Record<InlinePlace, string>> = { flow: '\\\n', heading: ' ', cell: '<br>' };

const DELIMITERS: Readonly<Record<Exclude<Mark['kind'], 'link'>, readonly [string, string]>> = {
  emphasis: ['*', '*'],
  strong: ['**', '**'],
  strikethrough: ['~~', '~~'],
  superscript: ['<sup>', '</sup>'],
  subscript: ['<sub>', '</sub>'],
};

/** Returns the markdown of the tokens of one block. */
export function inlineMarkup(tokens: readonly InlineToken[], place: InlinePlace): string {
  const joined = joinTexts(settleMarks(joinTexts(tokens)));
  trimEnds(joined);
  let markup = '';
  let isInLink = false;
  for (let index = 0; index < joined.length; index++) {
    const token = joined[index] as InlineToken;
    const next = joined[index + 1];
    if (token.kind === 'open' && token.mark.kind === 'link') {
      const short = shortLink(token.mark, joined, index);
      if (short !== undefined) {
        markup += short;
        index += 2;
        continue;
      }
      isInLink = true;
    }
    if (token.kind === 'close' && token.mark.kind === 'link') isInLink = false;
    markup += tokenMarkup(token, {
      isInBrackets: isInLink,
      isBeforeBracket: startsLink(next),
      isFirst: index === 0,
      isLast: next === undefined,
    });
  }
  return place === 'flow'
    ? escapeLineStarts(markup).replaceAll(BREAK, BREAKS.flow)
    : finishLine(markup.replaceAll(BREAK, BREAKS[place]), place);
}

/** Returns the tokens with neighboring texts, and neighboring pieces of code, in one token each. */
function joinTexts(tokens: readonly InlineToken[]): InlineToken[] {
  const joined: InlineToken[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] as InlineToken;
    let end = index + 1;
    if (token.kind === 'text' || token.kind === 'code') {
      while (tokens[end]?.kind === token.kind) end++;
      const pieces = tokens.slice(index, end).map((piece) => ('value' in piece ? piece.value : ''));
      joined.push(...splitCode(token.kind, pieces.join('')));
    } else {
      joined.push(token);
    }
    index = end;
  }
  return joined;
}

/** Moves white space at the edges of code outside; normalizes that around line breaks. */
function splitCode(kind: 'text' | 'code', value: string): InlineToken[] {
  if (kind === 'text') return [{ kind, value: value.replace(/ ?\n ?/g, BREAK) }];
  const code = value.trim();
  const start = value.length - value.trimStart().length;
  const space = (text: string): InlineToken[] => (text === '' ? [] : [{ kind: 'text', value: text }]);
  if (code === '') return space(value);
  return [...space(value.slice(0, start)), { kind, value: code }, ...space(value.slice(start + code.length))];
}

function trimEnds(tokens: InlineToken[]): void {
  const first = tokens[0];
  if (first?.kind === 'text') first.value = first.value.trimStart();
  const last = tokens.at(-1);
  if (last?.kind === 'text') last.value = last.value.trimEnd();
}

function shortLink(mark: Mark, tokens: readonly InlineToken[], index: number): string | undefined {
  const text = tokens[index + 1];
  if (text?.kind !== 'text' || tokens[index + 2]?.kind !== 'close') return undefined;
  return mark.title ? undefined : autolink(text.value, mark.url ?? '');
}

function startsLink(token: InlineToken | undefined): boolean {
  return token?.kind === 'open' && token.mark.kind === 'link';
}

function tokenMarkup(token: InlineToken, surroundings: TextSurroundings): string {
  if ('value' in token) {
    if (token.kind === 'text') return escapeText(token.value, surroundings);
    if (token.kind === 'atom') return token.value;
    return canBeCode(token.value, surroundings)
      ? codeSpan(token.value)
      : escapeText(token.value, surroundings);
  }
  const { kind, url, title } = token.mark;
  if (kind === 'link') return token.kind === 'open' ? '[' : linkEnd(url ?? '', title);
  return DELIMITERS[kind][token.kind === 'open' ? 0 : 1];
}

/** Returns false for code that would end the text of a link at the start of a line, as a definition. */
function canBeCode(code: string, { isInBrackets }: TextSurroundings): boolean {
  return !isInBrackets || !code.includes(']:');
}

/** Escapes what would end a heading or a cell before its end. */
function finishLine(line: string, place: 'heading' | 'cell'): string {
  if (place === 'cell') return line.replaceAll('|', '\\|');
  let end = line.length;
  while (line.charAt(end - 1) === '#') end--;
  const isClosing = end < line.length && (end === 0 || line.charAt(end - 1) === ' ');
  return isClosing ? `${line.slice(0, end)}\\${line.slice(end)}` : line;
}
