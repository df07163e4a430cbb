import type { Selector } from '@gleaner/contracts';
import { suggestList } from '../lists/suggest-list.ts';
import type { Page } from '../page.ts';
import { suggestOne } from '../suggest.ts';
import type { Candidate } from '../suggestion.ts';
import { classesOf } from '../tokens/tokens-of.ts';
import { findAgain } from './find-again.ts';
import type { Mark, PageTexts } from './page-texts.ts';
import { cssOf, takeFor, withCss } from './reading.ts';

/** Both pages while a selector is repaired. */
export interface BothPages {
  readonly good: PageTexts;
  readonly bad: PageTexts;
}

/** A selector to try, before it is run over both pages. */
export interface Attempt {
  readonly selector: Selector;
  /** True if the elements that it was made for are the right ones beyond doubt. */
  readonly isCertain: boolean;
  readonly reasons: readonly string[];
}

/** Reason of a selector that has the old one as its first part. */
export const BOTH = 'Matches the page as it was, too: the old selector is its first part.';
const MAX_ALONE = 3;
const MAX_PICKS = 20;
const MAX_LOOKED_FOR = 60;

/** Yields selectors of the element that has the value of `order` now. */
export function* repairOne(selector: Selector, order: number, { good, bad }: BothPages): Generator<Attempt> {
  const take = takeFor(selector, order, good.page);
  const mark = good.markOf(order, take);
  const found = mark && findAgain(order, mark, { good, bad });
  if (!found) return;
  const { elements } = found.occurrence;
  const { name } = good.page.element(order);
  const sameTag = elements.find((each) => bad.page.element(each).name === name);
  const targets = [...new Set([sameTag ?? elements[0], elements[0], elements.at(-1)])];
  const old = cssOf(selector);
  for (const target of targets) {
    if (target === undefined) continue;
    const candidates = suggestOne(target, bad.page, []);
    const attempt = (css: string, reasons: readonly string[]): Attempt => ({
      selector: withCss(selector, css),
      isCertain: found.isCertain,
      reasons,
    });
    for (const candidate of candidates.slice(0, MAX_ALONE))
      yield attempt(candidate.selector, candidate.reasons);
    for (const candidate of candidates)
      yield attempt(`${old}, ${candidate.selector}`, [...candidate.reasons, BOTH]);
  }
}

/** Yields selectors of the elements that have the values of these elements now. */
export function* repairMany(
  selector: Selector,
  orders: readonly number[],
  { good, bad }: BothPages,
): Generator<Attempt> {
  const marks = marksOf(selector, orders, good);
  const found = [...marks].flatMap(([, mark]) => {
    const places = bad.find(mark);
    return places.length === 1 ? [places[0]?.elements ?? []] : [];
  });
  const isEnough = found.length >= Math.min(2, marks.size) && found.length * 2 >= marks.size;
  if (!isEnough) return;
  const old = cssOf(selector);
  for (const innermost of [true, false]) {
    const picks = found
      .flatMap((elements) => (innermost ? elements[0] : elements.at(-1)) ?? [])
      .slice(0, MAX_PICKS);
    const lists = [...suggestList({ picks, not: [] }, bad.page, []), ...sharedClasses(picks, bad.page)];
    for (const { selector: list, columns = [], reasons } of lists) {
      const picked = columns
        .filter(({ isPicked }) => isPicked)
        .map((column) => inRecord(list, column.selector));
      for (const css of [...picked, list]) {
        yield { selector: withCss(selector, css), isCertain: true, reasons };
        yield { selector: withCss(selector, `${old}, ${css}`), isCertain: true, reasons: [...reasons, BOTH] };
      }
    }
  }
}

/** Returns the marks of elements; of equal ones, the first. */
function marksOf(selector: Selector, orders: readonly number[], texts: PageTexts): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const order of orders.slice(0, MAX_LOOKED_FOR)) {
    const mark = texts.markOf(order, takeFor(selector, order, texts.page));
    if (mark && !marks.has(mark.value)) marks.set(mark.value, mark);
  }
  return marks;
}

/** Writes a selector relative to a record as one of the page. */
function inRecord(record: string, css: string): string {
  return css.startsWith(':scope') ? record + css.slice(':scope'.length) : `${record} ${css}`;
}

/** Levels above elements to search for a shared class. */
const MAX_LEVELS = 5;
const CLASS = /^-?[A-Za-z_][\w-]*$/;

/**
 * Returns the classes shared by all elements, or by the elements around them; generated ones too if nothing
 * else distinguishes them.
 */
export function sharedClasses(
  picks: readonly number[],
  page: Page,
): Pick<Candidate, 'selector' | 'columns' | 'reasons'>[] {
  const found: Pick<Candidate, 'selector' | 'columns' | 'reasons'>[] = [];
  let level = [...picks];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
    const [first, ...rest] = level.map((order) => new Set(classesOf(page.element(order), page)));
    const shared = [...(first ?? [])].filter(
      (name) => CLASS.test(name) && rest.every((names) => names.has(name)),
    );
    for (const name of shared) {
      const reasons = [`Relies on the class .${name}, which the site may change with its next version.`];
      found.push({ selector: `.${name}`, reasons });
    }
    level = level.map((order) => page.parent(order)).filter((order) => order >= 0);
    if (new Set(level).size < level.length) break;
  }
  return found;
}
