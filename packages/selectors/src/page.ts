import { Budget, createFinder, type Node, type ParsedDocument } from '@gleaner/extraction';

/** Most steps of searching for selectors of one request; about a tenth of a second. What is found by then is proposed. */
const MAX_SEARCH_STEPS = 3_000_000;

/** A parsed page while selectors are searched for. */
export class Page {
  readonly document: ParsedDocument;
  readonly budget: Budget;
  /** Finds the elements of a selector with the matcher of the extraction. */
  readonly find: ReturnType<typeof createFinder>;
  #steps = MAX_SEARCH_STEPS;
  #places: Places | undefined;

  constructor(document: ParsedDocument, budget: Budget = new Budget()) {
    this.document = document;
    this.budget = budget;
    this.find = createFinder(document, budget);
  }

  get size(): number {
    return this.document.elements.length;
  }

  /** True if the search has used its steps, and should propose what it has. */
  get isTired(): boolean {
    return this.#steps < 0;
  }

  /** Counts steps of the search, which the budget pays for. */
  work(steps: number): void {
    this.#steps -= steps;
    this.budget.spend(1 + (steps >> 2));
  }

  element(order: number): Node {
    return this.document.elements[order] as Node;
  }

  /** Returns the order of the parent element; -1 for the root. */
  parent(order: number): number {
    return this.document.parents[order] ?? -1;
  }

  /** Returns the order of the previous sibling; -1 for the first. */
  previous(order: number): number {
    return this.document.previous[order] ?? -1;
  }

  /** Returns the order of the first element after the subtree. */
  end(order: number): number {
    return this.document.ends[order] ?? order + 1;
  }

  /** Returns the orders of the ancestors, nearest first, at most `count`. */
  ancestors(order: number, count = Number.POSITIVE_INFINITY): number[] {
    const ancestors: number[] = [];
    for (let at = this.parent(order); at >= 0 && ancestors.length < count; at = this.parent(at))
      ancestors.push(at);
    this.work(ancestors.length);
    return ancestors;
  }

  /** Yields the orders of the child elements. */
  *children(order: number): Generator<number> {
    const end = this.end(order);
    for (let child = order + 1; child < end; child = this.end(child)) yield child;
  }

  isInside(order: number, ancestor: number): boolean {
    return order > ancestor && order < this.end(ancestor);
  }

  /** Returns the place of an element among its siblings of the same tag, from 1. */
  placeOf(order: number): number {
    return this.#countPlaces().first[order] as number;
  }

  /** Returns true for the last of the siblings of the same tag. */
  isLastOfType(order: number): boolean {
    return this.#countPlaces().isLast[order] === 1;
  }

  #countPlaces(): Places {
    this.#places ??= countPlaces(this);
    return this.#places;
  }
}

interface Places {
  readonly first: Int32Array;
  readonly isLast: Uint8Array;
}

/** Counts siblings with the same name and namespace, as `:nth-of-type()` does. */
function countPlaces(page: Page): Places {
  const { elements, parents } = page.document;
  page.budget.spend(4 * elements.length);
  const first = new Int32Array(elements.length);
  const isLast = new Uint8Array(elements.length);
  const latest = new Map<number, Map<string, number>>();
  for (const { order, name, namespace } of elements) {
    const parent = parents[order] as number;
    const siblings = latest.get(parent) ?? new Map<string, number>();
    latest.set(parent, siblings);
    const type = `${namespace} ${name}`;
    const before = siblings.get(type);
    first[order] = 1 + (before === undefined ? 0 : (first[before] as number));
    if (before !== undefined) isLast[before] = 0;
    isLast[order] = 1;
    siblings.set(type, order);
  }
  return { first, isLast };
}
