import type { Page } from '../page.ts';
import { judgeName } from '../tokens/judge-name.ts';
import { classesOf } from '../tokens/tokens-of.ts';

/** Most children of an element that make its shape. */
const MAX_CHILDREN = 40;

/** Likeness from which on two elements are taken for records of one list. */
export const ALIKE = 0.5;

/** Tags of list items, alike even without classes. */
const ITEM_TAGS = new Set(
  'li tr dt dd option article a h1 h2 h3 h4 h5 h6 p img td th figure blockquote pre section'.split(' '),
);

/** Parts of an element that are compared. */
interface Looks {
  readonly tag: string;
  readonly classes: ReadonlySet<string>;
  /** Names of children and grandchildren. */
  readonly shape: ReadonlySet<string>;
}

/** Compares elements by tag, classes, contents and containers. */
export class Likeness {
  readonly #page: Page;
  readonly #looks = new Map<number, Looks>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Returns from 0 to 1 how alike two elements are; 0 for those with different tags. */
  of(left: number, right: number): number {
    const [a, b] = [this.looksOf(left), this.looksOf(right)];
    if (a.tag !== b.tag) return 0;
    const shape = overlap(a.shape, b.shape);
    const around = this.#likenessOfParents(left, right);
    if (a.classes.size === 0 && b.classes.size === 0) {
      return ITEM_TAGS.has(a.tag) ? 0.4 + 0.4 * shape + 0.2 * around : 0.8 * shape + 0.2 * around;
    }
    return 0.4 * overlap(a.classes, b.classes) + 0.4 * shape + 0.2 * around;
  }

  /** Returns the classes shared by all elements, without generated ones. */
  sharedClasses(orders: readonly number[]): readonly string[] {
    const [first, ...rest] = orders as [number, ...number[]];
    const shared = [...this.looksOf(first).classes].filter((name) => judgeName(name) === null);
    return rest.length === 0
      ? []
      : shared.filter((name) => rest.every((order) => this.looksOf(order).classes.has(name)));
  }

  looksOf(order: number): Looks {
    const known = this.#looks.get(order);
    if (known) return known;
    const looks = {
      tag: this.#page.element(order).name,
      classes: this.#classesOf(order),
      shape: this.#shapeOf(order),
    };
    this.#looks.set(order, looks);
    return looks;
  }

  #likenessOfParents(left: number, right: number): number {
    const [a, b] = [this.#page.parent(left), this.#page.parent(right)];
    if (a === b) return 1;
    if (a < 0 || b < 0 || this.#page.element(a).name !== this.#page.element(b).name) return 0;
    return overlap(this.#classesOf(a), this.#classesOf(b));
  }

  /** Returns the classes for the kind of an element, without states, which differ between records. */
  #classesOf(order: number): ReadonlySet<string> {
    const classes = classesOf(this.#page.element(order), this.#page);
    return new Set(classes.filter((name) => judgeName(name) !== 'state' && judgeName(name) !== 'numbered'));
  }

  #shapeOf(order: number): ReadonlySet<string> {
    const shape = new Set<string>();
    let children = 0;
    for (const child of this.#page.children(order)) {
      if (children++ >= MAX_CHILDREN) break;
      const name = this.#nameOf(child);
      shape.add(name);
      let grandchildren = 0;
      for (const grandchild of this.#page.children(child)) {
        if (grandchildren++ >= MAX_CHILDREN) break;
        shape.add(`${name} > ${this.#nameOf(grandchild)}`);
      }
    }
    this.#page.work(1 + shape.size);
    return shape;
  }

  #nameOf(order: number): string {
    return `${this.#page.element(order).name}.${[...this.#classesOf(order)].sort().join('.')}`;
  }
}

/** Returns the share of common items in two sets; 1 if both are empty. */
function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 && right.size === 0) return 1;
  let common = 0;
  for (const item of left) if (right.has(item)) common++;
  return common / (left.size + right.size - common);
}
