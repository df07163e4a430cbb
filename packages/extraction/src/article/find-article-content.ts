import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { type IsLeftOut, isUnseen, textOf } from '../read/text-of.ts';
import { isForeign, namesOf, weightOf } from './element-roles.ts';
import { type Content, findContent } from './find-content.ts';
import { linkDensity, type Measures, measureElements } from './measure-elements.ts';

/** Content of an article. */
export interface ArticleContent {
  /** Siblings in document order. */
  readonly roots: readonly Node[];
  /** Returns true for nodes inside the roots that do not belong to the article. */
  readonly isLeftOut: (node: Node) => boolean;
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
  return found ?? findMain(document, isExcluded, budget);
}

function findMain(
  { elements }: ParsedDocument,
  isExcluded: IsLeftOut,
  budget: Budget,
): ArticleContent | undefined {
  budget.spend(elements.length);
  const main =
    elements.find((element) => isHtmlElement(element, 'main') || attributeOf(element, 'role') === 'main') ??
    elements.find((element) => isHtmlElement(element, 'article'));
  const isLeftOut = (node: Node): boolean =>
    node.kind === NodeKind.element && (isExcluded(node) || isForeign(node));
  if (main === undefined || textOf(main, budget, (node) => isUnseen(node) || isLeftOut(node)) === '')
    return undefined;
  return { roots: [main], isLeftOut };
}

function findWith(
  document: ParsedDocument,
  reading: Parameters<typeof measureElements>[1],
  budget: Budget,
): (ArticleContent & { readonly chars: number }) | undefined {
  const measures = measureElements(document, reading, budget);
  const content = findContent(document, measures, budget);
  if (content.length === 0) return undefined;
  const chars = content.reduce(
    (sum, order) => sum + (measures.chars[order] as number) * (1 - linkDensity(measures, order)),
    0,
  );
  return {
    roots: content.map((order) => document.elements[order] as Node),
    isLeftOut: findLeftOut(document, content, measures, budget),
    chars,
  };
}

/** Returns a test for nodes inside the content that do not belong to the article. */
function findLeftOut(
  document: ParsedDocument,
  content: Content,
  measures: Measures,
  budget: Budget,
): (node: Node) => boolean {
  const counts = countInside(document, measures, budget);
  const roots = new Set(content);
  return (node) => {
    if (node.kind !== NodeKind.element) return node.kind !== NodeKind.text;
    budget.spend(STEPS_PER_TEST);
    return !roots.has(node.order) && isLeftOut(node, { measures, counts });
  };
}

/** Cost of testing one element: its names are compared with several patterns. */
const STEPS_PER_TEST = 8;

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
    add(counts.images, name === 'img');
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
  if (order < 0 || inside.measures.isLeftOut[order] === 1) return true;
  if (name === 'figcaption' || (name !== 'h1' && isCredit(element, inside.measures))) return true;
  if (/^h[1-6]$/.test(name)) return isPoorHeading(element, inside.measures);
  if (name === 'p') return isLinkLine(element, inside.measures);
  return BOXES.has(name) && isPoorBox(element, inside);
}

const CREDIT_NAMES = /byline|dateline|timestamp|publish|author|posted|updated|caption|credit|copyright/i;
const MAX_CREDIT_CHARS = 200;

/** Returns true for a short text whose names say that it is about the article: its author, its date, a caption. */
function isCredit(element: Node, { chars }: Measures): boolean {
  return (
    (chars[element.order] as number) < MAX_CREDIT_CHARS && CREDIT_NAMES.test(namesOf(element).slice(0, 500))
  );
}

/** Returns true for a line that only leads elsewhere. */
function isLinkLine({ order }: Node, measures: Measures): boolean {
  return (measures.chars[order] as number) < MAX_CREDIT_CHARS && linkDensity(measures, order) > 0.75;
}

function isPoorBox(element: Node, { measures, counts }: Inside): boolean {
  const { order, name } = element;
  const weight = weightOf(element, measures.strictness);
  const commas = measures.commas[order] as number;
  if (weight < 0 && commas < CERTAIN_COMMAS) return true;
  if (commas >= CERTAIN_COMMAS) return false;
  const density = linkDensity(measures, order);
  const [paragraphs, images, items] = [counts.paragraphs, counts.images, counts.items].map(
    (values) => values[order] as number,
  ) as [number, number, number];
  if (name === 'figure' || name === 'header') return false;
  const isList = name === 'ul' || name === 'ol' || name === 'dl';
  if (density > (weight < 25 ? 0.33 : 0.5)) return !isListOfLinks(element);
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

function firstElement({ first }: Node): Node | null {
  let node = first;
  while (node !== null && node.kind !== NodeKind.element) node = node.next;
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

function isPoorHeading(element: Node, measures: Measures): boolean {
  return weightOf(element, measures.strictness) < 0 || linkDensity(measures, element.order) > 0.9;
}
