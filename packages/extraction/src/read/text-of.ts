import { cutText } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import { isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';
import { partsWords, partsWordsByName } from '../dom/word-borders.ts';
import { isDrawnFormula, isTexScript, texOf } from './formula.ts';

/** Returns true for nodes whose text is left out. */
export type IsLeftOut = (node: Node) => boolean;

/** Leaves nothing out. */
export const isNever: IsLeftOut = () => false;

/**
 * Returns all text inside the element, with white space (JavaScript's `\s`, which includes no-break spaces) collapsed and
 * trimmed, and a space at each `br` and border of a block. Leaves out script, style and template, unless the element itself
 * is one of them.
 */
export function textOf(element: Node, budget: Budget, isLeftOut: IsLeftOut = isUnseen): string {
  const { first } = element.content ?? element;
  if (first === null) return '';
  const isAlone = first.next === null && first.kind === NodeKind.text;
  const text = isAlone ? first.value : read(element, SPACES, isLeftOut, budget);
  budget.spend(1 + (text.length >> 2));
  return collapse(text);
}

/** Returns the text with that of the next element behind it; undefined to read the element as any other. */
export type RewriteText = (text: string, node: Node) => string | undefined;

/** Reads a formula as its TeX, where the page has that. */
export const rewriteFormula: RewriteText = (text, node) => {
  const tex = texOf(node);
  return tex === undefined ? undefined : text + tex;
};

/** Returns what `textOf` does, with the text of some elements rewritten. */
export function rewrittenText(
  element: Node,
  rewrite: RewriteText,
  isLeftOut: IsLeftOut,
  budget: Budget,
): string {
  const text = read(element, SPACES, isLeftOut, budget, rewrite);
  budget.spend(1 + (text.length >> 2));
  return collapse(text);
}

/** Returns all text inside the element as it is, without that of the nodes that are left out: source that is not prose. */
export function rawText(element: Node, isLeftOut: IsLeftOut, budget: Budget): string {
  return read(element, NOTHING, isLeftOut, budget);
}

/**
 * Returns all text inside the element with its white space. A `br`, or a border of a block between words, has a line break,
 * unless the source has one there.
 */
export function keptText(element: Node, isLeftOut: IsLeftOut, budget: Budget, rewrite?: RewriteText): string {
  const [start = '', ...rest] = read(element, MARKS, isLeftOut, budget, rewrite).split('\0');
  const pieces = [start];
  let hasWords = start.trim() !== '';
  // White space since the last word: its own line breaks, those that are needed, and the piece that adds the missing ones.
  let [own, breaks, needsOne, missing] = [countLines(start.slice(start.trimEnd().length)), 0, false, 0];
  const addMissing = (): void => {
    pieces[missing] = '\n'.repeat(Math.max(0, Math.max(breaks, needsOne ? 1 : 0) - own));
  };
  for (const part of rest) {
    const text = part.slice(1);
    if (breaks === 0 && !needsOne) missing = pieces.push('') - 1;
    if (part.startsWith('b')) breaks++;
    else if (hasWords) needsOne = true;
    else if (breaks === 0) pieces.pop();
    pieces.push(text);
    const words = text.trim();
    own += countLines(words === '' ? text : text.slice(0, text.length - text.trimStart().length));
    if (words === '') continue;
    if (breaks > 0 || needsOne) addMissing();
    hasWords = true;
    [own, breaks, needsOne] = [countLines(text.slice(text.trimEnd().length)), 0, false];
  }
  needsOne = false;
  if (breaks > 0) addMissing();
  return pieces.join('');
}

function countLines(space: string): number {
  return space.split('\n').length - 1;
}

/** Returns the text inside the node with each block on its own line, without empty lines, cut at `maxChars`. */
export function readableText(
  root: Node,
  maxChars: number,
  budget: Budget,
  isLeftOut: IsLeftOut = isHidden,
): string {
  const lines: string[] = [];
  let length = 0;
  for (const line of read(root, LINES, isLeftOut, budget).split('\0')) {
    const text = collapse(line);
    if (text !== '') lines.push(text);
    length += text.length + 1;
    if (length > maxChars) break;
  }
  return cutText(lines.join('\n'), maxChars);
}

const MAX_PAGE_CHARS = 1_000_000;

/**
 * Returns the readable text of the body, or of a whole document other than HTML, with each block on its own line; limited in
 * length.
 */
export function pageText(document: ParsedDocument, budget: Budget): string {
  const root = isHtmlPage(document)
    ? document.elements.find((element) => isHtmlElement(element, 'body'))
    : document.root;
  return root === undefined ? '' : readableText(root, MAX_PAGE_CHARS, budget);
}

/** Returns the readable text of parts of a page, each on lines of its own, without what is left out; limited in length. */
export function partText(roots: readonly Node[], isLeftOut: IsLeftOut, budget: Budget): string {
  const isSkipped: IsLeftOut = (node) => isHidden(node) || isLeftOut(node);
  const texts = roots.map((root) => readableText(root, MAX_PAGE_CHARS, budget, isSkipped));
  return cutText(texts.filter((text) => text !== '').join('\n'), MAX_PAGE_CHARS);
}

/** Texts for a border of a block, and for a `br`. */
interface Borders {
  readonly block: string;
  readonly br: string;
}

/** No text has NUL: parsers drop or replace it. */
const NOTHING: Borders = { block: '', br: '' };
const SPACES: Borders = { block: ' ', br: ' ' };
const LINES: Borders = { block: '\0', br: '\0' };
const MARKS: Borders = { block: '\0-', br: '\0b' };

function read(
  element: Node,
  { block, br }: Borders,
  isLeftOut: IsLeftOut,
  budget: Budget,
  rewrite = rewriteFormula,
): string {
  const root = element.content ?? element;
  let text = '';
  let node = root.first;
  while (node !== null) {
    if (node.kind === NodeKind.text) {
      budget.spendReading(node.value.length);
      text += node.value;
    } else {
      budget.spend(1);
      if (partsWords(node)) text += node.name === 'br' ? br : block;
      if (node.first !== null && !isLeftOut(node)) {
        const rewritten = rewrite(text, node);
        if (rewritten === undefined) {
          node = node.first;
          continue;
        }
        text = rewritten;
      }
    }
    while (node.next === null) {
      const parent: Node | null = node.parent;
      if (parent === null || parent === root) return text;
      if (partsWordsByName(parent.name, parent.namespace)) text += block;
      node = parent;
    }
    node = node.next;
  }
  return text;
}

/** Size of the pieces of a long text: replacing in all of it at once would take many times its size in memory. */
const CHUNK_CHARS = 64 * 1024;

/** Replaces each run of white space by one space and trims the ends. */
export function collapse(text: string): string {
  let collapsed = '';
  let endsInSpace = true;
  for (let start = 0; start < text.length; start += CHUNK_CHARS) {
    const chunk = text.slice(start, start + CHUNK_CHARS).replace(/\s+/g, ' ');
    collapsed += endsInSpace && chunk.startsWith(' ') ? chunk.slice(1) : chunk;
    endsInSpace = chunk.endsWith(' ');
  }
  return endsInSpace ? collapsed.trimEnd() : collapsed;
}

/**
 * Returns true if the text of the node is code, or another form of a formula, and not content: that of a noscript in the head is
 * markup. SVG has its own script and style, other XML has none.
 */
export function isUnseen(node: Node): boolean {
  const { kind, name, namespace } = node;
  if (kind !== NodeKind.element) return false;
  if (namespace === Namespace.mathml) return name === 'annotation';
  if (isDrawnFormula(node)) return true;
  if (name === 'template') return namespace === Namespace.html;
  if (name === 'noscript') return namespace === Namespace.html && node.parent?.name === 'head';
  if (name !== 'script' && name !== 'style') return false;
  return (namespace === Namespace.html && !isTexScript(node)) || namespace === Namespace.svg;
}

/** Returns true if the node has nothing that a reader of the page sees. */
export function isHidden(node: Node): boolean {
  return isUnseen(node) || isHtmlElement(node, 'noscript');
}
