import type { Budget } from '../budget.ts';
import {
  attributeOf,
  isHtmlElement,
  Namespace,
  type Node,
  NodeKind,
  nextAfter,
  nextInside,
} from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { partsWordsByName } from '../dom/word-borders.ts';
import { isHidden } from './text-of.ts';

/** Text of a page that no reader of it sees. */
export interface HiddenText {
  /** Outermost elements that hold it, in document order. */
  readonly elements: readonly Node[];
  /** Number of characters of each, runs of white space as one. */
  readonly lengths: readonly number[];
}

/**
 * Finds the hidden text of a page. Of a rendered page `hidden` has the orders of the elements that the browser does not show; of
 * others their own attributes decide: style sheets are not read, and the names of classes say nothing.
 */
export function findHiddenText(
  { elements, parents, isXml }: ParsedDocument,
  budget: Budget,
  hidden?: ReadonlySet<number>,
): HiddenText {
  if (isXml) return { elements: [], lengths: [] };
  budget.spend(elements.length);
  const isInside = new Uint8Array(elements.length);
  const found: Node[] = [];
  const lengths: number[] = [];
  for (const element of elements) {
    const { order } = element;
    const parent = parents[order] as number;
    isInside[order] = parent < 0 ? 0 : (isInside[parent] as number);
    if (isInside[order]) continue;
    const isOut = hidden ? hidden.has(order) : hidesItself(element, budget);
    // A list is hidden or shown as a whole.
    if (isOut || isHtmlElement(element, 'select')) isInside[order] = 1;
    if (!isOut || isHidden(element)) continue;
    const length = lengthOfText(element, budget);
    if (length === 0) continue;
    found.push(element);
    lengths.push(length);
  }
  return { elements: found, lengths };
}

/** Takes the marks of the browser off the elements, and returns the orders of those that have one. */
export function takeHiddenMarks({ elements }: ParsedDocument, mark: HiddenMark): ReadonlySet<number> {
  const marked = new Set<number>();
  for (const element of elements) {
    if (attributeOf(element, mark.name) !== mark.value) continue;
    marked.add(element.order);
    element.attributes = element.attributes.filter(({ name }) => name !== mark.name);
  }
  return marked;
}

/** Attribute of the elements that a browser does not show. */
export interface HiddenMark {
  readonly name: string;
  /** Differs from page to page, so that no page can have it by itself. */
  readonly value: string;
}

/** Returns true if the attributes of the element take it from the page. */
function hidesItself(element: Node, budget: Budget): boolean {
  const { attributes, name, namespace } = element;
  if (namespace !== Namespace.html || (attributes.length === 0 && name !== 'dialog' && !UNSHOWN.has(name)))
    return false;
  const style = styleOf(element, budget);
  const isShown = style.has('display') && style.get('display') !== 'none';
  if (!isShown && BY_MARKUP.some((hides) => hides(element))) return true;
  return style.size > 0 && BY_STYLE.some((hides) => hides(style, element, budget));
}

const BY_MARKUP: readonly ((element: Node) => boolean)[] = [
  (element) => attributeOf(element, 'hidden') !== undefined,
  (element) => attributeOf(element, 'popover') !== undefined,
  (element) => element.name === 'dialog' && attributeOf(element, 'open') === undefined,
  ({ name, parent }) => UNSHOWN.has(name) && parent?.name !== 'head',
];

/** Elements that browsers do not show. HTML §15.3.1. A title is in the body of pages whose head ends early. */
const UNSHOWN: ReadonlySet<string> = new Set(['datalist', 'title', 'noembed', 'noframes']);

type Style = ReadonlyMap<string, string>;

/** Attributes of libraries for elements to show once they are scrolled to. */
export const SHOWN_BY_SCRIPTS: readonly string[] = [
  'data-w-id',
  'data-framer-appear-id',
  'data-aos',
  'data-sal',
];

/** An offset to the left or above that no window reaches. */
const FAR = /^-(?:\d{4,}|9\d\d)(?:\.\d{1,9})?(?:px|pt)?$|^-\d{3,}(?:\.\d{1,9})?(?:em|rem|vw|vh)$/;
const TINY = /^[01](?:\.0{1,9})?(?:px)?$/;
/** Moves that a script ends: the element shows itself as the page is scrolled. */
const MOVING = ['transform', 'translate', 'scale', 'transition', 'animation', 'will-change'];

