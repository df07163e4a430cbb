import type { Budget } from '../budget.ts';
import { type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { namesOf, weightOf } from './element-roles.ts';
import type { Content } from './find-content.ts';
import { linkDensity, type Measures } from './measure-elements.ts';

/** Returns a test for nodes inside the content that do not belong to the article. */
export function findLeftOut(
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
  if (name === 'h1' || name === 'figcaption' || isCredit(element, inside.measures)) return true;
  if (/^h[2-6]$/.test(name)) return isPoorHeading(element, inside.measures);
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
  if (density > (weight < 25 ? 0.33 : 0.5)) return true;
  if (!isList && items > paragraphs + 100) return true;
  return (measures.chars[order] as number) < MIN_BOX_CHARS && images === 0 && density > 0 && paragraphs === 0;
}

const MIN_BOX_CHARS = 25;

function isPoorHeading(element: Node, measures: Measures): boolean {
  return weightOf(element, measures.strictness) < 0 || linkDensity(measures, element.order) > 0.9;
}
