import type { Budget } from '../budget.ts';
import { attributeOf, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { isParagraph, weightOf } from './element-roles.ts';
import { firstHeading, linkDensity, type Measures } from './measure-elements.ts';

/** Shortest text that counts as a paragraph, in characters. */
const MIN_PARAGRAPH_CHARS = 25;
const ANCESTORS = 5;

/** Elements that make up an article: siblings, in document order. */
export type Content = readonly number[];

/** Finds the elements whose text is the article; none if no element holds paragraphs. */
export function findContent(document: ParsedDocument, measures: Measures, budget: Budget): Content {
  const scores = scoreElements(document, measures, budget);
  const top = widen(document, measures, findTop(document, measures, scores));
  return top < 0 ? [] : withSiblings(document, { measures, scores, top });
}

/** Gives each paragraph's score to the elements around it: all to its parent, half to the next, and less above. */
function scoreElements(
  { elements, parents }: ParsedDocument,
  measures: Measures,
  budget: Budget,
): Float64Array {
  budget.spend(elements.length);
  const scores = new Float64Array(elements.length);
  for (const element of elements) {
    const { order } = element;
    const chars = measures.ownChars[order] as number;
    if (chars < MIN_PARAGRAPH_CHARS) continue;
    const isOwn = isParagraph(element);
    const long = isOwn ? Math.min(3, chars / 100) : Math.min(3, chars / 100) + chars / 300;
    const score = (1 + (measures.ownCommas[order] as number) + long) * (1 - linkDensity(measures, order));
    let ancestor = isOwn ? (parents[order] as number) : order;
    for (let level = 0; level < ANCESTORS && ancestor >= 0; level++) {
      const share = level === 0 ? 1 : level === 1 ? 0.5 : 1 / (level * 3);
      scores[ancestor] = (scores[ancestor] as number) + score * share;
      ancestor = parents[ancestor] as number;
    }
  }
  for (const element of elements) {
    const { order } = element;
    const score = scores[order] as number;
    if (score === 0) continue;
    scores[order] = (score + initialScore(element, measures)) * (1 - linkDensity(measures, order));
  }
  return scores;
}

const INITIAL: Readonly<Record<string, number>> = {
  article: 8,
  main: 4,
  section: 2,
  div: 5,
  pre: 3,
  td: 3,
  blockquote: 3,
  address: -3,
  ol: -3,
  ul: -3,
  dl: -3,
  dd: -3,
  dt: -3,
  li: -3,
  h1: -5,
  h2: -5,
  h3: -5,
  h4: -5,
  th: -5,
};

function initialScore(element: Node, { strictness }: Measures): number {
  return (INITIAL[element.name] ?? 0) + weightOf(element, strictness);
}

/** Returns the order of the element that holds the article, or -1. */
function findTop({ elements, parents }: ParsedDocument, measures: Measures, scores: Float64Array): number {
  let top = -1;
  for (let order = 0; order < scores.length; order++) {
    if ((scores[order] as number) > (top < 0 ? 0 : (scores[top] as number))) top = order;
  }
  if (top < 0) return -1;
  // A parent with a higher score holds more of the article; one with a much lower score holds other things as well.
  let last = scores[top] as number;
  const threshold = last / 3;
  for (let parent = parents[top] as number; parent >= 0; parent = parents[parent] as number) {
    const score = scores[parent] as number;
    if (elements[parent]?.name === 'body' || score < threshold) break;
    if (score > last) {
      top = parent;
      break;
    }
    last = score;
  }
  // An element that holds all of its parent's text may as well be the parent, whose siblings are then looked at.
  for (let parent = parents[top] as number; parent >= 0; parent = parents[top] as number) {
    if (elements[parent]?.name === 'body') break;
    if ((measures.chars[parent] as number) > (measures.chars[top] as number)) break;
    top = parent;
  }
  return outOfTable(elements, parents, top);
}

/** Returns what a table with a head stands in for a cell of it, and any other element as it is. */
function outOfTable(elements: readonly Node[], parents: Int32Array, top: number): number {
  for (let order = top; order >= 0; order = parents[order] as number) {
    const { name, first, parent } = elements[order] as Node;
    if (!TABLE_PARTS.has(name)) return top;
    if (name !== 'table') continue;
    for (let part = first; part !== null; part = part.next) {
      if (part.name === 'thead' && parent !== null && parent.order >= 0) return parent.order;
    }
    return top;
  }
  return top;
}

const TABLE_PARTS = new Set(['table', 'tbody', 'td', 'tr']);

/** Least share of prose in the text an ancestor adds for it to be part of the article. */
const MIN_PROSE_SHARE = 0.6;
/** Length from which a paragraph with few links is prose, in characters. */
const PROSE_CHARS = 80;

/** Returns the common ancestor of all parts of an article split into several containers. */
function widen({ elements, parents }: ParsedDocument, measures: Measures, top: number): number {
  if (top < 0) return top;
  const prose = addUpProse(elements, parents, measures);
  let widest = top;
  for (let order = parents[top] as number; order >= 0; order = parents[order] as number) {
    if (elements[order]?.name === 'html') break;
    const added = (prose[order] as number) - (prose[widest] as number);
    const addedChars = (measures.chars[order] as number) - (measures.chars[widest] as number);
    if (added > 0.1 * (prose[widest] as number) && added > MIN_PROSE_SHARE * addedChars) widest = order;
  }
  return widest;
}

function addUpProse(elements: readonly Node[], parents: Int32Array, measures: Measures): Float64Array {
  const prose = new Float64Array(elements.length);
  for (let order = elements.length - 1; order >= 0; order--) {
    const chars = measures.ownChars[order] as number;
    const isProse =
      elements[order]?.name === 'p' && chars >= PROSE_CHARS && linkDensity(measures, order) < 0.3;
    if (isProse) prose[order] = (prose[order] as number) + chars;
    const parent = parents[order] as number;
    if (parent >= 0) prose[parent] = (prose[parent] as number) + (prose[order] as number);
  }
  return prose;
}

interface TopState {
  readonly measures: Measures;
  readonly scores: Float64Array;
  readonly top: number;
}

/** Adds the siblings of the top element in the article: paragraphs, and elements with a similar score. */
function withSiblings({ elements }: ParsedDocument, { measures, scores, top }: TopState): Content {
  const topScore = scores[top] as number;
  const threshold = Math.max(10, topScore * 0.2);
  const content: number[] = [];
  const first = elements[top]?.parent?.first ?? null;
  const sections = sectionsBeside(elements[top] as Node, measures);
  for (let sibling = first; sibling !== null; sibling = sibling.next) {
    const { order } = sibling;
    if (order < 0 || measures.isLeftOut[order] === 1) continue;
    const isContent = sections.has(order) || belongs(sibling, { measures, scores, top }, threshold);
    if (order === top || isContent) content.push(order);
  }
  return content.length === 0 ? [top] : content;
}

/** Boxes around the heading of a section. */
const HEADING_LEVELS = 5;
/** Share of links in a section of a text. */
const MAX_SECTION_LINKS = 0.33;

/** Returns the sections of a text that is divided into boxes of one class, each with a heading of one level. */
function sectionsBeside(top: Node, measures: Measures): ReadonlySet<number> {
  const sections = new Set<number>();
  const heading = top.name === 'div' || top.name === 'section' ? firstHeading(top, HEADING_LEVELS) : null;
  if (heading === null) return sections;
  const className = attributeOf(top, 'class') ?? '';
  let equal = 0;
  for (let node = top.parent?.first ?? null; node !== null; node = node.next) {
    if (node.name !== top.name || firstHeading(node, HEADING_LEVELS)?.name !== heading.name) continue;
    if ((measures.chars[node.order] as number) === 0 || linkDensity(measures, node.order) > MAX_SECTION_LINKS)
      continue;
    sections.add(node.order);
    if (className !== '' && attributeOf(node, 'class') === className) equal++;
  }
  return equal >= MIN_SECTIONS ? sections : new Set();
}

/** Boxes of one class that make up a text. */
const MIN_SECTIONS = 3;

function belongs(sibling: Node, { measures, scores }: TopState, threshold: number): boolean {
  const { order } = sibling;
  if ((scores[order] as number) >= threshold) return true;
  if (sibling.name !== 'p') return false;
  const chars = measures.chars[order] as number;
  const density = linkDensity(measures, order);
  return chars > 80 ? density < 0.25 : chars > 0 && density === 0 && (measures.commas[order] as number) > 0;
}
