import type { Budget } from '../budget.ts';
import { isAdmonition } from '../dom/admonition.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { roleOf } from '../dom/role-of.ts';
import { type IsLeftOut, isUnseen, textOf } from '../read/text-of.ts';
import { AROUND, CAPTION, CREDIT } from './element-names.ts';
import { isForeign, weightOf } from './element-roles.ts';
import { type Content, findContent } from './find-content.ts';
import { linkDensity, type Measures, measureElements } from './measure-elements.ts';

/** Content of an article. */
export interface ArticleContent {
  /** Siblings in document order. */
  readonly roots: readonly Node[];
  /** Returns true for nodes inside the roots, and between them and the heading, that do not belong to the article. */
  readonly isLeftOut: (node: Node) => boolean;
  /** Returns what stands between the heading of the article and its roots, such as a standfirst. */
  readonly findLead: (heading: Node) => readonly Node[];
}

/** Length below which a stricter reading may have left out the article itself, in characters. */
const SHORT_CHARS = 250;

/**
 * Finds the article of a page, without elements that are excluded; returns undefined if no element holds paragraphs, and none is
 * marked as the main content.
 */
export function findArticleContent(
  document: ParsedDocument,
  isExcluded: IsLeftOut,
  budget: Budget,
): ArticleContent | undefined {
  const strict = findWith(document, { strictness: 'strict', isExcluded }, budget);
  if (strict && strict.chars >= SHORT_CHARS) return strict;
  const lenient = findWith(document, { strictness: 'lenient', isExcluded }, budget);
  const found = lenient && lenient.chars > 2 * (strict?.chars ?? 0) ? lenient : strict;
  return found && found.chars > 0 ? found : findMain(document, isExcluded, budget);
}

function findMain(
  { elements }: ParsedDocument,
  isExcluded: IsLeftOut,
  budget: Budget,
): ArticleContent | undefined {
  budget.spend(elements.length);
  const main =
    elements.find((element) => isHtmlElement(element, 'main') || roleOf(element) === 'main') ??
    elements.find((element) => isHtmlElement(element, 'article'));
  const isLeftOut = (node: Node): boolean =>
    node.kind === NodeKind.element && (isExcluded(node) || isForeign(node));
  if (main === undefined || textOf(main, budget, (node) => isUnseen(node) || isLeftOut(node)) === '')
    return undefined;
  return { roots: [main], isLeftOut, findLead: () => [] };
}

function findWith(
  document: ParsedDocument,
  reading: Parameters<typeof measureElements>[1],
  budget: Budget,
): (ArticleContent & { readonly chars: number }) | undefined {
  const measures = measureElements(document, reading, budget);
  const content = findContent(document, measures, budget);
  if (content.length === 0) return undefined;
  const cut = cutContent(document, content, measures, budget);
  const isLeftOut = ({ kind, order }: Node): boolean =>
    kind === NodeKind.element ? order < 0 || cut[order] === 1 : kind !== NodeKind.text;
  return {
    roots: content.map((order) => document.elements[order] as Node),
    isLeftOut,
    findLead: (heading) =>
      findLead(document, { start: heading, end: content[0] as number }, { cut, measures }, budget),
    chars: countKept(document, content, { cut, measures }),
  };
}

/** Cost of testing one element: its names are compared with several patterns. */
const STEPS_PER_TEST = 8;

/** Returns 1 for elements that do not belong to the article: outside of the content, they are those that its measures leave out. */
function cutContent(
  document: ParsedDocument,
  content: Content,
  measures: Measures,
  budget: Budget,
): Uint8Array {
  const { elements, ends } = document;
  const counts = countInside(document, measures, budget);
  const cut = measures.isLeftOut.slice();
  const last = content.at(-1) as number;
  const end = ends[last] as number;
  const roots = new Set(content);
  budget.spend(end * STEPS_PER_TEST);
  for (let order = 0; order < end; order++) {
    // Around the content nothing is cut, and before it what may be its lead.
    const isOuter = (order < last && (ends[order] as number) >= end) || roots.has(order);
    if (isOuter || (cut[order] === 0 && !isLeftOut(elements[order] as Node, { measures, counts }))) continue;
    cut[order] = 1;
    order = (ends[order] as number) - 1;
  }
  for (const root of content) cutHeadings(document, root, { cut, measures });
  return cut;
}

