import type { ExtractedData, ExtractedValue } from '@gleaner/contracts';
import type { FieldSteps, PlannedField } from '../../plan/plan.ts';
import { type ExtractionState, STEPS_PER_FIELD } from '../extraction-state.ts';
import { findMatches } from '../find-matches.ts';
import { fillValue } from './fill-value.ts';
import { findCandidates } from './find-candidates.ts';
import { findJsonValues } from './find-json-values.ts';
import type { Candidate, ElementScope, JsonScope, Scope, SteppedField } from './step-state.ts';

/** Record that a field belongs to, and the source that it is read from. */
export interface Target {
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
