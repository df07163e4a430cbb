import type { Node } from '../../dom/node.ts';
import type { FieldSteps, PlannedField } from '../../plan/plan.ts';
import { attributeValue } from '../attribute-value.ts';
import type { ExtractionState } from '../extraction-state.ts';
import { finderOf, findMatches } from '../find-matches.ts';
import { readValue, type TextValue } from '../read-value.ts';
import { collapse, isUnseen, rawText, textOf } from '../text-of.ts';
import type { Candidate } from './step-state.ts';

/** Returns the texts or attributes that a field finds: that of the first match, unless the field takes all. */
export function findCandidates(
  field: PlannedField,
  steps: FieldSteps,
  scope: number | null,
  state: ExtractionState,
): readonly Candidate[] {
  const orders = findMatches(field, scope, state);
  const chosen = field.takesAll ? orders : orders.slice(0, 1);
  const candidates = chosen.map((order) => readCandidate(field.value as TextValue, steps, order, state));
  const skipsMissing = field.takesAll && field.value.kind === 'attribute';
  return skipsMissing ? candidates.filter(({ value }) => value !== null) : candidates;
}

function readCandidate(
  value: TextValue,
  steps: FieldSteps,
  order: number,
  state: ExtractionState,
): Candidate {
  if (steps.type === 'boolean' && steps.pattern === null && value.kind !== 'attribute')
    return { value: true };
  const element = elementAt(order, state);
  if (value.kind === 'time') return readTime(element, state);
  const isPlain = steps.exclude === null && steps.whitespace === 'collapse' && steps.type !== 'json';
  if (value.kind !== 'text' || isPlain) return { value: readValue(value, element, state) };
  const text = readText(order, steps, state);
  return { value: steps.whitespace === 'keep' || steps.type === 'json' ? text : collapse(text) };
}

/** Returns the text of an element with its white space, without what is excluded. */
export function readText(order: number, { exclude }: FieldSteps, state: ExtractionState): string {
  const element = elementAt(order, state);
  const { budget } = state;
  if (exclude === null) return rawText(element, isUnseen, budget);
  const excluded = new Set(finderOf(exclude, state)(order));
  budget.spend(excluded.size);
  return rawText(element, (node) => isUnseen(node) || (node.order >= 0 && excluded.has(node.order)), budget);
}

function readTime(element: Node, state: ExtractionState): Candidate {
  const text = textOf(element, state.budget);
  const datetime = attributeValue(element, 'datetime', state.run.document);
  return datetime === null ? { value: text } : { value: datetime, spare: text };
}

/** Returns the element at an order of the document. */
export function elementAt(order: number, { run }: ExtractionState): Node {
  return run.document.elements[order] as Node;
}
