import type { Budget } from '../budget.ts';
import { isHeadingTool } from '../dom/heading-tools.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import { type IsLeftOut, textOf } from '../read/text-of.ts';
import { countText } from './count-text.ts';
import { AROUND, CONTENT_NAME, CREDIT, NAVIGATION, readNames } from './element-names.ts';
import { isBox, isForeign, type Strictness } from './element-roles.ts';

/** Measures of the elements of a document, by their order. Elements that are left out count nothing. */
export interface Measures {
  /** 1 for elements that are left out with all inside. */
  readonly isLeftOut: Uint8Array;
  /** Characters of text, runs of white space counted once. */
  readonly chars: Float64Array;
  /** Characters of text inside links that lead elsewhere. */
  readonly linkChars: Float64Array;
  /** Characters of running text: of blocks that have sentences, without their links. */
  readonly prose: Float64Array;
  /** Commas of all scripts, a sign of sentences. */
  readonly commas: Float64Array;
  readonly strictness: Strictness;
  /** Characters and commas of the element itself and of inline elements in it, without those of blocks in it. */
  readonly ownChars: Float64Array;
  readonly ownCommas: Float64Array;
  /** Characters of `ownChars` in inline elements whose names tell of something else than content. */
  readonly ownNamedChars: Float64Array;
  /** For each element, the order of the block that its text belongs to. */
  readonly blocks: Int32Array;
  /** For each element, the bits of what its names tell. */
  readonly names: Uint16Array;
}

/** Share of the elements of a page in a container that is never left out. */
const CONTAINER_SHARE = 0.5;

type Reading = { readonly strictness: Strictness; readonly isExcluded: IsLeftOut };

/** Measures all elements in one pass over the nodes and a few over the elements; those that are excluded are left out as well. */
export function measureElements(document: ParsedDocument, reading: Reading, budget: Budget): Measures {
  const count = document.elements.length;
  budget.spend(3 * count);
  const values = (): Float64Array => new Float64Array(count);
  const measures: Measures = {
    strictness: reading.strictness,
    isLeftOut: new Uint8Array(count),
    chars: values(),
    linkChars: values(),
    prose: values(),
    commas: values(),
    ownChars: values(),
    ownCommas: values(),
    ownNamedChars: values(),
    blocks: new Int32Array(count),
    names: new Uint16Array(count),
  };
  const owns: Owns = {
    chars: values(),
    linkChars: values(),
    commas: values(),
    blockLinkChars: values(),
    blockStops: values(),
  };
  const boxes: Boxes = {
    kinds: new Uint8Array(count),
    inner: new Uint8Array(count),
    fields: new Uint32Array(count),
  };
  measureTexts(document, reading, { measures, owns, boxes }, budget);
  fill(document, measures, owns);
  if (reading.strictness === 'lenient') return measures;
  if (leaveOutNamed(document, measures, boxes, budget)) fill(document, measures, owns);
  return measures;
}

/** Measures of the texts directly in an element, and of blocks by links and sentence ends. */
interface Owns {
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly commas: Float64Array;
  readonly blockLinkChars: Float64Array;
  readonly blockStops: Float64Array;
}

/** Kinds of boxes by their names, kinds of the boxes in them, and the numbers of form fields. */
interface Boxes {
  readonly kinds: Uint8Array;
  readonly inner: Uint8Array;
  readonly fields: Uint32Array;
}

interface State {
  readonly measures: Measures;
  readonly owns: Owns;
  readonly boxes: Boxes;
}

const FIELDS = new Set(['button', 'form', 'iframe', 'input', 'select', 'textarea']);
/** Inline elements that names can tell of: others are words of a sentence. */
const CREDIT_NAMES = new Set(['a', 'cite', 'small', 'span', 'time']);
const IN_LINK = 1;
const IN_HEADING = 2;
const IN_NAMED = 4;

