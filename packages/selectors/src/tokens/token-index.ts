import { attributeOf, foldCase, lowerBound } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import type { Condition, Token } from './token.ts';

/** Sorted orders of elements. */
export type Orders = readonly number[];

/** Most levels between an element and the child of another that contains it; proposals are checked with the matcher anyway. */
const MAX_LEVELS = 30;

type LookedUp = Extract<Condition, { on: 'tag' | 'id' | 'class' | 'attribute' }>;

/** Conditions that are computed when they are needed, or defined. */
const COMPUTED: ReadonlySet<Condition['on']> = new Set<Condition['on']>(['any', 'position', 'scope']);

const NONE: Orders = [];

/**
 * Elements of a page by the conditions that they meet. One pass over the page serves all conditions that are asked for together,
 * so that thousands of selectors can be tried on lists of a few elements.
 */
export class TokenIndex {
  readonly #page: Page;
  readonly #orders = new Map<string, number[]>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Looks up all conditions at once that are not known yet. */
  prepare(tokens: Iterable<Token>): void {
    const wanted = new Wanted(this.#page);
    for (const token of tokens) this.#want(token, wanted);
    wanted.collect();
  }

  /** Makes elements the ones that meet a condition. */
  define({ css }: Token, orders: Orders): void {
    this.#orders.set(css, [...orders]);
  }

  /** Returns the elements that meet a condition; conditions prepared together share a pass. */
  ordersOf(token: Token): Orders {
    const { css, condition } = token;
    const known = this.#orders.get(css);
    if (known) return known;
    if (condition.on === 'has') return this.#remember(css, this.#around(condition.inner));
    if (condition.on === 'not') return this.#remember(css, this.#except(condition.inner));
    if (condition.on === 'child') return this.#remember(css, this.#parentsAround(condition));
    if (condition.on === 'position') return this.#remember(css, this.#at(condition.place));
    if (condition.on === 'any') return this.#remember(css, Array.from(this.#page.document.elements.keys()));
    this.prepare([token]);
    return this.#orders.get(css) ?? NONE;
  }

  /** Returns the elements among these that meet the condition. */
  filter(orders: Orders, token: Token): Orders {
    const { condition } = token;
    this.#page.work(1 + orders.length);
    if (condition.on === 'position') return orders.filter((order) => this.#isAt(order, condition.place));
    if (condition.on === 'has') {
      const inner = this.ordersOf(condition.inner);
      return orders.filter((order) => this.#hasInside(order, inner));
    }
    return intersect(orders, this.ordersOf(token));
  }

  #want({ css, condition }: Token, wanted: Wanted): void {
    if ('inner' in condition) this.#want(condition.inner, wanted);
    else if (!COMPUTED.has(condition.on) && !this.#orders.has(css)) {
      const orders: number[] = [];
      this.#orders.set(css, orders);
      wanted.add(condition as LookedUp, orders);
    }
  }

  #remember(css: string, orders: number[]): Orders {
    this.#orders.set(css, orders);
    return orders;
  }

  #around(inner: Token): number[] {
    const page = this.#page;
    const found = new Set<number>();
    for (const order of this.ordersOf(inner)) {
      for (let at = page.parent(order); at >= 0 && !found.has(at); at = page.parent(at)) found.add(at);
    }
    page.work(found.size);
    return [...found].sort((left, right) => left - right);
  }

  #except(inner: Token): number[] {
    const without = new Set(this.ordersOf(inner));
    this.#page.work(this.#page.size);
    return Array.from({ length: this.#page.size }, (_, order) => order).filter(
      (order) => !without.has(order),
    );
  }

  #parentsAround({ name, isSelf, inner }: Extract<Condition, { on: 'child' }>): number[] {
    const page = this.#page;
    const found = new Set<number>();
    for (const order of this.ordersOf(inner)) {
      const children = isSelf ? [order] : page.ancestors(order, MAX_LEVELS);
      for (const child of children) {
        if ((isSelf || page.element(child).name === name) && page.parent(child) >= 0)
          found.add(page.parent(child));
      }
    }
    return [...found].sort((left, right) => left - right);
  }

  #at(place: number | 'last'): number[] {
    const orders: number[] = [];
    this.#page.work(this.#page.size);
    for (let order = 0; order < this.#page.size; order++) if (this.#isAt(order, place)) orders.push(order);
    return orders;
  }

  #isAt(order: number, place: number | 'last'): boolean {
    return place === 'last' ? this.#page.isLastOfType(order) : this.#page.placeOf(order) === place;
  }

  #hasInside(order: number, inner: Orders): boolean {
    const next = inner[lowerBound(inner, order + 1)];
    return next !== undefined && next < this.#page.end(order);
  }
}

