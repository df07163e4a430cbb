import type { FieldType } from '@gleaner/contracts';
import type { Conversion, JsonValue } from '../convert/conversion.ts';
import type { Node } from '../dom/node.ts';
import { type MarkdownContext, markdownOf } from '../markdown/markdown-of.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import { absoluteUrl, attributeValue } from '../read/attribute-value.ts';
import { htmlOf } from '../read/html-of.ts';
import { rowsOf, tableOf } from '../read/tables/table-of.ts';
import { keptText, rawText, textOf } from '../read/text-of.ts';
import { xmlOf } from '../read/xml-of.ts';
import {
  type Candidate,
  type ElementScope,
  type ExtractionState,
  type Scope,
  STEPS_PER_VALUE,
  type SteppedField,
} from './extraction-state.ts';
import { findJsonValues } from './find-json-values.ts';
import { elementAt, findMatches, leavesOut } from './find-matches.ts';

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

type ElementReader = (element: Node, context: Required<MarkdownContext>) => Conversion;

/** Readers of the types that are made of an element instead of its text. */
const READERS: ReadonlyMap<FieldType, ElementReader> = new Map<FieldType, ElementReader>([
  ['table', tableOf],
  ['rows', rowsOf],
  ['markdown', (element, context) => ({ value: markdownOf(element, context) })],
]);

/** Returns true if the type is made of an element instead of its text. */
function readsElement(type: FieldType | null): boolean {
  return type !== null && READERS.has(type);
}

/** Returns the value that the type of a field makes of an element; null with a warning if there is none. */
function readElement({ field, steps }: SteppedField, order: number, state: ExtractionState): JsonValue {
  const read = READERS.get(steps.type as FieldType) as ElementReader;
  const isLeftOut = leavesOut(order, steps, state);
  const { base, budget } = state;
  const conversion = read(elementAt(order, state), { base, budget, isLeftOut });
  if (!('problem' in conversion)) return conversion.value;
  state.steps.warnings.add(field, 'VALUE_NOT_CONVERTED', () => conversion.problem);
  return null;
}

/** Kinds of values that are texts of an element. */
type TextValue = Exclude<PlannedField['value'], { kind: 'record' }>;

/** Returns the text, markup or attribute of an element; null for an attribute that it lacks. */
export function readValue(
  value: TextValue,
  element: Node,
  { run: { document }, budget, base }: ExtractionState,
): string | null {
  if (value.kind === 'text' || value.kind === 'time') return textOf(element, budget);
  if (value.kind === 'html') return document.isXml ? xmlOf(element, budget) : htmlOf(element, budget);
  const raw = attributeValue(element, value.name, document);
  return raw !== null && value.isAbsolute ? absoluteUrl(raw, base(), budget) : raw;
}
