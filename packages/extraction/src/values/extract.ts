import { Budget } from '../budget.ts';
import { resolveBase } from '../dom/base-url.ts';
import type { Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { bindInScope, inside } from '../match/match-in-scope.ts';
import { ordersOfList, startRun } from '../match/match-list.ts';
import type { MatchRun } from '../match/run.ts';
import type { ExtractionPlan, PlannedField } from '../plan/plan.ts';
import { absoluteUrl, attributeValue } from './attribute-value.ts';
import { documentWarnings, type ExtractionWarning } from './extraction-warning.ts';
import { htmlOf } from './html-of.ts';
import { textOf } from './text-of.ts';
import { xmlOf } from './xml-of.ts';

/** A string, a record, a list of either, or null where nothing matched. */
export type ExtractedValue = string | null | ExtractedData | readonly ExtractedValue[];

/** Field names and their values. */
export interface ExtractedData {
  readonly [field: string]: ExtractedValue;
}

/** What came out of a page. */
export interface ExtractionResult {
  readonly data: ExtractedData;
  readonly warnings: readonly ExtractionWarning[];
}

/** `baseUrl` is the URL that the page was read from; its own <base href> is applied to it. */
export interface ExtractOptions {
  readonly baseUrl: string;
  readonly budget?: Budget;
}

/** Takes the plan's values out of the document; throws UNSUPPORTED_CONTENT when over the budget. */
export function extract(
  document: ParsedDocument,
  plan: ExtractionPlan,
  { baseUrl, budget = new Budget() }: ExtractOptions,
): ExtractionResult {
  const base = once(() => resolveBase(document, baseUrl));
  const run = startRun(document, budget);
  const state: ExtractionState = { run, base, budget, matched: new Set(), bound: new Map() };
  const data = extractRecord(plan.fields, null, state);
  return { data, warnings: [...documentWarnings(document), ...warningsFor(plan.fields, state.matched)] };
}

/** Finding and making one value of a record, beside what is read for it. */
const STEPS_PER_FIELD = 16;

type Finder = (scope: number | null) => readonly number[];

interface ExtractionState {
  readonly run: MatchRun;
  /** What URLs are resolved against. */
  readonly base: () => string;
  readonly budget: Budget;
  /** The fields that matched somewhere. */
  readonly matched: Set<PlannedField>;
  /** How each field finds its elements; prepared when first needed. */
  readonly bound: Map<PlannedField, Finder>;
}

function extractRecord(
  fields: readonly PlannedField[],
  scope: number | null,
  state: ExtractionState,
): ExtractedData {
  const record: Record<string, ExtractedValue> = {};
  for (const field of fields) {
    state.budget.spendOutput(`"${field.name}":null,`);
    record[field.name] = extractField(field, scope, state);
  }
  return record;
}

function extractField(field: PlannedField, scope: number | null, state: ExtractionState): ExtractedValue {
  const find = state.bound.get(field) ?? bindField(field, state.run);
  state.bound.set(field, find);
  const orders = find(scope);
  state.budget.spend(STEPS_PER_FIELD + orders.length);
  if (orders.length > 0) state.matched.add(field);
  if (!field.takesAll) return orders[0] === undefined ? null : takeValue(field, orders[0], state);
  const values = orders.map((order) => takeValue(field, order, state));
  return field.value.kind === 'attribute' ? values.filter((value) => value !== null) : values;
}

/** At the top the whole document is searched; in a record its element and what is inside. */
function bindField({ list, usesScope }: PlannedField, run: MatchRun): Finder {
  const search = once(() => ordersOfList(list, run));
  if (!usesScope) return (scope) => (scope === null ? search() : insideOnly(search(), scope, run));
  const scoped = once(() => bindInScope(list, run));
  return (scope) => (scope === null ? search() : scoped()(scope));
}

/** Without :scope a selector looks inside the element alone, as `element.querySelectorAll` does. */
function insideOnly(orders: readonly number[], scope: number, run: MatchRun): readonly number[] {
  const found = inside(orders, scope, run);
  return found[0] === scope ? found.slice(1) : found;
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

function takeValue(field: PlannedField, order: number, state: ExtractionState): ExtractedValue {
  const element = state.run.document.elements[order] as Node;
  if (field.value.kind === 'record') return extractRecord(field.value.fields, order, state);
  const value = readValue(field.value, element, state);
  state.budget.spendOutput(value ?? 'null');
  return value;
}

function readValue(
  value: Exclude<PlannedField['value'], { kind: 'record' }>,
  element: Node,
  { run: { document }, budget, base }: ExtractionState,
): string | null {
  if (value.kind === 'text') return textOf(element, budget);
  if (value.kind === 'html') return document.isXml ? xmlOf(element, budget) : htmlOf(element, budget);
  const raw = attributeValue(element, value.name, document);
  return raw !== null && value.isAbsolute ? absoluteUrl(raw, base()) : raw;
}

function warningsFor(
  fields: readonly PlannedField[],
  matched: ReadonlySet<PlannedField>,
): ExtractionWarning[] {
  return fields.flatMap((field) => {
    if (!matched.has(field)) return [noMatch(field)];
    return field.value.kind === 'record' ? warningsFor(field.value.fields, matched) : [];
  });
}

function noMatch({ path, selector }: PlannedField): ExtractionWarning {
  return {
    field: path,
    code: 'SELECTOR_NO_MATCH',
    message: `The selector "${selector}" matches nothing on the page.`,
  };
}
