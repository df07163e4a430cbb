import type { ExtractedData, ExtractedValue } from '@gleaner/contracts';
import { Budget } from './budget.ts';
import type { Node } from './dom/node.ts';
import type { ParsedDocument } from './dom/parse-document.ts';
import { resolveBase } from './dom/parse-url.ts';
import { convertPending } from './fields/convert-pending.ts';
import { type ExtractionState, STEPS_PER_VALUE, startSteps } from './fields/extraction-state.ts';
import { fillField } from './fields/fill-field.ts';
import { readValue } from './fields/find-candidates.ts';
import { findMatches } from './fields/find-matches.ts';
import { ElementLog, FieldLog, type MatchLog } from './fields/match-log.ts';
import { settleRequired } from './fields/settle-required.ts';
import { documentWarnings, type ExtractionWarning, warningsFor } from './fields/warnings.ts';
import { startRun } from './match/run.ts';
import { once } from './once.ts';
import type { ExtractionPlan, PlannedField } from './plan/plan.ts';

/** Result of extracting from one page. */
export interface ExtractionResult {
  readonly data: ExtractedData;
  readonly warnings: readonly ExtractionWarning[];
}

/** Options of `extract`. */
export interface ExtractOptions {
  /** URL of the page, to which its <base href> is applied. */
  readonly baseUrl: string;
  readonly budget?: Budget;
  /** BCP 47 tag of the language of fields that name none. */
  readonly locale?: string;
}

/** Result of extracting from one page, with the elements that it comes from. */
export interface MatchedResult extends ExtractionResult {
  /** For each field by its path, the orders of all elements that its selector matches, in document order. */
  readonly matches: Readonly<Record<string, readonly number[]>>;
}

/**
 * Extracts the values of a plan from the document: reads them all, converts those of each field together, and checks the
 * required ones. Throws UNSUPPORTED_CONTENT when over the budget, and REQUIRED_FIELD_MISSING.
 */
export function extract(
  document: ParsedDocument,
  plan: ExtractionPlan,
  options: ExtractOptions,
): ExtractionResult {
  return runPlan(document, plan, options, new FieldLog());
}

/**
 * Does the same as `extract`, and returns the matches of each field: all that its selector matches in the document or in the
 * records around it, although a field without `all` takes its value from the first. A field without a selector has none.
 */
export function extractWithMatches(
  document: ParsedDocument,
  plan: ExtractionPlan,
  { budget = new Budget(), ...options }: ExtractOptions,
): MatchedResult {
  const log = new ElementLog(document, budget);
  const result = runPlan(document, plan, { ...options, budget }, log);
  return { ...result, matches: log.matchesOf(plan.fields) };
}

function runPlan(
  document: ParsedDocument,
  plan: ExtractionPlan,
  { baseUrl, budget = new Budget(), locale }: ExtractOptions,
  matched: MatchLog,
): ExtractionResult {
  const state: ExtractionState = {
    run: startRun(document, budget),
    base: once(() => resolveBase(document, baseUrl)),
    budget,
    matched,
    bound: new Map(),
    steps: startSteps(locale),
    extractRecord,
  };
  const data = extractRecord(plan.fields, null, state);
  convertPending(state);
  settleRequired(plan.fields, data, state);
  return { data, warnings: [...documentWarnings(document), ...warningsFor(plan.fields, state)] };
}

function extractRecord(
  fields: readonly PlannedField[],
  scope: number | null,
  state: ExtractionState,
): ExtractedData {
  const record: Record<string, ExtractedValue> = {};
  for (const field of fields) {
    state.budget.spendOutput(`"${field.name}":null,`);
    if (field.steps === null) record[field.name] = extractField(field, scope, state);
    else {
      // Its value comes later; fields keep the order of the selectors.
      record[field.name] = null;
      fillField(field, field.steps, { record, scope }, state);
    }
  }
  return record;
}

function extractField(field: PlannedField, scope: number | null, state: ExtractionState): ExtractedValue {
  const orders = findMatches(field, scope, state);
  if (!field.takesAll) return orders[0] === undefined ? null : takeValue(field, orders[0], state);
  const values = orders.map((order) => takeValue(field, order, state));
  return field.value.kind === 'attribute' ? values.filter((value) => value !== null) : values;
}

function takeValue(field: PlannedField, order: number, state: ExtractionState): ExtractedValue {
  const element = state.run.document.elements[order] as Node;
  if (field.value.kind === 'record') return extractRecord(field.value.fields, order, state);
  state.budget.spend(STEPS_PER_VALUE);
  const value = readValue(field.value, element, state);
  state.budget.spendOutput(value ?? 'null');
  return value;
}