/**
 * Cuts headings behind which nothing is left up to the next heading of their level, and those that lead elsewhere without
 * running text behind them: they belong to what was cut.
 */
function cutHeadings({ elements, ends }: ParsedDocument, root: number, { cut, measures }: Kept): void {
  /** Headings whose sections are open, the outermost first. */
  const open: Section[] = [];
  const close = (level: number): void => {
    for (let section = open.at(-1); section !== undefined && section.level >= level; section = open.at(-1)) {
      open.pop();
      const isEmpty = section.wasCut && section.chars === 0;
      const isTeaser = section.prose === 0 && linkDensity(measures, section.order) > LINK_SHARE;
      if (isEmpty || isTeaser) cut[section.order] = 1;
      const outer = open.at(-1);
      if (outer === undefined) continue;
      outer.chars += isEmpty || isTeaser ? 0 : section.chars + 1;
      outer.prose += section.prose;
      outer.wasCut ||= section.wasCut || isTeaser;
    }
  };
  const end = ends[root] as number;
  for (let order = root + 1; order < end; order++) {
    const section = open.at(-1);
    const element = elements[order] as Node;
    if (cut[order] === 1) {
      if (section !== undefined && !isCode(element)) section.wasCut = true;
      order = (ends[order] as number) - 1;
    } else if (/^h[1-6]$/.test(element.name)) {
      const level = Number(element.name.slice(1));
      close(level);
      open.push({ order, level, chars: 0, prose: 0, wasCut: false });
      order = (ends[order] as number) - 1;
    } else if (section !== undefined) {
      const own = measures.ownChars[order] as number;
      section.chars += own + (element.name === 'img' ? 1 : 0);
      if (own >= MIN_PROSE_CHARS && (measures.prose[order] as number) > 0) section.prose += own;
    }
  }
  close(0);
}

interface Section {
  readonly order: number;
  readonly level: number;
  chars: number;
  prose: number;
  wasCut: boolean;
}

interface Kept {
  readonly cut: Uint8Array;
  readonly measures: Measures;
}

const LINK_SHARE = 0.9;
const MIN_PROSE_CHARS = 25;

/** Returns true for elements of which a reader sees nothing. */
function isCode({ name }: Node): boolean {
  return name === 'script' || name === 'style' || name === 'template' || name === 'noscript';
}

/** Returns the number of characters of the article that are not in links. */
function countKept({ ends }: ParsedDocument, content: Content, { cut, measures }: Kept): number {
  let kept = 0;
  for (const root of content) {
    const end = ends[root] as number;
    for (let order = root; order < end; order++) {
      if (order > root && cut[order] === 1) order = (ends[order] as number) - 1;
      else kept += (measures.ownChars[order] as number) * (1 - linkDensity(measures, order));
    }
  }
  return kept;
}

interface Between {
  /** Heading before the content. */
  readonly start: Node;
  /** Order of the first element of the content. */
  readonly end: number;
}

/** Finds the outermost elements with running text, and the figures, between a heading and the content: its standfirst. */
function findLead(
  { elements, ends }: ParsedDocument,
  { start, end }: Between,
  { cut, measures }: Kept,
  budget: Budget,
): readonly Node[] {
  const lead: Node[] = [];
  const first = ends[start.order] as number;
  budget.spend(Math.max(0, end - first));
  for (let order = first; order < end; order++) {
    const element = elements[order] as Node;
    const isAround = (ends[order] as number) > end;
    const isOut = cut[order] === 1;
    if (isAround && !isOut) continue;
    const chars = measures.chars[order] as number;
    const isText = (measures.prose[order] as number) > 0.8 * chars && measures.blocks[order] === order;
    if (!isOut && !isAround && (isText || element.name === 'figure')) lead.push(element);
    else if (!isOut && chars > 0 && !isText) continue;
    order = Math.max(order, (ends[order] as number) - 1);
  }
  return lead;
}

