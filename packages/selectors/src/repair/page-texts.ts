import { attributeOf, attributeValue, type Node, NodeKind, textOf } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import { readTake, type Take } from '../take.ts';

/** A value of an element, for recognizing it on another page. */
export interface Mark {
  readonly take: Take;
  readonly value: string;
}

/** One place of a page with a value: elements around each other that have the same, innermost first. */
export interface Occurrence {
  readonly elements: readonly number[];
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'title', 'head']);
const LANDMARKS = new Set('main article aside nav header footer section li td form dialog'.split(' '));
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const MAX_CONTEXT_CHARACTERS = 60;

/** The texts of a page in their order, and the elements that have each. */
export class PageTexts {
  readonly page: Page;
  readonly #texts: string[] = [];
  /** For each element, the number of texts before it and up to its end, and of their characters other than white space. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #lengths: number[] = [0];
  readonly #headings: Int32Array;
  readonly #unseen: Uint8Array;
  /** Elements by the number of characters that they have. */
  readonly #byLength = new Map<number, number[]>();
  readonly #found = new Map<string, readonly Occurrence[]>();

  constructor(page: Page) {
    this.page = page;
    const { size } = page;
    page.budget.spend(8 * size);
    this.#from = new Int32Array(size);
    this.#to = new Int32Array(size);
    this.#headings = new Int32Array(size).fill(-1);
    this.#unseen = new Uint8Array(size);
    this.#read();
    for (let order = 0; order < size; order++) {
      const length = this.#lengthOf(order);
      if (length === 0 || this.#unseen[order] === 1) continue;
      const alike = this.#byLength.get(length) ?? [];
      this.#byLength.set(length, alike);
      alike.push(order);
    }
  }

  /** Returns the mark of an element: its text, or the attribute that is read. */
  markOf(order: number, take: Take): Mark | undefined {
    const value = readTake(take, order, this.page);
    return value === null || value === '' ? undefined : { take, value };
  }

  /** Returns the places that have a value, in document order. */
  find({ take, value }: Mark, within?: number): readonly Occurrence[] {
    const key = `${take} ${value}`;
    const all = this.#found.get(key) ?? this.#search(take, value);
    this.#found.set(key, all);
    if (within === undefined) return all;
    const isInside = (order: number) => order === within || this.page.isInside(order, within);
    return all.flatMap(({ elements }) => {
      const inside = elements.filter(isInside);
      return inside.length > 0 ? [{ elements: inside }] : [];
    });
  }

  /** Returns how much the surroundings of two places are alike, from 0: labels beside them, names, the heading above. */
  likeness(own: number, other: PageTexts, theirs: number): number {
    const [left, right] = [this.#contextOf(own), other.#contextOf(theirs)];
    let score = 0;
    if (left.before !== '' && left.before === right.before) score += 2;
    if (left.after !== '' && left.after === right.after) score += 2;
    if (left.heading !== '' && left.heading === right.heading) score += 1;
    if (left.landmark === right.landmark) score += 1;
    if (left.tag === right.tag) score += 1;
    const shared = [...left.names].filter((name) => right.names.has(name)).length;
    return score + Math.min(2, shared);
  }

  #search(take: Take, value: string): readonly Occurrence[] {
    const orders = take === 'text' ? this.#withText(value) : this.#withAttribute(take, value);
    const places: number[][] = [];
    for (const order of orders) {
      const last = places.at(-1);
      const outer = last?.at(-1);
      if (last && outer !== undefined && this.page.isInside(order, outer) && take === 'text')
        last.push(order);
      else places.push([order]);
    }
    return places.map((elements) => ({ elements: elements.reverse() }));
  }

  #withText(value: string): number[] {
    const alike = this.#byLength.get(value.replace(/\s/g, '').length) ?? [];
    this.page.budget.spend(1 + alike.length);
    return alike.filter((order) => textOf(this.page.element(order), this.page.budget) === value);
  }

  #withAttribute(take: Take, value: string): number[] {
    const name = take.slice('attr('.length, -1);
    const { size, document, budget } = this.page;
    budget.spend(size);
    const orders: number[] = [];
    for (let order = 0; order < size; order++) {
      if (attributeValue(this.page.element(order), name, document) === value) orders.push(order);
    }
    return orders;
  }

  #lengthOf(order: number): number {
    return (
      (this.#lengths[this.#to[order] as number] ?? 0) - (this.#lengths[this.#from[order] as number] ?? 0)
    );
  }

  #contextOf(order: number) {
    const { page } = this;
    const element = page.element(order);
    const near = [order, page.parent(order)].filter((each) => each >= 0);
    const landmark = page.ancestors(order).find((each) => LANDMARKS.has(page.element(each).name));
    const shorten = (text = '') => text.slice(0, MAX_CONTEXT_CHARACTERS);
    const heading = this.#headings[order] as number;
    return {
      before: shorten(this.#texts[(this.#from[order] as number) - 1]),
      after: shorten(this.#texts[this.#to[order] as number]),
      heading: heading < 0 || heading === order ? '' : shorten(textOf(page.element(heading), page.budget)),
      landmark: landmark === undefined ? '' : page.element(landmark).name,
      tag: element.name,
      names: new Set(near.flatMap((each) => namesOf(page.element(each)))),
    };
  }

  /** Walks the page once, without recursion. */
  #read(): void {
    const { elements } = this.page.document;
    const root = elements[0];
    if (!root) return;
    let heading = -1;
    let node: Node | null = root;
    let isEntering = true;
    while (node) {
      const { order } = node;
      if (isEntering && node.kind === NodeKind.element && order >= 0) {
        this.#from[order] = this.#texts.length;
        const parent = this.page.parent(order);
        const isUnseen = UNSEEN.has(node.name) || (parent >= 0 && this.#unseen[parent] === 1);
        if (isUnseen) this.#unseen[order] = 1;
        this.#headings[order] = heading;
        if (HEADINGS.has(node.name)) heading = order;
        if (node.first && !isUnseen) {
          node = node.first;
          continue;
        }
      } else if (isEntering && node.kind === NodeKind.text) this.#add(node.value);
      if (node.kind === NodeKind.element && node.order >= 0) this.#to[node.order] = this.#texts.length;
      if (node === root) return;
      isEntering = node.next !== null;
      node = node.next ?? node.parent;
    }
  }

  #add(value: string): void {
    const text = value.replace(/\s+/g, ' ').trim();
    if (text === '') return;
    this.page.budget.spend(1 + (value.length >> 2));
    this.#texts.push(text);
    this.#lengths.push((this.#lengths.at(-1) ?? 0) + text.replace(/ /g, '').length);
  }
}

const NAMING = ['id', 'itemprop', 'name', 'aria-label', 'data-testid', 'data-test', 'role', 'rel'];

function namesOf(element: Node): string[] {
  const classes = (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
  const named = NAMING.flatMap((name) => {
    const value = attributeOf(element, name);
    return value ? [`${name}=${value}`] : [];
  });
  return [...classes.map((name) => `.${name}`), ...named];
}
