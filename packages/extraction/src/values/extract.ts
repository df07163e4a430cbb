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

/** Value of a field: a string, a record, a list of either, or null without a match. */
export type ExtractedValue = string | null | ExtractedData | readonly ExtractedValue[];

/** Field names and their values. */
export interface ExtractedData {
  readonly [field: string]: ExtractedValue;
}

/** Result of extracting from one page. */
export interface ExtractionResult {
  readonly data: ExtractedData;
  readonly warnings: readonly ExtractionWarning[];
}

/** Options of `extract`; `baseUrl` is the URL of the page, to which its <base href> is applied. */
export interface ExtractOptions {
  readonly baseUrl: string;
  readonly budget?: Budget;
}

/** Extracts the values of a plan from the document. Throws UNSUPPORTED_CONTENT when over the budget. */
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

/** Cost of finding and creating one value of a record, besides reading it. */
const STEPS_PER_FIELD = 16;

type Finder = (scope: number | null) => readonly number[];

interface ExtractionState {
  readonly run: MatchRun;
  /** Returns the base of relative URLs. */
  readonly base: () => string;
  readonly budget: Budget;
  /** Fields that matched at least once. */
  readonly matched: Set<PlannedField>;
  /** Finders of the fields, created when first needed. */
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

/** Creates the finder of a field: it searches the whole document at the top, and the record's element in a record. */
function bindField({ list, usesScope }: PlannedField, run: MatchRun): Finder {
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
