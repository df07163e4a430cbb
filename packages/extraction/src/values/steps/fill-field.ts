import type { ExtractedData, ExtractedValue } from '@gleaner/contracts';
import type { FieldSteps, PlannedField } from '../../plan/plan.ts';
import type { ExtractionState } from '../extraction-state.ts';
import { findMatches } from '../find-matches.ts';
import { fillValue, type SteppedField } from './fill-value.ts';
import { findCandidates } from './find-candidates.ts';
import type { Candidate } from './step-state.ts';

/** Record that a field belongs to, and the element that it is read from; null for the document. */
export interface Target {
  readonly record: Record<string, ExtractedValue>;
  readonly scope: number | null;
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
    const records = findRecords(field, value.fields, scope, state);
    record[name] = takesAll ? records : (records[0] ?? steps.fallback?.value ?? null);
  } else if (steps.type === 'count') {
    record[name] = findMatches(field, scope, state).length;
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
  field: PlannedField,
  fields: readonly PlannedField[],
  scope: number | null,
  state: ExtractionState,
): readonly ExtractedData[] {
  const orders = findMatches(field, scope, state);
  const chosen = field.takesAll ? orders : orders.slice(0, 1);
  return chosen.map((order) => state.extractRecord(fields, order, state));
}

function fillList(
  stepped: SteppedField,
  candidates: readonly Candidate[],
  state: ExtractionState,
): ExtractedValue[] {
  const list = new Array<ExtractedValue>(candidates.length).fill(null);
  for (const [index, candidate] of candidates.entries()) {
    const write = (result: ExtractedValue): void => {
      list[index] = result;
    };
    fillValue(stepped, { candidate, write }, state);
  }
  return list;
}