/** Numbers of elements inside each element. */
interface Counts {
  readonly paragraphs: Float64Array;
  readonly images: Float64Array;
  readonly items: Float64Array;
}

function countInside({ elements, parents }: ParsedDocument, { isLeftOut }: Measures, budget: Budget): Counts {
  budget.spend(elements.length);
  const counts: Counts = {
    paragraphs: new Float64Array(elements.length),
    images: new Float64Array(elements.length),
    items: new Float64Array(elements.length),
  };
  for (let order = elements.length - 1; order > 0; order--) {
    if (isLeftOut[order] === 1) continue;
    const { name } = elements[order] as Node;
    const parent = parents[order] as number;
    if (parent < 0) continue;
    const add = (values: Float64Array, isCounted: boolean): void => {
      values[parent] = (values[parent] as number) + (values[order] as number) + (isCounted ? 1 : 0);
    };
    add(counts.paragraphs, name === 'p');
    add(counts.images, name === 'img' || name === 'picture' || name === 'video');
    add(counts.items, name === 'li');
  }
  return counts;
}

const BOXES = new Set('div section table ul ol dl fieldset header figure'.split(' '));
/** Boxes with more sentences are part of the article, whatever their links. */
const CERTAIN_COMMAS = 10;

interface Inside {
  readonly measures: Measures;
  readonly counts: Counts;
}

function isLeftOut(element: Node, inside: Inside): boolean {
  const { order, name } = element;
  if (order < 0) return true;
  if (/^h[1-6]$/.test(name)) return false;
  if (name === 'figcaption' || isCredit(element, inside)) return true;
  if (name === 'p')
    return !isAllOfItem(element) && !isInNote(element) && isLinkLine(element, inside.measures);
  if (!BOXES.has(name) || !isPoorBox(element, inside)) return false;
  return !isAdmonition(element) && !isPartOfItem(element, inside.measures);
}

/** Tells whether a paragraph is all of an item, a definition or a cell, which is left out with its list or table, or not at all. */
function isAllOfItem({ parent, previous, next }: Node): boolean {
  if (parent === null || !(parent.name === 'td' || parent.name === 'th' || isItem(parent))) return false;
  return [previous, next].every(
    (node) => node === null || (node.kind === NodeKind.text && node.value.trim() === ''),
  );
}

/** Tells whether a paragraph stands in a note, or in the box of its text. */
function isInNote({ parent }: Node): boolean {
  return [parent, parent?.parent].some((around) => around && isAdmonition(around));
}

function isItem({ name }: Node): boolean {
  return name === 'li' || name === 'dd';
}

/** Tells whether a box is a part of an item or a definition that has more text than links. */
function isPartOfItem({ parent }: Node, measures: Measures): boolean {
  return parent !== null && isItem(parent) && linkDensity(measures, parent.order) < MAX_ITEM_LINKS;
}

/** Share of links in the text of an item up to which its parts belong to it. */
const MAX_ITEM_LINKS = 0.33;

const MAX_CREDIT_CHARS = 200;

/**
 * Returns true for a credit of the article, such as its author or date: a short text with such names and
 * without a sentence; for an inline element, only if its block has hardly anything else. A caption is beside
 * a picture.
 */
function isCredit({ order, parent }: Node, { measures, counts }: Inside): boolean {
  const names = measures.names[order] as number;
  const chars = measures.chars[order] as number;
  if (names === 0 || chars >= MAX_CAPTION_CHARS) return false;
  if (names & CAPTION && parent !== null && parent.order >= 0 && (counts.images[parent.order] as number) > 0)
    return (counts.paragraphs[parent.order] as number) <= MAX_CAPTIONS;
  if (chars >= MAX_CREDIT_CHARS) return false;
  const block = measures.blocks[order] as number;
  if ((measures.prose[block] as number) > 0) return false;
  if (block === order) return (names & CREDIT) > 0;
  const named = measures.ownNamedChars[block] as number;
  return (names & (AROUND | CREDIT)) > 0 && named > NAMED_SHARE * (measures.ownChars[block] as number);
}

