import type { Budget } from '../budget.ts';
import { isHeadingTool } from '../dom/heading-tools.ts';
import { isHtmlElement, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import type { IsLeftOut } from '../read/text-of.ts';
import { isForeign, isSurrounding, type Strictness } from './element-roles.ts';

/** Measures of the elements of a document, by their order. Elements that are left out count nothing. */
export interface Measures {
  /** 1 for elements that are left out with all inside. */
  readonly isLeftOut: Uint8Array;
  /** Characters of text, runs of white space counted once. */
  readonly chars: Float64Array;
  /** Characters of text inside links. */
  readonly linkChars: Float64Array;
  /** Commas of all scripts, a sign of sentences. */
  readonly commas: Float64Array;
  readonly strictness: Strictness;
  /** Characters and commas of the element itself and of inline elements in it, without those of blocks in it. */
  readonly ownChars: Float64Array;
  readonly ownCommas: Float64Array;
}

/** Share of the elements of a page in a container that is never left out. */
const CONTAINER_SHARE = 0.5;

/** Measures all elements in one pass over the nodes and one over the elements; those that are excluded are left out as well. */
export function measureElements(
  document: ParsedDocument,
  { strictness, isExcluded }: { readonly strictness: Strictness; readonly isExcluded: IsLeftOut },
  budget: Budget,
): Measures {
  const { root, elements, parents, ends } = document;
  const count = elements.length;
  budget.spend(2 * count);
  const measures: Measures = {
    strictness,
    isLeftOut: new Uint8Array(count),
    chars: new Float64Array(count),
    linkChars: new Float64Array(count),
    commas: new Float64Array(count),
    ownChars: new Float64Array(count),
    ownCommas: new Float64Array(count),
  };
  /** For each element, the order of the block that its text belongs to, and 1 inside links. */
  const blocks = new Int32Array(count);
  const inLink = new Uint8Array(count);
  let node: Node | null = root;
  while (node !== null) {
    const { kind } = node;
    if (kind === NodeKind.text) addText(node, { measures, blocks, inLink }, budget);
    if (kind !== NodeKind.element) {
      node = nextInside(root, node);
      continue;
    }
    const { order } = node;
    const parent = parents[order] as number;
    // An element with most of the page in it, such as a form around all of it, is a container.
    const isMost = (ends[order] as number) - order > count * CONTAINER_SHARE;
    if (isExcluded(node) || isHeadingTool(node) || (!isMost && isOutside(node, strictness))) {
      measures.isLeftOut[order] = 1;
      node = nextAfter(root, node);
      continue;
    }
    blocks[order] = isHtmlBlock(node) || parent < 0 ? order : (blocks[parent] as number);
    inLink[order] = isHtmlElement(node, 'a') || (parent >= 0 && inLink[parent] === 1) ? 1 : 0;
    node = nextInside(root, node);
  }
  addUp(measures, parents);
  return measures;
}

/** Returns true for an element that is left out; a lenient reading ignores names of classes, and reads forms. */
function isOutside(element: Node, strictness: Strictness): boolean {
  if (strictness === 'strict') return isForeign(element) || isSurrounding(element);
  return isForeign(element) && !isHtmlElement(element, 'form');
}

interface TextState {
  readonly measures: Measures;
  readonly blocks: Int32Array;
  readonly inLink: Uint8Array;
}

function addText({ value, parent }: Node, { measures, blocks, inLink }: TextState, budget: Budget): void {
  budget.spendReading(value.length);
  const order = parent?.order ?? -1;
  if (order < 0) return;
  const { chars, commas } = countText(value);
  if (chars === 0) return;
  const block = blocks[order] as number;
  measures.chars[order] = (measures.chars[order] as number) + chars;
  measures.commas[order] = (measures.commas[order] as number) + commas;
  measures.ownChars[block] = (measures.ownChars[block] as number) + chars;
  measures.ownCommas[block] = (measures.ownCommas[block] as number) + commas;
  if (inLink[order] === 1) measures.linkChars[order] = (measures.linkChars[order] as number) + chars;
}

const COMMAS = new Set(
  [...',\u060c\ufe50\ufe10\ufe11\u2e41\u2e34\u2e32\uff0c\u3001\u3002'].map((c) => c.charCodeAt(0)),
);

/** Counts the characters of a text with white space collapsed, and its commas. */
function countText(text: string): { chars: number; commas: number } {
  let [chars, commas] = [0, 0];
  let isSpace = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 160) {
      isSpace = true;
      continue;
    }
    if (isSpace && chars > 0) chars++;
    isSpace = false;
    chars++;
    if (code === 44 || (code > 1000 && COMMAS.has(code))) commas++;
  }
  return { chars, commas };
}

/** Adds the measures of each element to its parent, children before parents. */
function addUp({ chars, linkChars, commas }: Measures, parents: Int32Array): void {
  for (let order = parents.length - 1; order > 0; order--) {
    const parent = parents[order] as number;
    if (parent < 0) continue;
    for (const values of [chars, linkChars, commas]) {
      values[parent] = (values[parent] as number) + (values[order] as number);
    }
  }
}

/** Returns the share of the text of an element that is inside links, from 0 to 1. */
export function linkDensity({ chars, linkChars }: Measures, order: number): number {
  const all = chars[order] as number;
  return all === 0 ? 0 : (linkChars[order] as number) / all;
}
