import { NAVIGATION } from '../article/element-names.ts';
import { isBox } from '../article/element-roles.ts';
import { linkDensity, type Measures, measureElements } from '../article/measure-elements.ts';
import type { Budget } from '../budget.ts';
import { isHtmlElement, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { isNever } from '../read/text-of.ts';

/** Number of links from which a box with little else is a menu. */
const MIN_LINKS = 3;
/** Share of links in a box before the content from which it is a menu, with the name and the motto of the site. */
const MENU_SHARE = 0.33;
const LINK_SHARE = 0.5;
/** Share of running text from which a box with any name is not a menu. */
const PROSE_SHARE = 0.5;

/**
 * Finds the menus of a page: boxes of links before its first heading or running text, and boxes
 * named as navigation that have hardly any running text. Returns the orders of the outermost ones.
 */
export function findMenus(document: ParsedDocument, budget: Budget): ReadonlySet<number> {
  const { elements, ends } = document;
  const measures = measureElements(document, { strictness: 'lenient', isExcluded: isNever }, budget);
  budget.spend(2 * elements.length);
  const links = countLinks(elements);
  const running = countRunning(elements, measures);
  const start = elements.findIndex((element) => isStart(element, measures));
  const menus = new Set<number>();
  for (let order = 0; order < elements.length; order++) {
    const element = elements[order] as Node;
    const end = ends[order] as number;
    if (!isBox(element) || (order <= start && start < end)) continue;
    const count = (links[end] as number) - (links[order] as number);
    const isLeading = end <= start && count >= MIN_LINKS && linkDensity(measures, order) >= MENU_SHARE;
    const text = (running[end] as number) - (running[order] as number);
    if (!isLeading && !(count > 0 && isNavigation(order, text, measures))) continue;
    menus.add(order);
    order = end - 1;
  }
  return menus;
}

/** Returns the numbers of links before each element. */
function countLinks(elements: readonly Node[]): Uint32Array {
  const links = new Uint32Array(elements.length + 1);
  for (const [order, element] of elements.entries()) {
    links[order + 1] = (links[order] as number) + (isHtmlElement(element, 'a') ? 1 : 0);
  }
  return links;
}

/** Returns the characters of running text before each element. */
function countRunning(elements: readonly Node[], measures: Measures): Float64Array {
  const running = new Float64Array(elements.length + 1);
  for (const { order } of elements) {
    const own = measures.blocks[order] === order ? (measures.ownChars[order] as number) : 0;
    const isRunning = own >= MIN_PROSE_CHARS && linkDensity(measures, order) < LINK_SHARE;
    running[order + 1] = (running[order] as number) + (isRunning ? own : 0);
  }
  return running;
}

/** Returns true for a heading that is not a link, such as the name of the site, and for running text. */
function isStart({ order, name }: Node, measures: Measures): boolean {
  if (measures.isLeftOut[order] === 1 || (measures.ownChars[order] as number) === 0) return false;
  if (/^h[1-6]$/.test(name)) return linkDensity(measures, order) < LINK_SHARE;
  return (measures.prose[order] as number) >= MIN_PROSE_CHARS && linkDensity(measures, order) < LINK_SHARE;
}

/** Length of running text that is more than the motto of a site, in characters. */
const MIN_PROSE_CHARS = 80;

function isNavigation(order: number, running: number, { names, chars }: Measures): boolean {
  return ((names[order] as number) & NAVIGATION) > 0 && running < PROSE_SHARE * (chars[order] as number);
}
