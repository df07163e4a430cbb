import { AppError, type ErrorDetail, type ExtractedData, type ExtractedValue } from '@gleaner/contracts';
import { Budget } from './budget.ts';
import type { Node } from './dom/node.ts';
import type { ParsedDocument } from './dom/parse-document.ts';
import { resolveBase } from './dom/parse-url.ts';
import { convertPending } from './fields/convert-pending.ts';
import { type ExtractionState, STEPS_PER_VALUE, startSteps } from './fields/extraction-state.ts';
import { fillField, readValue } from './fields/fill-field.ts';
import { findMatches } from './fields/find-matches.ts';
import { ElementLog, FieldLog, type MatchLog } from './fields/match-log.ts';
import { unifyInexact } from './fields/unify-inexact.ts';
import type { ExtractionWarning } from './fields/warning-log.ts';
import { documentWarnings, explainNoMatch, warningsFor } from './fields/warnings.ts';
import { startRun } from './match/run.ts';
import { once } from './once.ts';
import type { ExtractionPlan, PlannedField } from './plan/plan.ts';
import { MAX_LINKS, type PageNames, pageLinks, pageNames } from './read/page-names.ts';
import { pageText } from './read/text-of.ts';

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
  /** Texts of captured responses, by the names of the captures. */
  readonly captured?: ReadonlyMap<string, readonly string[]>;
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
  { baseUrl, budget = new Budget(), locale, captured = new Map() }: ExtractOptions,
  matched: MatchLog,
): ExtractionResult {
  const state: ExtractionState = {
    run: startRun(document, budget),
    base: once(() => resolveBase(document, baseUrl)),
    budget,
    captured,
    matched,
    bound: new Map(),
    steps: startSteps(locale),
    extractRecord,
  };
  const data = extractRecord(plan.fields, null, state);
  convertPending(state);
  unifyInexact(plan.fields, data, state);
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

/** Data of a page that is returned without selectors. */
export interface DefaultData extends PageNames {
  /** Readable text of the body, or of a whole document other than HTML, with each block on its own line; limited in length. */
  readonly text: string;
  /** Links of the page with http and https, absolute, each once, in document order; limited in number. */
  readonly links: readonly string[];
}

/** Extracts title, description, text and links of the page. Throws UNSUPPORTED_CONTENT when over the budget. */
export function extractDefaults(
  document: ParsedDocument,
  { baseUrl, budget = new Budget() }: ExtractOptions,
): DefaultData {
  return {
    ...pageNames(document, budget),
    text: pageText(document, budget),
    links: findLinks(document, baseUrl, budget),
  };
}

function findLinks(document: ParsedDocument, baseUrl: string, budget: Budget): readonly string[] {
  const links = new Set<string>();
  for (const { url } of pageLinks(document, baseUrl, budget)) {
    links.add(url);
    if (links.size >= MAX_LINKS) break;
  }
  return [...links];
}

/**
 * Leaves out the records of lists that lack a required value, and throws REQUIRED_FIELD_MISSING with all other required
 * fields that have none.
 */
function settleRequired(fields: readonly PlannedField[], data: ExtractedData, state: ExtractionState): void {
  if (!fields.some(({ hasRequired }) => hasRequired)) return;
  const missing = findMissing(fields, { record: data, path: 'selectors' }, state);
  if (missing.length === 0) return;
  const names = missing.map(({ field }) => field.path).join(', ');
  const count = missing.length === 1 ? '1 required field has' : `${missing.length} required fields have`;
  throw new AppError('REQUIRED_FIELD_MISSING', {
    message: `${count} no value: ${names}.`,
    details: missing.map(({ field, path }): ErrorDetail => ({ path, message: reasonOf(field, state) })),
  });
}

/** A required field without a value, and its path in the request. */
interface Missing {
  readonly field: PlannedField;
  readonly path: string;
}

interface Position {
  readonly record: ExtractedData;
  readonly path: string;
}

function findMissing(
  fields: readonly PlannedField[],
  { record, path }: Position,
  state: ExtractionState,
): Missing[] {
  return fields.flatMap((field) => {
    if (!field.hasRequired) return [];
    const own = `${path}.${field.name}`;
    const inner = settleInside(field, { record, path: own }, state);
    if (inner.length > 0) return inner;
    const isMissing = field.steps?.isRequired && isEmpty(record[field.name] ?? null);
    return isMissing ? [{ field, path: own }] : [];
  });
}

/** Settles the records of a field, and returns what its single record lacks. */
function settleInside(field: PlannedField, { record, path }: Position, state: ExtractionState): Missing[] {
  if (field.value.kind !== 'record') return [];
  const { fields } = field.value;
  if (!fields.some(({ hasRequired }) => hasRequired)) return [];
  const value = record[field.name] ?? null;
  const missingIn = (inner: ExtractedData): Missing[] =>
    findMissing(fields, { record: inner, path: `${path}.fields` }, state);
  const writable = record as Record<string, ExtractedValue>;
  if (Array.isArray(value)) {
    writable[field.name] = leaveOut(field, value, { missingIn, state });
    return [];
  }
  const fallback = field.steps?.fallback;
  if (value === null || value === fallback?.value) return [];
  const missing = missingIn(value as ExtractedData);
  if (missing.length === 0 || !fallback) return missing;
  writable[field.name] = fallback.value;
  return [];
}

function leaveOut(
  field: PlannedField,
  records: readonly ExtractedValue[],
  { missingIn, state }: { missingIn: (record: ExtractedData) => Missing[]; state: ExtractionState },
): readonly ExtractedValue[] {
  const lacking = new Set<string>();
  const complete = records.filter((record) => {
    state.budget.spend(1);
    const missing = record === null ? [] : missingIn(record as ExtractedData);
    for (const {
      field: { path },
    } of missing)
      lacking.add(path.slice(field.path.length + 1));
    return missing.length === 0;
  });
  const count = records.length - complete.length;
  if (count > 0) {
    const names = [...lacking].map((name) => `"${name}"`).join(', ');
    const describe = () =>
      `${count} of ${records.length} records were left out: they have no value of ${names}.`;
    state.steps.warnings.add(field, 'RECORD_LEFT_OUT', describe);
  }
  return complete;
}

function isEmpty(value: ExtractedValue): boolean {
  return value === null || (Array.isArray(value) && value.every((item) => item === null));
}

function reasonOf(field: PlannedField, state: ExtractionState): string {
  const [first] = state.steps.warnings.about(field);
  return first?.message ?? explainNoMatch(field, state) ?? 'Its value is null.';
}
