import { escapeLineStarts, escapeText, type TextSurroundings } from './escape-text.ts';
import { BREAK, type InlineToken, type Mark, type MarkKind } from './inline-run.ts';
import { autolink, codeSpan, linkEnd } from './link-markup.ts';

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
      isInCell: place === 'cell',
      isFirst: index === 0,
      isLast: next === undefined,
    });
  }
  return place === 'flow'
    ? escapeLineStarts(markup).replaceAll(BREAK, BREAKS.flow)
    : finishLine(markup.replaceAll(BREAK, BREAKS[place]), place);
}

/** Returns the tokens with neighboring texts, and neighboring pieces of code, in one token each; some code becomes text. */
function joinTexts(tokens: readonly InlineToken[]): InlineToken[] {
  const joined: InlineToken[] = [];
  let isInLink = false;
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] as InlineToken;
    let end = index + 1;
    if (token.kind === 'text' || token.kind === 'code') {
      while (tokens[end]?.kind === token.kind) end++;
      const pieces = tokens.slice(index, end).map((piece) => ('value' in piece ? piece.value : ''));
      const value = pieces.join('');
      // As code, it would end the text of a link at the start of a line, like a definition.
      const isLabel = isInLink && value.includes(']:');
      joined.push(...splitCode(isLabel ? 'text' : token.kind, value));
    } else {
      if ('mark' in token && token.mark.kind === 'link') isInLink = token.kind === 'open';
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
    return token.kind === 'code' ? codeSpan(token.value) : token.value;
  }
  const { kind, url, title } = token.mark;
  if (kind === 'link') return token.kind === 'open' ? '[' : linkEnd(url ?? '', title);
  return DELIMITERS[kind][token.kind === 'open' ? 0 : 1];
}

/** Escapes what would end a heading or a cell before its end. */
function finishLine(line: string, place: 'heading' | 'cell'): string {
  if (place === 'cell') return line.replaceAll('|', '\\|');
  let end = line.length;
  while (line.charAt(end - 1) === '#') end--;
  const isClosing = end < line.length && (end === 0 || line.charAt(end - 1) === ' ');
  return isClosing ? `${line.slice(0, end)}\\${line.slice(end)}` : line;
}

/**
 * Returns the tokens with marks that CommonMark recognizes. A delimiter between a punctuation character inside and a letter
 * outside is not read as one (`**Price:**5`): the punctuation moves outside (`**Price**:5`); a mark that cannot be shown in
 * this way is left out. https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
 */
function settleMarks(tokens: readonly InlineToken[]): InlineToken[] {
  const settled: InlineToken[] = [];
  /** Positions of the open marks in the result; -1 for a mark that is left out. */
  const opened = new Map<MarkKind, number>();
  tokens.forEach((token, index) => {
    if (token.kind === 'open' && needsFlanks(token.mark)) openMark(token, settled, { tokens, index, opened });
    else if (token.kind === 'close' && needsFlanks(token.mark)) {
      closeMark(token, settled, { tokens, index, opened });
    } else if (!('value' in token) || token.value !== '') settled.push(token);
  });
  return settled;
}

interface Place {
  readonly tokens: readonly InlineToken[];
  readonly index: number;
  readonly opened: Map<MarkKind, number>;
}

type MarkEnd = Extract<InlineToken, { readonly mark: Mark }>;

function needsFlanks({ kind }: Mark): boolean {
  return kind === 'emphasis' || kind === 'strong' || kind === 'strikethrough';
}

function openMark(token: MarkEnd, settled: InlineToken[], { tokens, index, opened }: Place): void {
  const { kind } = token.mark;
  const before = lastPoint(settled, kind);
  let at = contentAfter(tokens, index + 1, kind);
  let moved = '';
  for (let inside = tokens[at]; inside?.kind === 'text'; inside = tokens[at]) {
    const first = firstPointOf(inside);
    if (!(moved === '' ? isPunctuation(first) && isLetter(before) : isSpace(first))) break;
    const lead = leadingPunctuation(inside.value);
    moved += lead;
    inside.value = inside.value.slice(lead.length);
    if (inside.value !== '') break;
    at = contentAfter(tokens, at, kind);
  }
  if (moved !== '') settled.push({ kind: 'text', value: moved });
  const inside = tokens[at];
  const isShown =
    inside !== undefined &&
    inside.kind !== 'close' &&
    !joinsEnds(settled, kind) &&
    !(isPunctuation(firstPointOf(inside)) && isLetter(lastPoint(settled, kind)));
  opened.set(kind, isShown ? settled.length : -1);
  if (isShown) settled.push(token);
}

/**
 * Returns true where the delimiters of one more mark would join those of marks that have just ended: of the same kind, or two
 * others of asterisks, on which parsers disagree. https://spec.commonmark.org/0.31.2/#can-open-emphasis
 */