function measureTexts(
  { root, elements, parents, ends }: ParsedDocument,
  { strictness, isExcluded }: Reading,
  { measures, owns, boxes }: State,
  budget: Budget,
): void {
  const { blocks, isLeftOut } = measures;
  const inside = new Uint8Array(elements.length);
  for (let node: Node | null = root; node !== null; ) {
    if (node.kind === NodeKind.text) addText(node, { measures, owns, inside }, budget);
    if (node.kind !== NodeKind.element) {
      node = nextInside(root, node);
      continue;
    }
    const { order } = node;
    const parent = parents[order] as number;
    // An element with most of the page in it, such as a form around all of it, is a container.
    const isMost = (ends[order] as number) - order > elements.length * CONTAINER_SHARE;
    if (isExcluded(node) || isHeadingTool(node) || (!isMost && isOutside(node, strictness))) {
      isLeftOut[order] = 1;
      if (parent >= 0 && FIELDS.has(node.name)) add(boxes.fields, parent, 1);
      node = nextAfter(root, node);
      continue;
    }
    const isBlock = isHtmlBlock(node) || parent < 0;
    blocks[order] = isBlock ? order : (blocks[parent] as number);
    const names = node.attributes.length === 0 ? 0 : namesIn(node, budget);
    measures.names[order] = names;
    const bits = insideOf(node, isBlock, parent < 0 ? 0 : (inside[parent] as number));
    const isNamed =
      CREDIT_NAMES.has(node.name) && (bits & IN_HEADING) === 0 && (names & (AROUND | CREDIT)) > 0;
    inside[order] = isNamed ? bits | IN_NAMED : bits;
    if (!isMost && names > 0 && isBox(node)) boxes.kinds[order] = names & AROUND;
    node = nextInside(root, node);
  }
}

/** Returns the roles in the names of an element, without an id generated from the heading inside. */
function namesIn(element: Node, budget: Budget): number {
  const names = readNames(element, isBox(element) || element.name === 'li');
  if ((names & AROUND) === 0 || !isBox(element)) return names;
  const id = attributeOf(element, 'id');
  const heading = id === undefined ? null : firstHeading(element);
  if (id === undefined || heading === null) return names;
  const isSlug = lettersOf(textOf(heading, budget)) === lettersOf(id) && lettersOf(id).length > 0;
  return isSlug ? readNames(element, false) : names;
}

/** Returns the heading that begins an element, alone or in boxes of its own; these are nested as deep as `levels`. */
export function firstHeading(element: Node, levels = 2): Node | null {
  let node = element.first;
  for (let level = 0; node !== null && level < levels; ) {
    if (node.kind !== NodeKind.element) node = node.next;
    else if (/^h[1-6]$/.test(node.name)) return node;
    else [node, level] = [node.first, level + 1];
  }
  return null;
}

