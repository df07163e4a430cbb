import type { Node } from '../../dom/node.ts';
import type { FieldSteps } from '../../plan/plan.ts';
import type { ExtractionState } from '../extraction-state.ts';
import { finderOf } from '../find-matches.ts';
import { type IsLeftOut, isUnseen } from '../text-of.ts';

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
