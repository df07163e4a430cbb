import type { Budget } from '../budget.ts';
import { parseSelector } from '../css/parse-selector.ts';
import type { Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { bindInScope, inside, ordersOfList } from '../match/find-elements.ts';
import { type MatchRun, startRun } from '../match/run.ts';
import { usesScope } from '../match/uses-scope.ts';
import { once } from '../once.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import { type IsLeftOut, isUnseen } from '../read/text-of.ts';
import { type ExtractionState, type FindableList, type Finder, STEPS_PER_FIELD } from './extraction-state.ts';

/**
 * Returns the orders of the elements matched by a field, and records the match. For a top-level field with
 * one element, the search ends at the first unless matches are logged.
 */
export function findMatches(
  field: PlannedField,
  scope: number | null,
  state: ExtractionState,
): readonly number[] {
  const takesFirst = scope === null && takesOne(field) && !state.matched.needsAll;
  const orders = takesFirst ? ordersOfList(field.list, state.run, 1) : finderOf(field, state)(scope);
  state.budget.spend(STEPS_PER_FIELD + orders.length);
  if (orders.length > 0) state.matched.add(field, orders);
  return orders;
}

function takesOne({ takesAll, steps }: PlannedField): boolean {
  return !takesAll && (steps === null || (steps.json === null && steps.type !== 'count'));
}

/** Returns the finder of a list: it searches the whole document without a scope, and inside the element with one. */
function finderOf(findable: FindableList, { bound, run }: ExtractionState): Finder {
  const known = bound.get(findable);
  if (known) return known;
  const find = bindList(findable, run);
  bound.set(findable, find);
  return find;
}

/** Prepares a list for searching the document of the run. */
function bindList({ list, usesScope }: FindableList, run: MatchRun): Finder {
  const search = once(() => ordersOfList(list, run));
  if (!usesScope) return (scope) => (scope === null ? search() : insideOnly(search(), scope, run));
  const scoped = once(() => bindInScope(list, run));
  return (scope) => (scope === null ? search() : scoped()(scope));
}

/** Returns the matches inside the element without itself, as `element.querySelectorAll` does. */
function insideOnly(orders: readonly number[], scope: number, run: MatchRun): readonly number[] {
  const found = inside(orders, scope, run);
  return found[0] === scope ? found.slice(1) : found;
}

/**
 * Returns a function that prepares a CSS selector for searching the document. Shared results, such as
 * positions among siblings, are computed once for all selectors. It throws for invalid selectors.
 */
export function createFinder(document: ParsedDocument, budget: Budget): (css: string) => Finder {
  const run = startRun(document, budget);
  return (css) => {
    const list = parseSelector(css);
    return bindList({ list, usesScope: usesScope(list) }, run);
  };
}

/** Cost of remembering an element that is left out. */
const STEPS_PER_EXCLUDED = 4;

/** Returns a test of the nodes inside an element whose text is left out. */
export function leavesOut(order: number, { exclude }: FieldSteps, state: ExtractionState): IsLeftOut {
  if (exclude === null) return isUnseen;
  const excluded = new Set(finderOf(exclude, state)(order));
  state.budget.spend(STEPS_PER_EXCLUDED * excluded.size);
  return (node) => isUnseen(node) || excluded.has(node.order);
}

/** Returns the element at an order of the document. */
export function elementAt(order: number, { run }: ExtractionState): Node {
  return run.document.elements[order] as Node;
}