const BY_STYLE: readonly ((style: Style, element: Node, budget: Budget) => boolean)[] = [
  (style) => style.get('display') === 'none' || style.get('content-visibility') === 'hidden',
  (style, element, budget) =>
    /^(?:hidden|collapse)$/.test(style.get('visibility') ?? '') && !showsItself(element, budget),
  (style, element) =>
    /^(?:0?\.0{1,9}|0%?)$/.test(style.get('opacity') ?? '') &&
    !MOVING.some((name) => style.has(name)) &&
    !SHOWN_BY_SCRIPTS.some((name) => attributeOf(element, name) !== undefined),
  (style, element) => /^0(?:px|em|rem|pt|%)?$/.test(style.get('font-size') ?? '') && !holdsElements(element),
  (style) => /^rect\(\s?[01](?:px)?[\s,]/.test(style.get('clip') ?? '') && isOutOfFlow(style),
  (style) => /^(?:inset\(\s?(?:50|100)%|circle\(\s?0)/.test(style.get('clip-path') ?? ''),
  (style) => isOutOfFlow(style) && ['left', 'top', 'right', 'bottom'].some((side) => isFar(style, side)),
  (style, element) => isFar(style, 'text-indent') && !isInline(style, element),
  (style) => FAR.test(style.get('margin-left') ?? leftOf(style.get('margin') ?? '')),
  (style) =>
    /^(?:hidden|clip)$/.test(style.get('overflow') ?? '') &&
    ['width', 'height'].every((side) => TINY.test(style.get(side) ?? '')),
];

function isOutOfFlow(style: Style): boolean {
  return /^(?:absolute|fixed)$/.test(style.get('position') ?? '');
}

/** Returns true for elements within a line, to which no indent applies. */
function isInline(style: Style, { name, namespace }: Node): boolean {
  const display = style.get('display');
  if (display !== undefined) return /^(?:inline|contents)$/.test(display);
  const floats = /^(?:left|right)$/.test(style.get('float') ?? '');
  return !floats && !isOutOfFlow(style) && name !== 'button' && !partsWordsByName(name, namespace);
}

/** Returns the left one of the lengths of a `margin`. */
function leftOf(margin: string): string {
  const [top = '', right = top, , left = right] = margin.split(/\s+/, 4);
  return left;
}

function isFar(style: Style, side: string): boolean {
  return FAR.test(style.get(side) ?? '');
}

/** Returns true if an element inside has a visibility of its own. */
function showsItself(element: Node, budget: Budget): boolean {
  for (let node: Node | null = element.first; node !== null; node = nextInside(element, node)) {
    budget.spend(1);
    const style = attributeOf(node, 'style')?.slice(0, MAX_STYLE_CHARS) ?? '';
    if (/visibility\s{0,9}:\s{0,9}visible/i.test(style)) return true;
  }
  return false;
}

/** Returns true if there are elements inside, which may have a size of their own by a style sheet. */
function holdsElements(element: Node): boolean {
  for (let node = element.first; node !== null; node = node.next)
    if (node.kind === NodeKind.element) return true;
  return false;
}

const MAX_STYLE_CHARS = 2000;
const NO_STYLE: Style = new Map();

/** Returns the declarations of the `style` attribute in lower case; the last of a property counts. */
function styleOf(element: Node, budget: Budget): Style {
  const text = attributeOf(element, 'style')?.slice(0, MAX_STYLE_CHARS).toLowerCase();
  if (text === undefined) return NO_STYLE;
  budget.spend(text.length);
  const declarations = text.split(';').map((each) => {
    const colon = each.indexOf(':');
    const value = each.slice(colon + 1).replace(/!\s{0,9}important/, '');
    return [each.slice(0, Math.max(0, colon)).trim(), value.trim()] as const;
  });
  return new Map(declarations);
}

function lengthOfText(element: Node, budget: Budget): number {
  let length = 0;
  for (const text of textsIn(element, budget)) length += text.value.replace(/\s+/g, ' ').trim().length;
  return length;
}

/** Returns the texts inside the element that are more than white space, code apart. */
function textsIn(element: Node, budget: Budget): readonly Node[] {
  const texts: Node[] = [];
  for (let node: Node | null = element.first; node !== null; ) {
    budget.spendReading(node.value.length);
    if (node.kind === NodeKind.text && /\S/.test(node.value)) texts.push(node);
    node =
      isHidden(node) || isHtmlElement(node, 'select') ? nextAfter(element, node) : nextInside(element, node);
  }
  return texts;
}

/** Runs a reading of the page in which marks stand around its hidden text. */
export function withMarks<T>({ elements }: HiddenText, budget: Budget, read: () => T): T {
  const originals = new Map<Node, string>();
  const change = (text: Node | undefined, value: (old: string) => string): void => {
    if (text === undefined) return;
    if (!originals.has(text)) originals.set(text, text.value);
    text.value = value(text.value);
  };
  for (const element of elements) {
    const texts = textsIn(element, budget);
    change(texts[0], (value) => value.replace(/^\s*/, (space) => `${space}⟦hidden⟧ `));
    change(texts.at(-1), (value) => `${value.trimEnd()} ⟦/hidden⟧${/\s$/.test(value) ? ' ' : ''}`);
  }
  try {
    return read();
  } finally {
    for (const [text, value] of originals) text.value = value;
  }
}
