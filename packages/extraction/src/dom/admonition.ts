import { attributeOf, Namespace, type Node, NodeKind, nextAfter, nextInside } from './node.ts';
import { isHtmlBlock } from './word-borders.ts';

/** Note of a documentation system: a box beside the running text. */
export interface Admonition {
  /** Element that shows the title; null without one. */
  readonly title: Node | null;
  /** Elements without a text before the title, such as a picture of its kind. */
  readonly signs: readonly Node[];
}

const BOXES = new Set('aside blockquote details div section'.split(' '));

/** Words of class names that mean a note and nothing else. */
const CERTAIN = /(?:^|[-_])(?:admonition|admonitionblock|callout)$/;
/** Classes that name the kind of a note. */
const KINDS = new Set('attention caution danger hint important note seealso tip warning'.split(' '));
/** Classes of boxes that are notes if another class, or an ending of this one, names their kind. */
const BASE = /(?:^|[-_])(?:alert|aside|block|box|hint|macro|message|note|notecard|tag)$/;
const KINDS_OF_BASES = new Set([...KINDS, ...'danger error info information success warn'.split(' ')]);

const MAX_CLASS_CHARS = 200;

/**
 * Returns the note that an element is, by its classes and the title in front: that of Sphinx, DocBook, Asciidoctor, GitHub and
 * others. A box with a kind for its class alone is a note if it begins with a paragraph, or with a strong word.
 */
export function admonitionOf(element: Node): Admonition | undefined {
  if (element.attributes.length === 0 || element.namespace !== Namespace.html || !BOXES.has(element.name))
    return undefined;
  const classes = classesOf(element);
  const isCertain = classes.some((name) => CERTAIN.test(name));
  const kind = isCertain ? undefined : kindOf(classes, element.name === 'details');
  if (!isCertain && kind === undefined) return undefined;
  const signs: Node[] = [];
  const title = titleIn(element, { kind, headings: isCertain ? /^h[2-6]$/ : /^h[3-6]$/, signs });
  if (title !== null) return { title, signs };
  return isCertain || beginsAsNote(element, classes) ? { title, signs: [] } : undefined;
}

/** Tells whether an element is a note, which belongs to the text around it. */
export function isAdmonition(element: Node): boolean {
  return admonitionOf(element) !== undefined;
}

function classesOf(element: Node): readonly string[] {
  const names = (attributeOf(element, 'class') ?? '').slice(0, MAX_CLASS_CHARS).trim().toLowerCase();
  return names === '' ? [] : names.split(/\s+/);
}

/** Returns the kind of note that the classes name; foldable details are notes only by a class that is a kind. */
function kindOf(classes: readonly string[], isDetails: boolean): string | undefined {
  const base = isDetails ? undefined : classes.find((name) => BASE.test(name) && !KINDS.has(name));
  const own = classes.find((name) => (base === undefined ? KINDS : KINDS_OF_BASES).has(name));
  if (own !== undefined || base === undefined) return own;
  const ending = classes.find((name) => name.startsWith(base) && name !== base)?.slice(base.length);
  const kind = ending?.replace(/^[-_]+/, '');
  return kind !== undefined && kind !== ending && KINDS_OF_BASES.has(kind) ? kind : undefined;
}

/** Classes of an element that shows a title. */
const TITLE = /(?:^|[-_])(?:title|heading|header|label)(?:$|[-_])/;
const WRAPPERS = new Set('div header table tbody thead tr td span'.split(' '));
const MAX_LEVELS = 6;

interface Search {
  readonly kind: string | undefined;
  /** Names of headings that can be titles. */
  readonly headings: RegExp;
  /** Receives the elements before the title. */
  readonly signs: Node[];
}

/** Finds the title at the start of a note. */
function titleIn(box: Node, { kind, headings, signs }: Search): Node | null {
  let element = firstContent(box, signs);
  for (let level = 0; element !== null && level < MAX_LEVELS; level++) {
    if (element.kind !== NodeKind.element) return null;
    const { name } = element;
    const isNamed = name === 'summary' || name === 'th' || headings.test(name) || isIcon(element);
    const isHeading = /^h[1-6]$/.test(name);
    const text = shortTextOf(element);
    if (isNamed || (!isHeading && hasTitleClass(element)) || (name === 'p' && isWord(text, kind)))
      return text === undefined ? null : innermost(element);
    element = WRAPPERS.has(name) ? firstContent(element, signs) : null;
  }
  return null;
}

function hasTitleClass(element: Node): boolean {
  const camel = (attributeOf(element, 'class') ?? '').slice(0, MAX_CLASS_CHARS);
  const names = camel.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return names.split(/\s+/).some((name) => TITLE.test(name));
}

function isWord(text: string | undefined, word: string | undefined): boolean {
  return text !== undefined && text.replace(/[\s:.!]+/g, '').toLowerCase() === word;
}

/** Returns the block that holds all of a title. */
function innermost(title: Node): Node {
  let node = title;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const inner = firstContent(node);
    if (inner === null || !isHtmlBlock(inner)) return node;
    node = inner;
  }
  return node;
}

/** Returns true for a sign of a font, named by its tooltip. */
function isIcon(element: Node): boolean {
  return element.name === 'i' && element.first === null && attributeOf(element, 'title') !== undefined;
}

/** Returns true for a box that begins with a paragraph and has no other class than its kind, or begins with a strong word. */
function beginsAsNote(box: Node, classes: readonly string[]): boolean {
  const start = firstContent(box);
  if (start?.name === 'p' && classes.every((name) => KINDS.has(name))) return true;
  const first = start?.name === 'p' ? firstContent(start) : start;
  return first?.name === 'strong' || first?.name === 'b';
}

const MAX_NODES = 64;
const MAX_TITLE_CHARS = 120;

/** Returns the first child that is a text or an icon, or holds one; notes the elements before it. */
function firstContent(element: Node, passed: Node[] = []): Node | null {
  let count = 0;
  for (let node = element.first; node !== null && count < MAX_NODES; node = node.next) {
    if (node.kind === NodeKind.text ? node.value.trim() !== '' : isIcon(node)) return node;
    if (node.kind !== NodeKind.element || node.namespace !== Namespace.html) continue;
    let inside = nextInside(node, node);
    while (inside !== null && count++ < MAX_NODES) {
      const isDrawing = inside.kind === NodeKind.element && inside.namespace === Namespace.svg;
      if ((inside.kind === NodeKind.text && inside.value.trim() !== '') || isIcon(inside)) return node;
      inside = isDrawing ? nextAfter(node, inside) : nextInside(node, inside);
    }
    passed.push(node);
    count++;
  }
  return null;
}

/** Returns the text of an element if it can be a title. */
function shortTextOf(element: Node): string | undefined {
  let text = '';
  let count = 0;
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (node.kind === NodeKind.text) text += node.value;
    if (++count > MAX_NODES || text.length > MAX_TITLE_CHARS) return undefined;
  }
  return text;
}
