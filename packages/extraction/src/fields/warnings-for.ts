import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import type { ExtractionState } from './extraction-state.ts';
import type { ExtractionWarning } from './warnings.ts';

/** Returns the warnings about fields, in the order of the plan; fields of records that were never found have none. */
export function warningsFor(fields: readonly PlannedField[], state: ExtractionState): ExtractionWarning[] {
  return fields.flatMap((field) => {
    if (field.steps === null && field.value.kind !== 'record' && state.matched.has(field)) return [];
    const own = state.steps.warnings.about(field);
    const noMatch = explainNoMatch(field, state);
    if (noMatch !== undefined) {
      const isExplained = own.some(({ code }) => code === 'NOT_JSON');
      const isExpected = isExplained || (field.steps !== null && acceptsNothing(field.steps));
      return isExpected ? own : [{ field: field.path, code: 'SELECTOR_NO_MATCH', message: noMatch }, ...own];
    }
    return field.value.kind === 'record' ? [...own, ...warningsFor(field.value.fields, state)] : own;
  });
}

/** Explains why nothing was found for a field; undefined if something was. */
export function explainNoMatch(field: PlannedField, { matched, steps }: ExtractionState): string | undefined {
  const path = field.steps?.json?.path.text;
  if (path === undefined || (field.selector !== '' && !matched.has(field))) {
    return matched.has(field) ? undefined : `The selector "${field.selector}" matches nothing on the page.`;
  }
  return steps.selected.has(field) ? undefined : `The JSONPath "${path}" selects nothing.`;
}

/** Returns true if the value of a field is the same with and without a match, so that it needs no warning. */
function acceptsNothing({ fallback, type }: FieldSteps): boolean {
  return fallback !== null || type === 'boolean' || type === 'count';
}
