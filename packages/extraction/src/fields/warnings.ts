import type { Warning } from '@gleaner/contracts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import type { PlannedField } from '../plan/plan.ts';

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
