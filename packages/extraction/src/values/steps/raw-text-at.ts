import type { Node } from '../../dom/node.ts';
import type { FieldSteps } from '../../plan/plan.ts';
import type { ExtractionState } from '../extraction-state.ts';
import { finderOf } from '../find-matches.ts';
import { isUnseen, rawText } from '../text-of.ts';

/** Returns the text of an element with its white space, without that of excluded descendants. */
export function rawTextAt(order: number, steps: FieldSteps, state: ExtractionState): string {
  return rawText(elementAt(order, state), leavesOut(order, steps, state), state.budget);
}

/** Cost of remembering an element that is left out. */
const STEPS_PER_EXCLUDED = 4;

/** Returns a test of the nodes inside an element whose text is left out. */
export function leavesOut(
  order: number,
  { exclude }: FieldSteps,
  state: ExtractionState,
): (node: Node) => boolean {
  if (exclude === null) return isUnseen;
  const excluded = new Set(finderOf(exclude, state)(order));
  state.budget.spend(STEPS_PER_EXCLUDED * excluded.size);
  return (node) => isUnseen(node) || excluded.has(node.order);
}

/** Returns the element at an order of the document. */
export function elementAt(order: number, { run }: ExtractionState): Node {
  return run.document.elements[order] as Node;
}
