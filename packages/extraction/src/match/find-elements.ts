import type { ComplexSelector, SelectorList } from '../css/selector.ts';
import type { Node } from '../dom/node.ts';
import { compileList } from './compile-list.ts';
import { enterScope, type MatchRun } from './run.ts';
import { compoundUsesScope } from './uses-scope.ts';

/** Returns the orders of the elements that match the list, in document order; at most `limit`. */
export function ordersOfList(list: SelectorList, run: MatchRun, limit = Number.POSITIVE_INFINITY): number[] {
  const { elements } = run.document;
  const matches = compileList(list, run);
  const orders: number[] = [];
  enterScope(run, 0);
  for (let order = 0; order < elements.length && orders.length < limit; order++) {
    run.budget.spend(1);
    if (matches(elements[order] as Node)) orders.push(order);
  }
  return orders;
}

/** Finds the matches of a list inside the :scope element, including that element. */
export type ScopedMatcher = (scope: number) => readonly number[];

/** Prepares a list for matching in many scopes; elements that match in no scope are tested once. */
export function bindInScope(list: SelectorList, run: MatchRun): ScopedMatcher {
  const matches = compileList(list, run);
  const candidates = bindCandidates(list, run);
  return (scope) => {
    enterScope(run, scope);
    const orders = candidates(scope);
    run.budget.spend(1 + orders.length);
    return orders.filter((order) => matches(run.document.elements[order] as Node));
  };
}

/** Returns a function that finds the possible matches inside a scope. */
function bindCandidates(list: SelectorList, run: MatchRun): ScopedMatcher {
  const { elements, ends } = run.document;
  if (list.every(({ compounds }) => compounds.at(-1)?.some(isScope))) return (scope) => [scope];
  const open = list.map(withoutScope);
  if (open.every((complex) => complex !== null)) {
    const orders = ordersOfList(open, run);
    return (scope) => inside(orders, scope, run);
  }
  return (scope) => elements.slice(scope, ends[scope]).map(({ order }) => order);
}

/** Returns the selector with any element as the scope; null if it uses :scope elsewhere than in its first compound. */
function withoutScope({
  compounds: [first = [], ...rest],
  combinators,
}: ComplexSelector): ComplexSelector | null {
  const conditions = first.filter((simple) => !isScope(simple));
  if ([conditions, ...rest].some(compoundUsesScope)) return null;
  return { compounds: [[{ kind: 'universal' }, ...conditions], ...rest], combinators };
}

function isScope({ kind }: { readonly kind: string }): boolean {
  return kind === 'scope';
}

/** Returns the orders inside the element, including itself; `orders` is sorted. */
export function inside(orders: readonly number[], scope: number, { document }: MatchRun): readonly number[] {
  return orders.slice(lowerBound(orders, scope), lowerBound(orders, document.ends[scope] as number));
}

/** Returns the index of the first order that is not below the wanted one. */
export function lowerBound(orders: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((orders[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
