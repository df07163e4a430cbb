import { Budget } from '../../budget.ts';
import { attributeOf, Namespace, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { once } from '../../once.ts';
import { absoluteUrl } from '../../read/attribute-value.ts';
import { readableText } from '../../read/text-of.ts';
import type { MetadataContext } from './collect-sources.ts';

/** An item of microdata, as HTML §5.3 converts it to JSON. */
export type MicrodataItem = {
  readonly type: readonly string[];
  /** Absolute URL that identifies the item. */
  readonly id?: string;
  readonly properties: { readonly [name: string]: readonly MicrodataValue[] };
};

type MicrodataValue = string | MicrodataItem;

/** Limit on nested items; deeper ones are left out. */
const MAX_DEPTH = 64;

/**
 * Reads the items with their properties, including the ones added by `itemref`. An item inside itself is left
 * out. Many items can refer to the same one: throws UNSUPPORTED_CONTENT when they grow too large together.
 */
export function readMicrodata(
  document: ParsedDocument,
  items: readonly Node[],
  context: MetadataContext,
): MicrodataItem[] {
  const ids = once(() => indexIds(document, context.budget));
  const reading = { ...context, tree: { document, ids }, output: new Budget() };
  return items.map((item) => readItem(item, reading));
}

interface Reading extends MetadataContext {
  readonly tree: ItemTree;
  /** Limits the output of all items; the steps are paid for elsewhere. */
  readonly output: Budget;
}

function indexIds({ elements }: ParsedDocument, budget: Budget): ReadonlyMap<string, Node> {
  budget.spend(elements.length);
  const ids = new Map<string, Node>();
  for (const element of elements) {
    const id = attributeOf(element, 'id');
    if (id !== undefined && !ids.has(id)) ids.set(id, element);
  }
  return ids;
}

const STEPS_PER_ITEM = 64;

/** An item whose properties are being read. */
interface OpenItem {
  readonly element: Node;
  readonly properties: readonly Node[];
  next: number;
  readonly values: Map<string, MicrodataValue[]>;
}

/** Reads an item and the items in it, without recursion. */
function readItem(top: Node, reading: Reading): MicrodataItem {
  const open = [openItem(top, reading)];
  for (;;) {
    const item = open.at(-1) as OpenItem;
    const property = item.properties[item.next++];
    if (property === undefined) {
      open.pop();
      const parent = open.at(-1);
      const finished = closeItem(item, reading);
      if (parent === undefined) return finished;
      addValue(parent, { property: item.element, value: finished }, reading);
    } else if (attributeOf(property, 'itemscope') === undefined) {
      addValue(item, { property, value: propertyText(property, reading) }, reading);
    } else if (open.length < MAX_DEPTH && open.every(({ element }) => element !== property)) {
      open.push(openItem(property, reading));
    }
  }
}

function openItem(element: Node, { tree, budget, output }: Reading): OpenItem {
  budget.spend(STEPS_PER_ITEM);
  output.spendOutput('{"type":[],"properties":{}},');
  return { element, properties: findItemProperties(element, tree, budget), next: 0, values: new Map() };
}

function closeItem({ element, values }: OpenItem, { base, budget, output }: Reading): MicrodataItem {
  const type = tokensOf(element, 'itemtype');
  const id = type.length > 0 ? attributeOf(element, 'itemid')?.trim() : undefined;
  output.spendOutput(type.join('","'));
  return {
    type,
    ...(id && { id: absoluteUrl(id, base(), budget) }),
    properties: Object.fromEntries(values),
  };
}

function addValue(
  { values }: OpenItem,
  { property, value }: { readonly property: Node; readonly value: MicrodataValue },
  { budget, output }: Reading,
): void {
  for (const name of tokensOf(property, 'itemprop')) {
    budget.spend(1);
    output.spendOutput(`"${name}":[],`);
    if (typeof value === 'string') output.spendOutput(value);
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  }
}

/** The document of items and its elements by id. */
interface ItemTree {
  readonly document: ParsedDocument;
  /** Returns the first element of each id. */
  readonly ids: () => ReadonlyMap<string, Node>;
}

/**
 * Returns the elements that add properties to an item, in document order: elements inside it and inside the
 * elements named by its `itemref`, but not inside other items. HTML §5.2.5.
 */
function findItemProperties(item: Node, tree: ItemTree, budget: Budget): Node[] {
  const referred = tokensOf(item, 'itemref').flatMap((id) => tree.ids().get(id) ?? []);
  const found = new Set<Node>();
  const visited = referred.length > 0 ? new Set<number>() : undefined;
  const search = { item, document: tree.document, budget, found, visited };
  searchRange(item.order + 1, endOf(item, tree), search);
  for (const element of referred) searchRange(element.order, endOf(element, tree), search);
  return visited ? [...found].sort((a, b) => a.order - b.order) : [...found];
}

function endOf({ order }: Node, { document }: ItemTree): number {
  return document.ends[order] as number;
}

interface Search {
  readonly item: Node;
  readonly document: ParsedDocument;
  readonly budget: Budget;
  readonly found: Set<Node>;
  /** Orders of the elements visited before, if ranges can overlap. */
  readonly visited: Set<number> | undefined;
}

/** Searches a range of orders, without the elements inside other items and those visited before. */
function searchRange(start: number, end: number, { item, document, budget, found, visited }: Search): void {
  for (let order = start; order < end; ) {
    budget.spend(1);
    const element = document.elements[order] as Node;
    const isNew = element !== item && !visited?.has(order);
    visited?.add(order);
    if (isNew && addsProperty(element)) found.add(element);
    const isClosed = !isNew || attributeOf(element, 'itemscope') !== undefined;
    order = isClosed ? (document.ends[order] as number) : order + 1;
  }
}

function addsProperty(element: Node): boolean {
  return element.namespace === Namespace.html && Boolean(attributeOf(element, 'itemprop')?.trim());
}

/** Returns the different words in an attribute, in order. */
function tokensOf(element: Node, name: string): string[] {
  const value = attributeOf(element, name)?.trim();
  return value ? [...new Set(value.split(/\s+/))] : [];
}

/** Attributes that hold the URL of a property. */
const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};

/** Attributes that hold the text of a property, if the element has them. */
const TEXT_ATTRIBUTES: Readonly<Record<string, string>> = {
  data: 'value',
  meter: 'value',
  time: 'datetime',
};

const MAX_TEXT_CHARS = 1_000_000;

/**
 * Returns the value of a property that is not an item: an absolute URL, an attribute, or the text with each block on its own
 * line. HTML §5.2.4; `content` is read from all elements, as schema.org uses it.
 */
function propertyText(element: Node, { base, budget }: MetadataContext): string {
  const urlAttribute = Object.hasOwn(URL_ATTRIBUTES, element.name) ? URL_ATTRIBUTES[element.name] : undefined;
  if (urlAttribute !== undefined) {
    const url = attributeOf(element, urlAttribute)?.trim();
    return url === undefined ? '' : absoluteUrl(url, base(), budget);
  }
  const textAttribute = Object.hasOwn(TEXT_ATTRIBUTES, element.name)
    ? TEXT_ATTRIBUTES[element.name]
    : undefined;
  const given = textAttribute === undefined ? undefined : attributeOf(element, textAttribute);
  const text = given ?? attributeOf(element, 'content');
  if (text !== undefined) return text.trim();
  if (element.name === 'meta') return '';
  return readableText(element, MAX_TEXT_CHARS, budget);
}
