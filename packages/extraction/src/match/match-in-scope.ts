import type { Combinator, ComplexSelector, CompoundSelector, SelectorList } from '../css/selector.ts';
import { type Node, NodeKind } from '../dom/node.ts';
import { bindCompound } from './bind-compound.ts';
import { ordersOfList } from './match-list.ts';
import { type MatchRun, type Test, withScope } from './run.ts';
import { compoundUsesScope } from './uses-scope.ts';

/** Finds the matches of a list inside the :scope element, including that element. */
export type ScopedMatcher = (scope: number) => readonly number[];

/** Prepares a list for matching in many scopes; everything that does not depend on :scope is computed once. */
export function bindInScope(list: SelectorList, run: MatchRun): ScopedMatcher {
  const walks = list.map((complex) => bindWalk(complex, run));
  if (!walks.every((walk) => walk !== null)) return (scope) => searchDocument(list, scope, run);
  return (scope) => {
    const orders = walks.flatMap((walk) => walk(scope));
    return inside(sortedUnique(orders), scope, run);
  };
}

/** Creates a walk from the scope element for selectors that use :scope only in the first compound; null for others. */
function bindWalk(
  { compounds, combinators }: ComplexSelector,
  run: MatchRun,
): ((scope: number) => number[]) | null {
  const [first, ...rest] = compounds;
  if (!first?.some(({ kind }) => kind === 'scope')) return null;
  const conditions = first.filter(({ kind }) => kind !== 'scope');
  if (compoundUsesScope(conditions) || rest.some(compoundUsesScope)) return null;
  const isScope = bindCompound(conditions, run);
  const steps = rest.map((compound, index) => bindStep(combinators[index] ?? ' ', compound, run));
  return (scope) => steps.reduce((orders, step) => step(orders), isScope(scope) ? [scope] : []);
}

function bindStep(
  combinator: Combinator,
  compound: CompoundSelector,
  run: MatchRun,
): (orders: number[]) => number[] {
  const matches = bindCompound(compound, run);
  return (orders) => {
    const reached = REACH[combinator](orders, run);
    run.budget.spend(1 + reached.length * compound.length);
    return reached.filter(matches satisfies Test);
  };
}

/** Elements that a combinator leads to, each once, in document order. */
const REACH: Readonly<Record<Combinator, (orders: number[], run: MatchRun) => number[]>> = {
  ' '(orders, { document, budget }) {
    const reached: number[] = [];
    let next = 0;
    for (const order of orders) {
      const end = document.ends[order] as number;
      budget.spend(1 + Math.max(0, end - Math.max(next, order + 1)));
      for (next = Math.max(next, order + 1); next < end; next++) reached.push(next);
    }
    return reached;
  },
  '>': (orders, run) =>
    sortedUnique(orders.flatMap((order) => elementsFrom(run.document.elements[order]?.first ?? null, run))),
  '+': (orders, run) =>
    sortedUnique(
      orders.flatMap((order) => elementsFrom(run.document.elements[order]?.next ?? null, run).slice(0, 1)),
    ),
  '~'(orders, run) {
    const reached = new Set<number>();
    for (const order of orders) {
      for (const sibling of elementsFrom(run.document.elements[order]?.next ?? null, run)) {
        if (reached.has(sibling)) break;
        reached.add(sibling);
      }
    }
    return sortedUnique([...reached]);
  },
};

function elementsFrom(start: Node | null, { budget }: MatchRun): number[] {
  const orders: number[] = [];
  for (let node = start; node !== null; node = node.next) {
    budget.spend(1);
    if (node.kind === NodeKind.element) orders.push(node.order);
  }
  return orders;
}

function searchDocument(list: SelectorList, scope: number, run: MatchRun): readonly number[] {
  return inside(ordersOfList(list, withScope(run, scope)), scope, run);
}

/** Returns those of the sorted orders that are inside the element, including itself. */
export function inside(orders: readonly number[], scope: number, { document }: MatchRun): readonly number[] {
  return orders.slice(lowerBound(orders, scope), lowerBound(orders, document.ends[scope] as number));
}

function lowerBound(orders: readonly number[], wanted: number): number {
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((orders[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sortedUnique(orders: number[]): number[] {
  orders.sort((left, right) => left - right);
  return orders.filter((order, index) => order !== orders[index - 1]);
}
