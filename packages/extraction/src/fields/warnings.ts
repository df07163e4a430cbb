import type { ParsedDocument } from '../dom/parse-document.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import type { ExtractionState } from './extraction-state.ts';
import type { ExtractionWarning } from './warning-log.ts';

/** Returns the warnings about the document as a whole. */
export function documentWarnings({ xmlError, isXml }: ParsedDocument): readonly ExtractionWarning[] {
  if (xmlError === null) return [];
  const reading = isXml
    ? 'it was read as far as its tags tell, as feed readers do, and values near the error may be wrong'
    : 'it was read as HTML';
  const message = `The page was sent as XML but is not well-formed (${xmlError}): ${reading}.`;
  return [{ code: 'XML_NOT_WELL_FORMED', message }];
}

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
