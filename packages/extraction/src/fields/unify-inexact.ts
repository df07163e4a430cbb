import type { ExtractedData, ExtractedValue } from '@gleaner/contracts';
import type { PlannedField } from '../plan/plan.ts';
import type { ExtractionState } from './extraction-state.ts';

/** Makes texts of all numbers of a field some of whose numbers had to become texts: so it has one type on the page. */
export function unifyInexact(
  fields: readonly PlannedField[],
  record: ExtractedData,
  state: ExtractionState,
): void {
  if (state.steps.inexact.size === 0) return;
  for (const field of fields) {
    const value = record[field.name];
    if (value === undefined || value === null) continue;
    const isUnified = field.steps?.type === null && state.steps.warnings.has(field, 'VALUE_NOT_EXACT');
    if (field.value.kind === 'record') {
      for (const inner of Array.isArray(value) ? value : [value])
        if (isRecord(inner)) unifyInexact(field.value.fields, inner, state);
    } else if (isUnified) (record as Record<string, ExtractedValue>)[field.name] = asText(value, state);
  }
}

function asText(value: ExtractedValue, { budget }: ExtractionState): ExtractedValue {
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return value;
  budget.spend(value.length);
  return value.map((each) => (typeof each === 'number' ? String(each) : each));
}

function isRecord(value: ExtractedValue): value is ExtractedData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
