import { canScroll, findAll, type Point, readOf, shadowOf } from './elements.ts';
import type { CollectionOptions } from './options.ts';

/*
 * Keeps elements that a page takes away, such as the rows of a virtual list. A page may remove elements, or fill them with
 * something else. So each element that appears has a record of its content. An element continues a record: with the same
 * content, if it was there the moment before, or comes back near the same place; with other content, if it is the same node at
 * the same place, and the record was empty or has the same links. Everything else is a new record.
 */

/** Limits of collections, which the page is asked with. */
declare const COLLECTION_OPTIONS: CollectionOptions;

/** An element as it was seen. */
interface Item {
  readonly element: Element;
  /** Ids and URLs of the element itself. */
  readonly own: string;
  readonly key: string;
  readonly text: string;
  readonly content: string;
  readonly place: Place;
}

/** Place of an element in its scroller, and the distance within which it is near. */
interface Place extends Point {
  readonly reach: number;
}

/** The last content of one element, which other elements may continue. */
interface Kept extends Item {
  readonly collection: Collected;
  readonly html: string;
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** Records of the matches of one selector. */
interface Collected {
  readonly selector: string;
  readonly records: Kept[];
  present: Kept[];
  parent?: Node | null;
}

/** Distance in windows within which an element with the same content is the same one come back. */
const NEAR_WINDOWS = 2;
const collections = new Map<string, Collected>();
const recordOf = new WeakMap<Node, Mutable<Kept>>();
const changed = new Set<Node>();
let keptLength = 0;
let keptCount = 0;
let isCut = false;

/** Keeps the matches of a selector from now on. */
export function collectElements(selector: string): void {
  if (!collections.has(selector)) collections.set(selector, { selector, records: [], present: [] });
  takeCensus();
  Reflect.set(globalThis, Symbol.for(COLLECTION_OPTIONS.key), { putMarks, removeMarks, isCut: () => isCut });
}

export function isCollecting(): boolean {
  return collections.size > 0;
}

/** Returns the number of elements that are kept. */
export function keptElements(): number {
  return keptCount;
}

const OWN =
  /^(id|href|src|aria-(rowindex|colindex|posinset)|row-(id|index)|data-(.*[-_])?(id|key|index|row|rowindex))$/;

function ownOf(element: Element): string {
  const own = [...element.attributes].filter(({ name }) => OWN.test(name));
  return own.map(({ name, value }) => `${name}=${value}`).join(' ');
}

function linksOf(element: Element): string {
  const hrefs = [...element.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'));
  return hrefs
    .filter((href) => href && !/^(#|javascript:)/.test(href))
    .slice(0, 5)
    .join(' ');
}

function imagesOf(element: Element): string {
  return [...element.querySelectorAll('img[src]')].map((image) => image.getAttribute('src')).join(' ');
}

function htmlOf(element: Element): string {
  const shadowRoots: ShadowRoot[] = [];
  const gather = (root: Element | ShadowRoot) => {
    for (const each of root.querySelectorAll('*')) add(shadowOf(each));
  };
  const add = (shadow: ShadowRoot | null) => {
    if (!shadow) return;
    shadowRoots.push(shadow);
    gather(shadow);
  };
  gather(element);
  add(shadowOf(element));
  if (shadowRoots.length === 0) return element.outerHTML;
  const [start] = (element.cloneNode(false) as Element).outerHTML.split('</');
  return `${start}${element.getHTML({ shadowRoots })}</${element.localName}>`;
}

type Scrollers = Map<Element | null, Place>;

/** Returns the place of an element in what scrolls around it. */
function placeOf(element: Element, scrollers: Scrollers): Place {
  const { parentElement } = element;
  const { x, y, reach } = scrollers.get(parentElement) ?? scrollOf(parentElement);
  scrollers.set(parentElement, { x, y, reach });
  const rect = element.getBoundingClientRect();
  return { x: rect.left + x, y: rect.top + y, reach };
}

function scrollOf(parent: Element | null): Place {
  let scroller = parent;
  while (scroller && !canScroll(scroller)) scroller = scroller.parentElement;
  if (!scroller) return { x: scrollX, y: scrollY, reach: NEAR_WINDOWS * innerHeight };
  const { left, top } = scroller.getBoundingClientRect();
  return {
    x: scroller.scrollLeft - left,
    y: scroller.scrollTop - top,
    reach: NEAR_WINDOWS * scroller.clientHeight,
  };
}

function isAt(a: Point, b: Point, reach: number): boolean {
  return Math.abs(a.x - b.x) <= reach && Math.abs(a.y - b.y) <= reach;
}

function describeItem(element: Element, scrollers: Scrollers): Item {
  const [own, links] = [ownOf(element), linksOf(element)];
  const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ');
  const content = [own, links, text || links ? text : imagesOf(element)].join('\n');
  return { element, own, key: own + links, text, content, place: placeOf(element, scrollers) };
}

function take(records: Kept[] | undefined, fits: (record: Kept) => boolean): Kept | undefined {
  const index = records?.findIndex(fits) ?? -1;
  return index < 0 ? undefined : records?.splice(index, 1)[0];
}

function write(record: Mutable<Kept>, { element, own, key, text, content, place }: Item): void {
  const html = htmlOf(element);
  keptLength += html.length - record.html.length;
  Object.assign(record, { element, own, key, text, content, place, html });
  recordOf.set(element, record);
}

/** Brings the records of all collections up to date. */
export function takeCensus(): void {
  for (const collection of collections.values()) new Census(collection).take();
  changed.clear();
}

/** One look at the matches of a selector. */
class Census {
  readonly #collection: Collected;
  readonly #before: Set<Kept>;
  readonly #present: (Kept | undefined)[] = [];
  /** Matches that do not go on as they were. */
  readonly #open: (Item & { readonly at: number })[] = [];

  constructor(collection: Collected) {
    this.#collection = collection;
    this.#before = new Set(collection.present);
  }

  take(): void {
    const collection = this.#collection;
    this.#findOpen();
    const near = byContent(this.#before);
    this.#settle((item) => take(near.get(item.content), ({ element }) => element === item.element));
    this.#settle((item) => take(near.get(item.content), () => true));
    this.#settle((item) => this.#refilled(item));
    if (this.#open.some(({ at }) => !this.#present[at])) this.#settleOthers();
    collection.present = this.#present.filter((record) => record !== undefined);
    collection.parent = collection.present.at(-1)?.element.parentNode ?? collection.parent ?? null;
  }

  #findOpen(): void {
    const scrollers: Scrollers = new Map();
    for (const element of findAll(this.#collection.selector)) {
      const record = recordOf.get(element);
      const isSame = record?.collection === this.#collection && record.element === element;
      const stays = isSame && this.#before.has(record) && !changed.has(element);
      if (stays) this.#before.delete(record);
      else this.#open.push({ at: this.#present.length, ...describeItem(element, scrollers) });
      this.#present.push(stays ? record : undefined);
    }
  }

  /** Has open matches continue records. */
  #settle(continues: (item: Item) => Kept | undefined): void {
    for (const item of this.#open.filter(({ at }) => !this.#present[at])) {
      const record = continues(item);
      if (!record) continue;
      this.#before.delete(record);
      write(record, item);
      this.#present[item.at] = record;
    }
  }

  /** Returns the record of a node that was filled with the same thing at the same place. */
  #refilled(item: Item): Kept | undefined {
    const record = recordOf.get(item.element);
    if (!record || !this.#before.has(record) || !isAt(record.place, item.place, 2)) return undefined;
    return record.text === '' || (record.key !== '' && record.key === item.key) ? record : undefined;
  }

  /** Has the rest continue records that were taken away, or begin new ones. */
  #settleOthers(): void {
    const { records } = this.#collection;
    const shown = new Set(this.#present);
    const gone = byContent(records.filter((record) => !shown.has(record)));
    this.#settle((item) =>
      take(
        gone.get(item.content),
        ({ place, own }) => own !== '' || isAt(place, item.place, item.place.reach),
      ),
    );
    this.#settle((item) => {
      const isFull =
        keptCount >= COLLECTION_OPTIONS.maxCollected || keptLength >= COLLECTION_OPTIONS.maxChars;
      if (isFull) isCut = true;
      if (isFull) return undefined;
      const record: Kept = { ...item, collection: this.#collection, html: '' };
      keptCount += 1;
      records.push(record);
      return record;
    });
  }
}

function byContent(records: Iterable<Kept>): Map<string, Kept[]> {
  return Map.groupBy(records, ({ content }) => content);
}

let isDue = false;

/** Has a census taken in the next frame, if the page has changed. */
export function noteChanges(mutations: readonly MutationRecord[]): void {
  if (collections.size === 0) return;
  for (const { target } of mutations) {
    for (let node: Node | null = target; node; node = readOf(Node.prototype, 'parentNode', node))
      if (recordOf.has(node)) changed.add(node);
  }
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    takeCensus();
  });
}

const comments: Comment[] = [];

/** Leaves a comment for each run of elements that the page has taken away; returns what takes their places. */
function putMarks(): (readonly [mark: string, html: string])[] {
  takeCensus();
  return [...collections.values()].flatMap(putMarksOf);
}

function putMarksOf({ records, present, parent }: Collected): (readonly [mark: string, html: string])[] {
  const places: (readonly [mark: string, html: string])[] = [];
  const shown = new Set(present);
  let next: Element | undefined;
  let run: string[] = [];
  const close = () => {
    if (run.length === 0) return;
    const text = `gleaner-${crypto.randomUUID()}`;
    const comment = document.createComment(text);
    if (next) next.before(comment);
    else if (present.length > 0) present.at(-1)?.element.after(comment);
    else (parent?.isConnected ? parent : document.body).appendChild(comment);
    comments.push(comment);
    places.push([`<!--${text}-->`, run.reverse().join('')]);
    run = [];
  };
  for (const record of records.toReversed()) {
    if (!shown.has(record)) run.push(record.html);
    else {
      close();
      next = record.element;
    }
  }
  close();
  return places;
}

function removeMarks(): void {
  for (const comment of comments.splice(0)) comment.remove();
}