const MAX_CAPTION_CHARS = 500;
/** Share of its block from which an inline element stands alone in it, with a word such as "By". */
const NAMED_SHARE = 0.7;
const MAX_CAPTIONS = 2;

/** Returns true for a line that only leads elsewhere. */
function isLinkLine({ order }: Node, measures: Measures): boolean {
  return (measures.chars[order] as number) < MAX_CREDIT_CHARS && linkDensity(measures, order) > 0.75;
}

function isPoorBox(element: Node, { measures, counts }: Inside): boolean {
  const { order, name } = element;
  const weight = weightOf(element, measures.strictness);
  const commas = measures.commas[order] as number;
  if (commas >= CERTAIN_COMMAS) return false;
  const density = linkDensity(measures, order);
  const [paragraphs, images, items] = [counts.paragraphs, counts.images, counts.items].map(
    (values) => values[order] as number,
  ) as [number, number, number];
  if (name === 'figure' || name === 'header') return false;
  const isList = name === 'ul' || name === 'ol' || name === 'dl';
  if (density > (weight < 25 ? 0.33 : 0.5))
    return !isListOfLinks(element) && !(isList && isIntroduced(element, density));
  if (!isList && items > paragraphs + 100) return true;
  return (measures.chars[order] as number) < MIN_BOX_CHARS && images === 0 && density > 0 && paragraphs === 0;
}

/** Headings of links that are not about the article. */
const ELSEWHERE =
  /related|more (?:from|on|in|stories|news|articles)|read (?:more|next)|share|tags|topics|categories|popular|latest|recent|recommend|you (?:may|might)|trending|newsletter|follow|^more$/i;

/** Returns true for a list with a heading of its own, such as "See also", and for the section that they make up. */
function isListOfLinks(element: Node): boolean {
  const isList = element.name === 'ul' || element.name === 'ol' || element.name === 'dl';
  if (!isList && element.name !== 'section') return false;
  const heading = headingIn(isList ? elementBefore(element) : firstElement(element));
  return heading !== null && !ELSEWHERE.test(textStart(heading));
}

/** Share of links in a list up to which a paragraph before it speaks for the list. */
const MAX_LIST_LINKS = 0.75;

/** Returns true for a list behind a paragraph that ends with a colon: of more than links, of places in the page, or in an item. */
function isIntroduced(list: Node, density: number): boolean {
  const before = elementBefore(list);
  const isInItem = list.parent !== null && isItem(list.parent);
  if (density > MAX_LIST_LINKS && !isInItem && !leadsInside(list)) return false;
  if (before?.name !== 'p' || ELSEWHERE.test(textStart(before))) return false;
  let last: Node = before;
  while (last.last !== null) last = last.last;
  return /[:\uff1a]\s*$/.test(last.value.slice(-20));
}

/** Returns true if the first link of a list leads to a place in the page. */
function leadsInside(list: Node): boolean {
  let node: Node | null = list;
  for (let count = 0; node !== null && count < MAX_NODES; count++) {
    if (isHtmlElement(node, 'a')) return attributeOf(node, 'href')?.startsWith('#') === true;
    node = nextInside(list, node);
  }
  return false;
}

const MAX_NODES = 32;

/** Returns a heading, or the one that is the first element of a box around it, as in Wikipedia. */
function headingIn(element: Node | null): Node | null {
  const heading = element?.name === 'div' ? firstElement(element) : element;
  return heading && /^h[2-6]$/.test(heading.name) ? heading : null;
}

function elementBefore({ previous }: Node): Node | null {
  let node = previous;
  while (node !== null && node.kind !== NodeKind.element) node = node.previous;
  return node;
}

/** Returns the first element that is more than a target of links. */
function firstElement({ first }: Node): Node | null {
  let node = first;
  while (node !== null && (node.kind !== NodeKind.element || (node.name === 'span' && node.first === null)))
    node = node.next;
  return node;
}

function textStart(heading: Node): string {
  let text = '';
  for (let node = heading.first; node !== null && text.length < 100; node = nextInside(heading, node)) {
    if (node.kind === NodeKind.text) text += node.value.slice(0, 100);
  }
  return text.trim();
}

const MIN_BOX_CHARS = 25;
