import type { Warning } from '@gleaner/contracts';
import type { PlannedField } from '../plan/plan.ts';

/** Problem that did not stop the extraction. */
export interface ExtractionWarning {
  /** Path of the field; absent if the warning is about the whole page. */
  readonly field?: string;
  readonly code: Warning['code'];
  readonly message: string;
  /** Number of hidden characters; of HIDDEN_TEXT alone. */
  readonly characters?: number;
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

  /** Tells whether there is a warning of this code about a field. */
  has(field: PlannedField, code: WarningCode): boolean {
    return this.#entries.get(field)?.has(code) === true;
  }

  /** Returns the warnings about a field, without those about its inner fields. */
  about(field: PlannedField): ExtractionWarning[] {
    const ofField = this.#entries.get(field);
    if (!ofField) return [];
    return [...ofField].flatMap(([code, { messages, count }]): ExtractionWarning[] => {
      if (code === 'VALUE_NOT_EXACT') {
        const others = count > 1 ? ` So are ${count - 1} more.` : '';
        return [{ field: field.path, code, message: `${messages[0]}${others}` }];
      }
      const rest = count - messages.length;
      const all = rest > 0 ? [...messages, `… and ${rest} more.`] : messages;
      return all.map((message) => ({ field: field.path, code, message }));
    });
  }
}
