import { Budget } from '../../budget.ts';
import { attributeOf, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { once } from '../../once.ts';
import { absoluteUrl } from '../../read/attribute-value.ts';
import type { MetadataContext } from './collect-sources.ts';
import { findItemProperties, type ItemTree } from './find-item-properties.ts';
import { propertyText } from './property-text.ts';
import { tokensOf } from './tokens-of.ts';

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
 * Reads the items with their properties, including those that `itemref` adds. An item inside itself is left out. Many items
 * can refer to the same one: throws UNSUPPORTED_CONTENT when they grow too large together.
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

/** Steps of one item, besides those of its elements. */
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
