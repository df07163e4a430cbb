import type { ExtractedData, ExtractedValue, FieldType } from '@gleaner/contracts';
import { type Conversion, type JsonValue, quote } from '../convert/conversion.ts';
import { isConvertible } from '../convert/converters.ts';
import type { Node } from '../dom/node.ts';
import { isHtmlPage } from '../dom/parse-document.ts';
import { baseOf } from '../dom/parse-url.ts';
import { jsonText, spendJson } from '../json/visit-json.ts';
import { type MarkdownContext, markdownOf } from '../markdown/markdown-of.ts';
import { findPattern } from '../pattern/compile-pattern.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import { absoluteUrl, attributeValue } from '../read/attribute-value.ts';
import { figureText, keptFigureText } from '../read/figure-text.ts';
import { htmlOf } from '../read/html-of.ts';
import { rowsOf, tableOf } from '../read/tables/read-table.ts';
import { rawText, textOf } from '../read/text-of.ts';
import { xmlOf } from '../read/xml-of.ts';
import {
  type Candidate,
  type ElementScope,
  type ExtractionState,
  type JsonScope,
  type PendingValue,
  type Scope,
  STEPS_PER_FIELD,
  STEPS_PER_VALUE,
  type SteppedField,
} from './extraction-state.ts';
import { findJsonValues } from './find-json-values.ts';
import { elementAt, findMatches, leavesOut } from './find-matches.ts';

/** Record of a field, and the source to read the field from. */
interface Target {
  readonly record: Record<string, ExtractedValue>;
  readonly scope: Scope;
}

/** Reads a field that has steps, and writes its value into the record; values to convert are written later. */
export function fillField(
  field: PlannedField,
  steps: FieldSteps,
  { record, scope }: Target,
  state: ExtractionState,
): void {
  const { name, takesAll, value } = field;
  if (value.kind === 'record') {
    const records = findRecords({ field, steps }, value.fields, scope, state);
    record[name] = takesAll ? records : (records[0] ?? steps.fallback?.value ?? null);
  } else if (steps.type === 'count') {
    record[name] = steps.json
      ? findJsonValues(field, steps, scope, state).length
      : findMatches(field, scope as ElementScope, state).length;
  } else {
    const candidates = findCandidates(field, steps, scope, state);
    const write = (result: ExtractedValue): void => {
      record[name] = result;
    };
    if (takesAll) write(fillList({ field, steps }, candidates, state));
    else fillValue({ field, steps }, { candidate: candidates[0], write }, state);
  }
}

function findRecords(
  { field, steps }: SteppedField,
  fields: readonly PlannedField[],
  scope: Scope,
  state: ExtractionState,
): readonly (ExtractedData | null)[] {
  if (steps.json) {
    const values = findJsonValues(field, steps, scope, state);
    return values.map((json) => (json === null ? null : extractJsonRecord(fields, { json }, state)));
  }
  const orders = findMatches(field, scope as ElementScope, state);
  const chosen = field.takesAll ? orders : orders.slice(0, 1);
  return chosen.map((order) => state.extractRecord(fields, order, state));
}

/** Extracts a record from a value of JSON. All its fields have steps, since a JSONPath is one. */
function extractJsonRecord(
  fields: readonly PlannedField[],
  scope: JsonScope,
  state: ExtractionState,
): ExtractedData {
  const record: Record<string, ExtractedValue> = {};
  for (const field of fields) {
    state.budget.spend(STEPS_PER_FIELD);
    state.budget.spendOutput(`"${field.name}":null,`);
    fillField(field, field.steps as FieldSteps, { record, scope }, state);
  }
  return record;
}

function fillList(
  stepped: SteppedField,
  candidates: readonly Candidate[],
  state: ExtractionState,
): ExtractedValue[] {
  const list = new Array<ExtractedValue>(candidates.length).fill(null);
  candidates.forEach((candidate, index) => {
    const write = (result: ExtractedValue): void => {
      list[index] = result;
    };
    fillValue(stepped, { candidate, write }, state);
  });
  return list;
}

