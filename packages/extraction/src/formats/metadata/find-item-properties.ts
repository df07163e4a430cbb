import type { Budget } from '../../budget.ts';
import { attributeOf, Namespace, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { tokensOf } from './tokens-of.ts';

/** The document of items and its elements by id. */
export interface ItemTree {
  readonly document: ParsedDocument;
  /** Returns the first element of each id. */
  readonly ids: () => ReadonlyMap<string, Node>;
}

/**
 * Returns the elements that add properties to an item, in document order: those inside it and inside the elements that its
 * `itemref` names, but not those inside other items. HTML §5.2.5.
 */
export function findItemProperties(item: Node, tree: ItemTree, budget: Budget): Node[] {
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
