import { AppError, type ErrorDetail, type ExtractedData, type ExtractedValue } from '@gleaner/contracts';
import type { PlannedField } from '../plan/plan.ts';
import type { ExtractionState } from './extraction-state.ts';
import { explainNoMatch } from './warnings.ts';

/**
 * Leaves out the records of lists that lack a required value, and throws REQUIRED_FIELD_MISSING with all other required
 * fields that have none.
 */
export function settleRequired(
  fields: readonly PlannedField[],
  data: ExtractedData,
  state: ExtractionState,
): void {
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
