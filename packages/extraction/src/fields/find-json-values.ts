import type { Budget } from '../budget.ts';
import { type JsonValue, quote } from '../convert/conversion.ts';
import { isConvertible } from '../convert/converters.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { findJson } from '../json/find-json.ts';
import { type JsonReading, readJson } from '../json/read-json.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import { attributeValue } from '../read/attribute-value.ts';
import { isUnseen, rawText } from '../read/text-of.ts';
import type { ElementScope, ExtractionState, JsonScope, Scope } from './extraction-state.ts';
import { elementAt, findMatches, leavesOut } from './find-matches.ts';

/**
 * Returns the values that the JSONPath of a field selects: all of them, or the first if the field takes one. A path that
 * selects nothing in the first element goes on to the next: pages often have several scripts of JSON.
 */
export function findJsonValues(
  field: PlannedField,
  steps: FieldSteps,
  scope: Scope,
  state: ExtractionState,
): readonly JsonValue[] {
  const { path, source } = steps.json as NonNullable<FieldSteps['json']>;
  const takesOne = !field.takesAll && steps.type !== 'count';
  const found: JsonValue[] = [];
  for (const root of rootsOf({ field, steps, source }, scope, state)) {
    for (const value of findJson(path, root, state.budget)) found.push(value);
    if (takesOne && found.length > 0) break;
  }
  if (found.length > 0) state.steps.selected.add(field);
  const values = takesOne ? found.slice(0, 1) : found;
  // Of records, their fields say it.
  if (!isConvertible(steps.type) && field.value.kind !== 'record') warnInexact(field, values, state);
  return values;
}

/** Warns of values that are, or contain, a number as text. */
function warnInexact(
  field: PlannedField,
  values: readonly JsonValue[],
  { budget, steps }: ExtractionState,
): void {
  if (steps.inexact.size === 0) return;
  const pending = [...values];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    budget.spend(1);
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) pending.push(inner);
    else if (typeof value === 'string' && steps.inexact.has(value)) {
      const number = value;
      steps.warnings.add(
        field,
        'VALUE_NOT_EXACT',
        () => `${number} is kept as text, because a number would lose some of its digits.`,
      );
    }
  }
}

interface Roots {
  readonly field: PlannedField;
  readonly steps: FieldSteps;
  readonly source: NonNullable<FieldSteps['json']>['source'];
}

/** Yields the values of JSON that the path is applied to, reading each one when it is needed. */
function* rootsOf(
  { field, steps, source }: Roots,
  scope: Scope,
  state: ExtractionState,
): Iterable<JsonValue> {
  if (source === 'record') {
    yield (scope as JsonScope).json;
    return;
  }
  const readings =
    typeof source === 'object'
      ? readCaptured(source.captured, state)
      : source === 'body'
        ? [readBody(state)]
        : readElements(field, steps, scope as ElementScope, state);
  for (const reading of readings) {
    if ('value' in reading) {
      for (const number of reading.inexact ?? []) state.steps.inexact.add(number);
      yield reading.value;
    } else state.steps.warnings.add(field, 'NOT_JSON', () => reading.problem);
  }
}

function* readCaptured(name: string, state: ExtractionState): Iterable<JsonReading> {
  const texts = state.captured.get(name) ?? [];
  if (texts.length === 0) yield { problem: `No response of "${name}" was captured.` };
  for (const [index, text] of texts.entries()) {
    yield readOnce(`captured ${name} ${index}`, state, () => readText(text, state));
  }
}

function readBody(state: ExtractionState): JsonReading {
  return readOnce('', state, () => {
    const text = textOfJsonDocument(state.run.document, state.budget);
    return text === null ? { problem: NO_JSON_DOCUMENT } : readText(text, state);
  });
}

const NO_JSON_DOCUMENT =
  'The page is not a JSON document: add a "selector" of the element that contains JSON, such as script[type="application/ld+json"].';

function* readElements(
  field: PlannedField,
  steps: FieldSteps,
  scope: ElementScope,
  state: ExtractionState,
): Iterable<JsonReading> {
  const { value } = field;
  for (const order of findMatches(field, scope, state)) {
    if (value.kind === 'attribute') {
      const text = attributeValue(elementAt(order, state), value.name, state.run.document);
      if (text !== null) yield readOnce(`${order} ${value.name}`, state, () => readText(text, state));
    } else if (steps.exclude === null) {
      yield readOnce(`${order}`, state, () => readText(sourceAt(order, steps, state), state));
    } else yield readText(sourceAt(order, steps, state), state);
  }
}

function sourceAt(order: number, steps: FieldSteps, state: ExtractionState): string {
  return rawText(elementAt(order, state), leavesOut(order, steps, state), state.budget);
}

/** Reads the JSON of a place once, for all fields that read from it. */
function readOnce(
  place: string,
  { steps: { readings } }: ExtractionState,
  read: () => JsonReading,
): JsonReading {
  const reading = readings.get(place) ?? read();
  readings.set(place, reading);
  return reading;
}

function readText(text: string, { budget }: ExtractionState): JsonReading {
  const reading = readJson(text, budget);
  return 'problem' in reading ? { problem: `${quote(text)}: ${reading.problem}` } : reading;
}

/**
 * Returns the source of a JSON document, or the text of one that may be JSON under another name: its body is one `pre`, as
 * browsers show plain text, or only text, as in JSON that is sent as HTML. Returns null for all other documents.
 */
function textOfJsonDocument({ elements, jsonSource }: ParsedDocument, budget: Budget): string | null {
  if (jsonSource !== null) return jsonSource;
  const body = elements.find((element) => isHtmlElement(element, 'body'));
  if (!body) return null;
  let source: Node = body;
  for (let child = body.first; child !== null; child = child.next) {
    budget.spend(1);
    if (child.kind !== NodeKind.element || isFormatter(child)) continue;
    if (source !== body || !isHtmlElement(child, 'pre')) return null;
    source = child;
  }
  return rawText(source, isUnseen, budget);
}

/** Returns true for the element in which Chromium offers to format displayed JSON. */
function isFormatter(element: Node): boolean {
  return attributeOf(element, 'class') === 'json-formatter-container';
}
