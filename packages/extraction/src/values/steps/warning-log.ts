import type { PlannedField } from '../../plan/plan.ts';
import type { ExtractionWarning } from '../extraction-warning.ts';

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
