import type { Node } from '../../dom/node.ts';
import type { FieldSteps, PlannedField } from '../../plan/plan.ts';
import { attributeValue } from '../attribute-value.ts';
import { type ExtractionState, STEPS_PER_VALUE } from '../extraction-state.ts';
import { findMatches } from '../find-matches.ts';
import { readValue, type TextValue } from '../read-value.ts';
import { keptText, rawText, textOf } from '../text-of.ts';
import { findJsonValues } from './find-json-values.ts';
import { elementAt, leavesOut } from './left-out.ts';
import { readElement, readsElement } from './read-element.ts';
import type { Candidate, ElementScope, Scope, SteppedField } from './step-state.ts';

/** Returns what a field finds before it is converted: the first text, attribute or value of JSON, unless the field takes all. */
export function findCandidates(
  field: PlannedField,
  steps: FieldSteps,
  scope: Scope,
  state: ExtractionState,
): readonly Candidate[] {
  if (steps.json) return findJsonValues(field, steps, scope, state).map((value) => ({ value }));
  const orders = findMatches(field, scope as ElementScope, state);
  const chosen = field.takesAll ? orders : orders.slice(0, 1);
  const stepped = { field, steps };
  const candidates = chosen.map((order) => readCandidate(stepped, order, state));
  const skipsMissing = field.takesAll && field.value.kind === 'attribute';
  return skipsMissing ? candidates.filter(({ value }) => value !== null) : candidates;
}

function readCandidate({ field, steps }: SteppedField, order: number, state: ExtractionState): Candidate {
  state.budget.spend(STEPS_PER_VALUE);
  const { type, whitespace } = steps;
  const value = field.value as TextValue;
  if (type === 'boolean' && steps.pattern === null && value.kind !== 'attribute') return { value: true };
  if (readsElement(type)) return { value: readElement({ field, steps }, order, state) };
  const element = elementAt(order, state);
  if (value.kind === 'time') return readTime(element, state);
  if (value.kind !== 'text') return { value: readValue(value, element, state) };
  const isLeftOut = leavesOut(order, steps, state);
  if (type === 'json') return { value: rawText(element, isLeftOut, state.budget) };
  if (whitespace === 'keep') return { value: keptText(element, isLeftOut, state.budget) };
  return { value: textOf(element, state.budget, isLeftOut) };
}

function readTime(element: Node, state: ExtractionState): Candidate {
  const text = textOf(element, state.budget);
  const datetime = attributeValue(element, 'datetime', state.run.document);
  return datetime === null ? { value: text } : { value: datetime, spare: text };
}