function joinsEnds(settled: readonly InlineToken[], kind: MarkKind): boolean {
  let ends = 0;
  for (let at = settled.length - 1; ends < 2; at--) {
    const token = settled[at];
    const isPassed = isEmpty(token) || (token?.kind === 'open' && mayBeLeftOut(token) && !joins(token, kind));
    if (isPassed) continue;
    if (token?.kind !== 'close') return false;
    if (token.mark.kind === kind) return true;
    if (!joins(token, kind)) return false;
    ends++;
  }
  return true;
}

function closeMark(token: MarkEnd, settled: InlineToken[], { tokens, index, opened }: Place): void {
  const { kind } = token.mark;
  const start = opened.get(kind) ?? -1;
  opened.delete(kind);
  if (start < 0) return;
  let at = index + 1;
  while (mayBeLeftOut(tokens[at]) || isEmpty(tokens[at])) at++;
  const after = tokens[at];
  const isBeforeLetter = after !== undefined && isLetter(firstPointOf(after));
  const moved: string[] = [];
  const inner: InlineToken[] = [];
  for (;;) {
    const point = lastPoint(settled, kind);
    if (!(moved.length === 0 ? isBeforeLetter && isPunctuation(point) : isSpace(point))) break;
    while (settled.length - 1 > start && joins(settled.at(-1), kind))
      inner.push(settled.pop() as InlineToken);
    const last = settled.at(-1);
    if (last?.kind !== 'text') break;
    const trail = trailingPunctuation(last.value);
    moved.push(trail);
    last.value = last.value.slice(0, last.value.length - trail.length);
    if (last.value !== '') break;
    settled.pop();
  }
  settled.push(...inner.reverse());
  const isShown = hasContent(settled, start) && !(isBeforeLetter && isPunctuation(lastPoint(settled, kind)));
  if (isShown) settled.push(token);
  else settled[start] = { kind: 'text', value: '' };
  if (moved.length > 0) settled.push({ kind: 'text', value: moved.reverse().join('') });
}

function hasContent(settled: readonly InlineToken[], start: number): boolean {
  let at = start + 1;
  while (isEmpty(settled[at])) at++;
  return at < settled.length;
}

/** Returns the position of the first token that is neither empty nor the start of another mark in the same run. */
function contentAfter(tokens: readonly InlineToken[], from: number, kind: MarkKind): number {
  let at = from;
  while (isEmpty(tokens[at]) || (tokens[at]?.kind === 'open' && joins(tokens[at], kind))) at++;
  return at;
}

/** Returns true for the end of a mark if its asterisks and this kind's would form one run. */
function joins(token: InlineToken | undefined, kind: MarkKind): boolean {
  if (kind === 'strikethrough' || token === undefined || !('mark' in token)) return false;
  return token.mark.kind === 'emphasis' || token.mark.kind === 'strong';
}

function mayBeLeftOut(token: InlineToken | undefined): boolean {
  return token !== undefined && 'mark' in token && needsFlanks(token.mark);
}

/** Returns the last character before the run of delimiters at the end of the tokens, or '' at their start. */
function lastPoint(tokens: readonly InlineToken[], kind: MarkKind): string {
  let at = tokens.length - 1;
  // A mark that has only begun may be left out at its end.
  const isPassed = (token: InlineToken | undefined) =>
    joins(token, kind) || isEmpty(token) || (token?.kind === 'open' && mayBeLeftOut(token));
  while (isPassed(tokens[at])) at--;
  const token = tokens[at];
  if (!token) return '';
  if (token.kind !== 'text') return '.';
  return token.value.slice(/[\uDC00-\uDFFF]$/.test(token.value) ? -2 : -1);
}

function isEmpty(token: InlineToken | undefined): boolean {
  return token !== undefined && 'value' in token && token.value === '';
}

function firstPointOf(token: InlineToken): string {
  return token.kind === 'text' ? String.fromCodePoint(token.value.codePointAt(0) ?? 0x20) : '.';
}

function isSpace(point: string): boolean {
  return /^\s$/.test(point);
}

/** Returns true for a character outside a mark other than punctuation. Parsers disagree on those beyond U+FFFF. */
function isLetter(point: string): boolean {
  return point !== '' && !isSpace(point) && (point.length > 1 || !isPunctuation(point));
}

/** Returns true for a character inside a mark that is punctuation. Parsers disagree on those beyond U+FFFF. */
function isPunctuation(point: string): boolean {
  return point.length > 1 || /^[\p{P}\p{S}]$/u.test(point);
}

function leadingPunctuation(text: string): string {
  return /^[\p{P}\p{S}\s]+/u.exec(text)?.[0] ?? '';
}

function trailingPunctuation(text: string): string {
  let end = text.length;
  while (end > 0) {
    const length = end > 1 && /[\uDC00-\uDFFF]/.test(text.charAt(end - 1)) ? 2 : 1;
    const point = text.slice(end - length, end);
    if (!isPunctuation(point) && !isSpace(point)) break;
    end -= length;
  }
  return text.slice(end);
}