/** Conditions that one pass over the page looks up. */
class Wanted {
  readonly #page: Page;
  /** Lists to fill by name; names that differ only in case may be the same name in the page. */
  readonly #tags = new Map<string, number[][]>();
  readonly #ids = new Map<string, number[][]>();
  readonly #classes = new Map<string, number[][]>();
  readonly #attributes = new Map<string, AttributeTests>();

  constructor(page: Page) {
    this.#page = page;
  }

  add(condition: LookedUp, orders: number[]): void {
    if (condition.on === 'tag') addTo(this.#tags, condition.name, orders);
    else if (condition.on === 'id') addTo(this.#ids, this.#fold(condition.value), orders);
    else if (condition.on === 'class') addTo(this.#classes, this.#fold(condition.name), orders);
    else {
      const { name, operator, value } = condition;
      const tests: AttributeTests = this.#attributes.get(name) ?? { exact: new Map(), others: [] };
      this.#attributes.set(name, tests);
      if (operator === '=') addTo(tests.exact, foldValue(name, value), orders);
      else tests.others.push({ condition, orders });
    }
  }

  collect(): void {
    const { elements, isXml } = this.#page.document;
    const counts = [this.#tags, this.#ids, this.#classes, this.#attributes].map(({ size }) => size);
    if (counts.every((count) => count === 0)) return;
    this.#page.work(2 * elements.length);
    for (const element of elements) {
      const { order } = element;
      if (this.#tags.size > 0)
        pushTo(this.#tags.get(isXml ? element.name : element.name.toLowerCase()), order);
      if (element.attributes.length === 0) continue;
      if (this.#ids.size > 0) pushTo(this.#ids.get(this.#fold(attributeOf(element, 'id') ?? '')), order);
      if (this.#classes.size > 0) this.#collectClasses(order, attributeOf(element, 'class'));
      if (this.#attributes.size > 0) this.#collectAttributes(order);
    }
  }

  /** Names are compared without case in quirks mode. */
  #fold(name: string): string {
    return this.#page.document.isQuirks ? foldCase(name) : name;
  }

  #collectClasses(order: number, list: string | undefined): void {
    if (list === undefined) return;
    this.#page.budget.spendReading(list.length);
    for (const name of this.#fold(list).split(/[ \t\n\f\r]+/)) {
      pushTo(this.#classes.get(name), order);
    }
  }

  #collectAttributes(order: number): void {
    const { isXml } = this.#page.document;
    for (const { name, namespace, value } of this.#page.element(order).attributes) {
      if (namespace) continue;
      const tests = this.#attributes.get(isXml ? name : name.toLowerCase());
      if (tests === undefined) continue;
      this.#page.budget.spendReading(value.length * (1 + tests.others.length));
      pushTo(tests.exact.get(foldValue(name, value)), order);
      for (const { condition, orders } of tests.others) if (isMet(condition, value)) orders.push(order);
    }
  }
}

function addTo<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}

/** Adds an order to the lists that do not end in it. */
function pushTo(lists: number[][] | undefined, order: number): void {
  for (const orders of lists ?? []) if (orders.at(-1) !== order) orders.push(order);
}

/** Conditions on one attribute: lists to fill by value, and comparisons with parts of the value. */
interface AttributeTests {
  readonly exact: Map<string, number[][]>;
  readonly others: { readonly condition: AttributeCondition; readonly orders: number[] }[];
}

type AttributeCondition = Extract<Condition, { on: 'attribute' }>;

function isMet({ name, operator, value }: AttributeCondition, actual: string): boolean {
  if (operator === 'exists') return true;
  const [whole, part] = [foldValue(name, actual), foldValue(name, value)];
  return operator === '^=' ? whole.startsWith(part) : whole.includes(part);
}

function foldValue(name: string, value: string): string {
  return CASELESS.has(name) ? foldCase(value) : value;
}

/** Attributes used here with values that browsers compare without case. HTML §4.16.2. */
const CASELESS = new Set(['rel', 'type', 'hreflang']);

/** Returns the orders in both lists. */
export function intersect(left: Orders, right: Orders): Orders {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (short.length === 0) return NONE;
  return short.filter((order) => long[lowerBound(long, order)] === order);
}
