import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, serialize } from 'parse5';
import { createRandom, type Random } from '../../chaos/random.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Changes that sites make between two visits. */
export const MUTATIONS = {
  'renamed hash classes': (page: MarkedPage, random: Random) => dress(page, `${random.between(0, 1e6 - 1)}`),
  'inserted wrappers': wrapBlocks,
  'inserted siblings': insertSiblings,
  'reordered blocks': reorderBlocks,
} as const;

/** Name of a kind of change. */
export type Mutation = keyof typeof MUTATIONS;

/** Attribute that names an element of the original page in a mutated one. */
export const MARK = 'data-mark';

/** Parsed page whose elements are marked by their place in document order. */
interface MarkedPage {
  readonly root: DefaultTreeAdapterTypes.Document;
  readonly elements: readonly Element[];
}

/** Returns the page as a build tool would write it, with a generated class beside the names of the author. */
export function dressPage(source: string): string {
  const page = parsePage(serialize(parsePage(source).root));
  dress(page, 'first');
  return serialize(page.root);
}

/** Returns the page after the mutations, with marks. The page must be one that `dressPage` returned. */
export function mutatePage(source: string, names: readonly Mutation[], seed: number): string {
  const page = parsePage(source);
  for (const [order, element] of page.elements.entries())
    element.attrs.push({ name: MARK, value: `${order}` });
  const random = createRandom(seed);
  for (const name of names) MUTATIONS[name](page, random);
  return serialize(page.root);
}

function parsePage(source: string): MarkedPage {
  const root = parse(source, { scriptingEnabled: false });
  const elements: Element[] = [];
  const pending: Parent[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if ('tagName' in node) elements.push(node);
    pending.push(...node.childNodes.filter((child) => 'tagName' in child).reverse());
  }
  return { root, elements };
}

const GENERATED = /^(?:css-[a-z0-9]{6}|Site_[a-z]+__[a-z0-9]{5})$/;

/** Gives every element inside the body a class made of its names and of the salt, as CSS-in-JS and CSS modules do. */
function dress({ elements }: MarkedPage, salt: string): void {
  for (const element of elements) {
    if (element.namespaceURI !== html.NS.HTML || !isInBody(element)) continue;
    const own = (attributeOf(element, 'class') ?? '')
      .split(/\s+/)
      .filter((name) => name && !GENERATED.test(name));
    const parent = element.parentNode as Element;
    const signature = `${element.tagName}.${own.join('.')} ${parent.tagName}`;
    const isModule = /^[a-z]+$/.test(element.tagName) && hashOf(signature) % 2 === 1;
    const hash = hashOf(`${signature} ${salt}`);
    const generated = isModule ? `Site_${element.tagName}__${toName(hash, 5)}` : `css-${toName(hash, 6)}`;
    setAttribute(element, 'class', [...own, generated].join(' '));
  }
}

function isInBody(element: Element): boolean {
  for (let node: Parent | null = element.parentNode; node && 'tagName' in node; node = node.parentNode) {
    if (node.tagName === 'body') return true;
    if (node.tagName === 'svg' || node.tagName === 'math') return false;
  }
  return false;
}

const CONTAINERS = new Set([
  'body',
  'div',
  'section',
  'main',
  'article',
  'aside',
  'header',
  'footer',
  'td',
  'li',
  'dd',
]);
const BLOCKS = new Set(
  'div section article aside nav header footer main p ul ol dl table pre h1 h2 h3 h4 h5 h6 figure blockquote form'.split(
    ' ',
  ),
);
const LISTS = new Set(['ul', 'ol', 'tbody', 'dl']);
const MOVABLE = new Set('div section article aside nav header footer'.split(' '));

/** Number of changes of each kind to a page. */
const CHANGES = 3;

/** Wraps blocks into another element, as layouts do. */
function wrapBlocks({ elements }: MarkedPage, random: Random): void {
  const blocks = elements.filter(({ tagName, parentNode }) => BLOCKS.has(tagName) && isContainer(parentNode));
  for (const element of sample(blocks, CHANGES, random)) {
    const wrapper = createElement('div', 'wrapper');
    const parent = element.parentNode as Element;
    defaultTreeAdapter.insertBefore(parent, wrapper, element);
    defaultTreeAdapter.detachNode(element);
    defaultTreeAdapter.appendChild(wrapper, element);
  }
}

/** Inserts advertisements before blocks, and further items of the same kind into lists. */
function insertSiblings({ elements }: MarkedPage, random: Random): void {
  const blocks = elements.filter(({ tagName, parentNode }) => BLOCKS.has(tagName) && isContainer(parentNode));
  for (const block of sample(blocks, CHANGES, random)) {
    const banner = createElement(random.between(0, 1) === 0 ? 'p' : 'div', 'banner');
    defaultTreeAdapter.insertText(banner, 'Advertisement');
    defaultTreeAdapter.insertBefore(block.parentNode as Element, banner, block);
  }
  const items = elements.filter(
    ({ parentNode }) => parentNode && 'tagName' in parentNode && LISTS.has(parentNode.tagName),
  );
  for (const item of sample(items, CHANGES, random)) {
    const added = createElement(item.tagName, attributeOf(item, 'class') ?? '');
    const cell = item.tagName === 'tr' ? createElement('td', '') : added;
    if (cell !== added) defaultTreeAdapter.appendChild(added, cell);
    defaultTreeAdapter.insertText(cell, 'Added');
    defaultTreeAdapter.insertBefore(item.parentNode as Element, added, item);
  }
}

/** Shuffles the blocks of containers; text, tables and lists keep their order. */
function reorderBlocks({ elements }: MarkedPage, random: Random): void {
  const containers = elements.filter((element) => isContainer(element) && movableIn(element).length > 1);
  for (const container of sample(containers, CHANGES, random)) {
    const blocks = movableIn(container);
    const places = blocks.map((block) => container.childNodes.indexOf(block));
    const shuffled = sample(blocks, blocks.length, random);
    for (const [index, place] of places.entries()) container.childNodes[place] = shuffled[index] as Element;
  }
}

function isContainer(node: Parent | null): boolean {
  return node !== null && 'tagName' in node && CONTAINERS.has(node.tagName);
}

function movableIn(parent: Element): Element[] {
  return parent.childNodes.filter((node): node is Element => 'tagName' in node && MOVABLE.has(node.tagName));
}

/** Returns some of the items, each at most once, in random order. */
function sample<T>(items: readonly T[], count: number, random: Random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled.slice(0, count);
}

function createElement(name: string, classes: string): Element {
  const attributes = classes === '' ? [] : [{ name: 'class', value: classes }];
  return defaultTreeAdapter.createElement(name, html.NS.HTML, attributes);
}

function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

function setAttribute(element: Element, name: string, value: string): void {
  const known = element.attrs.find((attribute) => attribute.name === name);
  if (known) known.value = value;
  else element.attrs.push({ name, value });
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

/** Returns letters and digits as generators write them, always with both. */
function toName(hash: number, length: number): string {
  const random = createRandom(hash);
  const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';
  let name = '';
  while (name.length < length || !/\d.*\d/.test(name) || !/^[a-z]/.test(name)) {
    if (name.length >= length) name = '';
    name += digits[random.between(0, digits.length - 1)];
  }
  return name;
}
