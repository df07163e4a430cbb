import type { Page } from '../page.ts';
import { ALIKE, type Likeness } from './likeness.ts';

/** Elements that a list is expected to have, judged by their looks. */
export interface Examples {
  /** The picked elements, or the elements around them that look alike. */
  readonly examples: readonly number[];
  /** All elements of the page that look like them, in document order. */
  readonly expected: readonly number[];
  /** Element that contains the list. */
  readonly container: number;
}

const MAX_COMPARED = 20_000;

/** Levels above a single pick at which records are looked for. */
const MAX_LEVELS = 8;

/** Siblings of like shape from which on a single pick stands for a list. */
const MIN_SIBLINGS = 3;

/** Containers by definition: what is in them is the list. */
const LIST_TAGS = new Set(['ul', 'ol', 'menu', 'dl', 'table', 'tbody', 'thead', 'select', 'datalist']);

/** Returns what two or more picks are examples of; null if they have nothing in common. */
export function examplesOf(picks: readonly number[], likeness: Likeness, page: Page): Examples | null {
  const outer = picks.filter((pick) => !picks.some((other) => page.isInside(pick, other)));
  const [first, ...rest] = outer as [number, ...number[]];
  if (rest.length === 0) return null;
  const container = commonAncestor(outer, page);
  if (container < 0) return null;
  if (rest.every((pick) => likeness.of(first, pick) > 0)) return collect(outer, container, likeness, page);
  const roots = outer.map((pick) => childTowards(container, pick, page));
  const areAlike = roots.every((root) => likeness.of(roots[0] as number, root) >= ALIKE);
  return areAlike ? collect([...new Set(roots)], container, likeness, page) : null;
}

/** Returns what a single pick is an example of, by its siblings of like shape or those of an element around it; null for none. */
export function examplesAround(pick: number, likeness: Likeness, page: Page): Examples | null {
  let best: number | null = null;
  for (const order of [pick, ...page.ancestors(pick, MAX_LEVELS)]) {
    const { name } = page.element(order);
    if (name === 'body' || name === 'html') break;
    // The cells of a row are alike, but the rows are the records.
    if (name === 'td' || name === 'th') continue;
    if (siblingsLike(order, likeness, page).length < MIN_SIBLINGS) continue;
    best = order;
    break;
  }
  return best === null ? null : collect([best], page.parent(best), likeness, page);
}

/** Returns the elements like a record, wherever they are in the list around it; outside of a list only itself. */
export function recordsLike(record: number, likeness: Likeness, page: Page): readonly number[] {
  const around = examplesAround(record, likeness, page);
  return around === null ? [record] : collect([record], around.container, likeness, page).expected;
}

function siblingsLike(order: number, likeness: Likeness, page: Page): number[] {
  const parent = page.parent(order);
  if (parent < 0) return [];
  const alike: number[] = [];
  let compared = 0;
  for (const sibling of page.children(parent)) {
    if (compared++ >= MAX_COMPARED || page.isTired) break;
    if (likeness.of(order, sibling) >= ALIKE) alike.push(sibling);
  }
  return alike;
}

/** Collects all elements like the examples inside the container, and inside containers that look like it. */
function collect(examples: readonly number[], container: number, likeness: Likeness, page: Page): Examples {
  const region = regionOf(container, likeness, page);
  const [first] = examples as [number];
  const { tag } = likeness.looksOf(first);
  const shared = likeness.sharedClasses(examples);
  const column = columnOf(examples, page);
  const isLike = (order: number): boolean =>
    (column === null || page.placeOf(order) === column) &&
    shared.every((name) => likeness.looksOf(order).classes.has(name)) &&
    examples.some((example) => likeness.of(example, order) >= ALIKE);
  const expected: number[] = [];
  let compared = 0;
  const end = page.end(region);
  page.work(end - region);
  for (let order = region + 1; order < end; order++) {
    if (page.element(order).name !== tag) continue;
    if (compared++ >= MAX_COMPARED || page.isTired) break;
    if (isLike(order)) expected.push(order);
  }
  return { examples, expected: withExamples(expected, examples), container: region };
}

/** Returns the column of examples that are cells of one; null for others. */
function columnOf(examples: readonly number[], page: Page): number | null {
  const [first, ...rest] = examples as [number, ...number[]];
  const { name } = page.element(first);
  const place = page.placeOf(first);
  const isColumn = (name === 'td' || name === 'th') && rest.every((order) => page.placeOf(order) === place);
  return isColumn && rest.length > 0 ? place : null;
}

/** Returns the element around the containers that look like the container: rows of cards, or groups of items. */
function regionOf(container: number, likeness: Likeness, page: Page): number {
  let region = container;
  for (let at = container; ; at = page.parent(at)) {
    const parent = page.parent(at);
    if (parent < 0 || page.element(parent).name === 'html') break;
    // A list ends where its element does, unlike rows of cards; the parts of a table are one list.
    if (LIST_TAGS.has(page.element(at).name)) {
      if (!LIST_TAGS.has(page.element(parent).name)) break;
      region = parent;
      continue;
    }
    const alike = siblingsLike(at, likeness, page).filter((sibling) => sibling !== at);
    if (alike.length === 0) break;
    region = parent;
  }
  return region;
}

function withExamples(expected: readonly number[], examples: readonly number[]): number[] {
  return [...new Set([...expected, ...examples])].sort((left, right) => left - right);
}

/** Returns the nearest element that contains all others. */
function commonAncestor(orders: readonly number[], page: Page): number {
  const last = Math.max(...orders);
  let at = page.parent(Math.min(...orders));
  while (at >= 0 && page.end(at) <= last) at = page.parent(at);
  return at;
}

function childTowards(ancestor: number, order: number, page: Page): number {
  let at = order;
  while (page.parent(at) !== ancestor) at = page.parent(at);
  return at;
}
