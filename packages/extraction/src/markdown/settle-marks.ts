import type { InlineToken, Mark, MarkKind } from './inline-run.ts';

/**
 * Returns the tokens with marks that CommonMark recognizes. A delimiter between a punctuation character inside and a letter
 * outside is not read as one (`**Price:**5`): the punctuation moves outside (`**Price**:5`); a mark that cannot be shown in
 * this way is left out. https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
 */
export function settleMarks(tokens: readonly InlineToken[]): InlineToken[] {
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
    !(isPunctuation(firstPointOf(inside)) && isLetter(lastPoint(settled, kind)));
  opened.set(kind, isShown ? settled.length : -1);
  if (isShown) settled.push(token);
}

function closeMark(token: MarkEnd, settled: InlineToken[], { tokens, index, opened }: Place): void {
  const { kind } = token.mark;
  const start = opened.get(kind) ?? -1;
  opened.delete(kind);
  if (start < 0) return;
  let at = index + 1;
  while (joins(tokens[at], kind) || isEmpty(tokens[at])) at++;
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

/** Returns true for the end of a mark whose asterisks join those of the kind into one run. */
function joins(token: InlineToken | undefined, kind: MarkKind): boolean {
  if (kind === 'strikethrough' || token === undefined || !('mark' in token)) return false;
  return token.mark.kind === 'emphasis' || token.mark.kind === 'strong';
}

/** Returns the last character before the run of delimiters at the end of the tokens, or '' at their start. */
function lastPoint(tokens: readonly InlineToken[], kind: MarkKind): string {
  let at = tokens.length - 1;
  while (joins(tokens[at], kind) || isEmpty(tokens[at])) at--;
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