/** A candidate, or none where nothing was found, and the place of its result. */
interface Slot {
  readonly candidate: Candidate | undefined;
  readonly write: (value: ExtractedValue) => void;
}

/** Writes the value of a candidate, or leaves it to be converted with the others of the field. */
function fillValue({ field, steps }: SteppedField, { candidate, write }: Slot, state: ExtractionState): void {
  const value =
    candidate && candidate.value !== null ? matchPattern({ field, steps }, candidate.value, state) : null;
  if (steps.type === 'boolean') write(value !== null && value !== false);
  else if (value !== null && isConvertible(steps.type))
    defer(field, { value, spare: candidate?.spare, write }, state);
  else {
    const result = value ?? steps.fallback?.value ?? null;
    spendJson(result, state.budget);
    write(result);
  }
}

function matchPattern({ field, steps }: SteppedField, value: JsonValue, state: ExtractionState): JsonValue {
  const { pattern, fallback, type } = steps;
  if (pattern === null) return value;
  const text = jsonText(value, state.budget);
  const found = findPattern(pattern, text, state.budget);
  if (found === null && fallback === null && type !== 'boolean') {
    const describe = () => `${quote(text)} does not match the pattern ${quote(pattern)}.`;
    state.steps.warnings.add(field, 'PATTERN_NO_MATCH', describe);
  }
  return found;
}

/** Cost of a value that waits for its conversion: steps for each, and one more for so many characters. It bounds their memory. */
const STEPS_PER_WAITING = 4;
const CHARS_PER_STEP = 4;

function defer(field: PlannedField, value: PendingValue, { budget, steps }: ExtractionState): void {
  const chars = typeof value.value === 'string' ? value.value.length : 0;
  budget.spend(STEPS_PER_WAITING + Math.ceil(chars / CHARS_PER_STEP));
  const pending = steps.pending.get(field);
  if (pending) pending.push(value);
  else steps.pending.set(field, [value]);
}

/** Returns what a field finds before it is converted: the first text, attribute or value of JSON, unless the field takes all. */
function findCandidates(
  field: PlannedField,
  steps: FieldSteps,
  scope: Scope,
  state: ExtractionState,
): readonly Candidate[] {
  if (steps.json) return findJsonValues(field, steps, scope, state).map((value) => ({ value }));
  const orders = findMatches(field, scope as ElementScope, state);
  const chosen = field.takesAll ? orders : orders.slice(0, 1);
  const stepped = { field, steps };
  const isUrl = steps.type === 'url' && steps.pattern === null;
  const candidates = chosen.map((order) => {
    const candidate = readCandidate(stepped, order, state);
    return isUrl ? withBase(candidate, order, state) : candidate;
  });
  const skipsMissing = field.takesAll && field.value.kind === 'attribute';
  return skipsMissing ? candidates.filter(({ value }) => value !== null) : candidates;
}

/** Types whose texts hold a number. */
const FIGURE_TYPES: ReadonlySet<FieldType | null> = new Set<FieldType>(['number', 'integer', 'price']);

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
  if (whitespace === 'keep') return { value: keptFigureText(element, state.budget, isLeftOut) };
  if (FIGURE_TYPES.has(type)) return { value: figureText(element, state.budget, isLeftOut) };
  return { value: textOf(element, state.budget, isLeftOut) };
}

/** Makes the URL of an element absolute in XML, where elements around it may have a base of their own. */
function withBase({ value, ...rest }: Candidate, order: number, state: ExtractionState): Candidate {
  const { base, budget, run } = state;
  if (typeof value !== 'string' || value.trim() === '' || isHtmlPage(run.document)) return { value, ...rest };
  const ofElement = baseOf(elementAt(order, state), { document: run.document, base, budget });
  return { value: absoluteUrl(value, ofElement, budget), ...rest };
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

/** Converts an element to the type of its field; returns null with a warning if it does not convert. */
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
  return raw !== null && value.isAbsolute
    ? absoluteUrl(raw, baseOf(element, { document, base, budget }), budget)
    : raw;
}
