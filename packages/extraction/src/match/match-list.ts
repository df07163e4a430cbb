import type { Budget } from '../budget.ts';
import type { ComplexSelector, RelativeSelector, SelectorList } from '../css/selector.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { bindCompound } from './bind-compound.ts';
import { follow, precede } from './relations.ts';
import { createSet, type ElementSet, type MatchRun, remember } from './run.ts';
import { usesScope } from './uses-scope.ts';

/** Starts a run over a document; :scope is the root element, as in `document.querySelectorAll`. */
export function startRun(document: ParsedDocument, budget: Budget): MatchRun {
  return {
    document,
    budget,
    scope: 0,
    shared: new Map(),
    scoped: new Map(),
    lists: { setOf, setOfRelatives },
  };
}

/** Returns the orders of the elements that match the list, in document order. */
export function ordersOfList(list: SelectorList, run: MatchRun): number[] {
  const orders: number[] = [];
  const [first] = list;
  if (list.length === 1 && first) {
    visitMatches(first, run, (order) => orders.push(order));
    return orders;
  }
  const union = createSet(run);
  for (const complex of list) markMatches(complex, run, union);
  for (let order = 0; order < union.length; order++) if (union[order]) orders.push(order);
  return orders;
}

/**
 * Returns the set of elements that match the list. Each compound is tested once on each element and each combinator is one
 * pass over the document, so the work is at most the product of their sizes on any page.
 */
function setOf(list: SelectorList, run: MatchRun): ElementSet {
  return remember(usesScope(list) ? run.scoped : run.shared, list, () => {
    const union = createSet(run);
    for (const complex of list) markMatches(complex, run, union);
    return union;
  });
}

/** Returns the set of elements for which one of the relative selectors of :has() finds a match. */
function setOfRelatives(list: readonly RelativeSelector[], run: MatchRun): ElementSet {
  return remember(usesScope(list) ? run.scoped : run.shared, list, () => {
    const union = createSet(run);
    for (const relative of list) markAnchors(relative, run, union);
    return union;
  });
}

function markMatches(complex: ComplexSelector, run: MatchRun, union: ElementSet): void {
  visitMatches(complex, run, (order) => {
    union[order] = 1;
  });
}

/** Matches from the left: each compound among the elements that the previous one leads to. */
function visitMatches(complex: ComplexSelector, run: MatchRun, visit: (order: number) => void): void {
  const { compounds, combinators } = complex;
  let reach: ElementSet | null = null;
  for (const [index, compound] of compounds.entries()) {
    const matches = bindCompound(compound, run);
    const isLast = index === compounds.length - 1;
    const matched = isLast ? null : createSet(run);
    run.budget.spend(compound.length * run.document.elements.length);
    for (let order = 0; order < run.document.elements.length; order++) {
      if (reach !== null && reach[order] === 0) continue;
      if (!matches(order)) continue;
      if (matched === null) visit(order);
      else matched[order] = 1;
    }
    const combinator = combinators[index];
    if (matched && combinator) reach = follow(matched, combinator, run);
  }
}

/** Matches from the right: each compound among the elements that lead to the next one, then the anchors. */
function markAnchors(relative: RelativeSelector, run: MatchRun, union: ElementSet): void {
  const { compounds, combinators, anchor } = relative;
  let reach: ElementSet | null = null;
  for (let index = compounds.length - 1; index >= 0; index--) {
    const matches = bindCompound(compounds[index] ?? [], run);
    const matched = createSet(run);
    run.budget.spend(matched.length);
    for (let order = 0; order < matched.length; order++) {
      if ((reach === null || reach[order] === 1) && matches(order)) matched[order] = 1;
    }
    reach = precede(matched, combinators[index - 1] ?? anchor, run);
  }
  for (let order = 0; order < union.length; order++) if (reach?.[order]) union[order] = 1;
}
