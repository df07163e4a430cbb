import type { Warning } from '@gleaner/contracts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import type { ExtractionState } from './extraction-state.ts';

/** Problem that did not stop the extraction. */
export interface ExtractionWarning {
  /** Path of the field; absent if the warning is about the whole page. */
  readonly field?: string;
  readonly code: Warning['code'];
  readonly message: string;
}

/** Returns the warnings about the document as a whole. */
export function documentWarnings({ xmlError }: ParsedDocument): readonly ExtractionWarning[] {
  if (xmlError === null) return [];
  const message = `The page was sent as XML but is not well-formed (${xmlError}), so it was read as HTML.`;
  return [{ code: 'XML_NOT_WELL_FORMED', message }];
}

type WarningCode = ExtractionWarning['code'];

/** Most warnings of one code about one field; the rest is counted. */
const MAX_MESSAGES = 5;

interface Entry {
  readonly messages: string[];
  count: number;
}

/** Warnings about the values of fields. */
export class WarningLog {
  readonly #entries = new Map<PlannedField, Map<WarningCode, Entry>>();

  add(field: PlannedField, code: WarningCode, describe: () => string): void {
    const ofField = this.#entries.get(field) ?? new Map<WarningCode, Entry>();
    const entry = ofField.get(code) ?? { messages: [], count: 0 };
    this.#entries.set(field, ofField.set(code, entry));
    entry.count++;
    if (entry.messages.length < MAX_MESSAGES) entry.messages.push(describe());
  }

  /** Returns the warnings about a field, without those about its inner fields. */
  about(field: PlannedField): ExtractionWarning[] {
    const ofField = this.#entries.get(field);
    if (!ofField) return [];
    return [...ofField].flatMap(([code, { messages, count }]) => {
      const rest = count - messages.length;
      const all = rest > 0 ? [...messages, `… and ${rest} more.`] : messages;
      return all.map((message) => ({ field: field.path, code, message }));
    });
  }
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