function lettersOf(text: string): string {
  return text
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns true for an element that is left out; a lenient reading reads forms. */
function isOutside(element: Node, strictness: Strictness): boolean {
  return isForeign(element) && (strictness === 'strict' || !isHtmlElement(element, 'form'));
}

function insideOf(element: Node, isBlock: boolean, outer: number): number {
  let bits = isBlock ? outer & ~(IN_HEADING | IN_NAMED) : outer;
  if (/^h[1-6]$/.test(element.name)) bits |= IN_HEADING;
  if (isHtmlElement(element, 'a') && leadsElsewhere(element, (bits & IN_HEADING) > 0)) bits |= IN_LINK;
  return bits;
}

/** Returns true for links except mail and phone links, and links of a heading to itself. */
function leadsElsewhere(link: Node, isInHeading: boolean): boolean {
  const href = attributeOf(link, 'href')?.slice(0, 2000).trim();
  if (href === undefined || /^(?:mailto|tel):/i.test(href)) return false;
  return !(isInHeading && href.includes('#'));
}

function addText(
  { value, parent }: Node,
  { measures, owns, inside }: Omit<State, 'boxes'> & { readonly inside: Uint8Array },
  budget: Budget,
): void {
  budget.spendReading(value.length);
  const order = parent?.order ?? -1;
  if (order < 0) return;
  const { chars, commas, stops } = countText(value);
  if (chars === 0) return;
  const block = measures.blocks[order] as number;
  const bits = inside[order] as number;
  add(owns.chars, order, chars);
  add(owns.commas, order, commas);
  add(measures.ownChars, block, chars);
  add(measures.ownCommas, block, commas);
  if (bits & IN_NAMED) add(measures.ownNamedChars, block, chars);
  if (bits & IN_LINK) {
    add(owns.linkChars, order, chars);
    add(owns.blockLinkChars, block, chars);
  } else {
    add(owns.blockStops, block, stops);
  }
}

function add(values: Float64Array | Uint32Array, order: number, value: number): void {
  values[order] = (values[order] as number) + value;
}

/** Shortest possible running text, in characters, and the length at which a text needs no sentence end to be one. */
const SENTENCE_CHARS = 25;
const LONG_CHARS = 140;

/** Fills in the measures of whole elements, children before parents, without the left-out elements. */
function fill({ parents }: ParsedDocument, measures: Measures, owns: Owns): void {
  const { chars, linkChars, commas, prose, isLeftOut } = measures;
  chars.set(owns.chars);
  linkChars.set(owns.linkChars);
  commas.set(owns.commas);
  for (let order = 0; order < parents.length; order++) {
    const own = (measures.ownChars[order] as number) - (owns.blockLinkChars[order] as number);
    const isRunning = own >= LONG_CHARS || (own >= SENTENCE_CHARS && (owns.blockStops[order] as number) > 0);
    prose[order] = isRunning ? own : 0;
  }
  for (let order = parents.length - 1; order > 0; order--) {
    const parent = parents[order] as number;
    if (parent < 0 || isLeftOut[order] === 1) continue;
    for (const values of [chars, linkChars, commas, prose]) add(values, parent, values[order] as number);
  }
}

/** Share of running text from which it speaks against the names of a box. */
const PROSE_SHARE = 0.5;
/** Amount of running text below which fields of forms speak for the names of a box, in characters. */
const FORM_CHARS = 500;

/**
 * Leaves out boxes named like surroundings of an article if their contents agree: hardly any running text,
 * fields of a form, or boxes with such names; or if they stand beside the content. Returns true if there are
 * any.
 */
function leaveOutNamed(
  { elements, parents, ends }: ParsedDocument,
  { isLeftOut, chars, linkChars, prose, names }: Measures,
  { kinds, inner, fields }: Boxes,
  budget: Budget,
): boolean {
  const content = new Float64Array(elements.length);
  const contentInside = new Float64Array(elements.length);
  budget.spend(2 * elements.length);
  for (let order = elements.length - 1; order > 0; order--) {
    const element = elements[order] as Node;
    const parent = parents[order] as number;
    if (parent < 0 || isLeftOut[order] === 1) continue;
    content[order] = isContent(element, names[order] as number)
      ? (prose[order] as number)
      : (contentInside[order] as number);
    contentInside[parent] = Math.max(contentInside[parent] as number, content[order] as number);
    const own = element.name === 'li' ? (names[order] as number) & AROUND : (kinds[order] as number);
    inner[parent] = (inner[parent] as number) | (inner[order] as number) | own;
    add(fields, parent, fields[order] as number);
  }
  let isAny = false;
  for (let order = 1; order < elements.length; order++) {
    if (isLeftOut[order] === 1) {
      order = (ends[order] as number) - 1;
      continue;
    }
    if (kinds[order] === 0) continue;
    const text = prose[order] as number;
    if (text > 0 && (content[order] as number) >= PROSE_SHARE * text) continue;
    const leads = kinds[order] !== NAVIGATION || (linkChars[order] as number) + (fields[order] as number) > 0;
    const isPoor = leads && text < PROSE_SHARE * (chars[order] as number);
    const isForm = (fields[order] as number) > 0 && text < FORM_CHARS;
    const isComponent = ((inner[order] as number) & (kinds[order] as number)) > 0;
    const isBeside = (contentInside[parents[order] as number] ?? 0) > text;
    if (!isPoor && !isForm && !isComponent && !isBeside) continue;
    isLeftOut[order] = 1;
    isAny = true;
    order = (ends[order] as number) - 1;
  }
  return isAny;
}

function isContent({ name }: Node, names: number): boolean {
  return name === 'main' || name === 'h1' || (names & CONTENT_NAME) > 0;
}

/** Returns the share of the text of an element that is inside links, from 0 to 1. */
export function linkDensity({ chars, linkChars }: Measures, order: number): number {
  const all = chars[order] as number;
  return all === 0 ? 0 : (linkChars[order] as number) / all;
}
