import type { Budget } from '../budget.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import type { PlannedField } from '../plan/plan.ts';

/** Notes what the selectors of fields matched. */
export interface MatchLog {
  /** True if it notes all matches, of which the first does not suffice. */
  readonly needsAll: boolean;
  /** Notes matches of a field in the document or in one record. */
  add(field: PlannedField, orders: readonly number[]): void;
  /** Returns true if the selector of the field matched at least once. */
  has(field: PlannedField): boolean;
}

/** Notes only which fields matched. */
export class FieldLog implements MatchLog {
  readonly needsAll = false;
  readonly #matched = new Set<PlannedField>();

  add(field: PlannedField): void {
    this.#matched.add(field);
  }

  has(field: PlannedField): boolean {
    return this.#matched.has(field);
  }
}

/** Notes the elements of each field, as sets: records can overlap, and the elements of all together may be many times the page. */
export class ElementLog implements MatchLog {
  readonly needsAll = true;
  readonly #size: number;
  readonly #budget: Budget;
  readonly #matched = new Map<PlannedField, Uint8Array>();

  constructor({ elements }: ParsedDocument, budget: Budget) {
    this.#size = elements.length;
    this.#budget = budget;
  }

  add(field: PlannedField, orders: readonly number[]): void {
    const set = this.#matched.get(field) ?? this.#createSet(field);
    for (const order of orders) set[order] = 1;
  }

  has(field: PlannedField): boolean {
    return this.#matched.has(field);
  }

  /** Returns the sorted orders of the elements of each field and of those inside it, by path; they count as output. */
  matchesOf(fields: readonly PlannedField[]): Record<string, readonly number[]> {
    const matches: Record<string, readonly number[]> = {};
    const pending = [...fields];
    for (let field = pending.shift(); field !== undefined; field = pending.shift()) {
      const orders = this.#ordersOf(field);
      this.#budget.spendOutput(`"${field.path}":[${orders.join(',')}],`);
      matches[field.path] = orders;
      if (field.value.kind === 'record') pending.unshift(...field.value.fields);
    }
    return matches;
  }

  #ordersOf(field: PlannedField): readonly number[] {
    const orders: number[] = [];
    const set = this.#matched.get(field);
    if (set === undefined) return orders;
    this.#budget.spend(set.length);
    for (let order = 0; order < set.length; order++) if (set[order] === 1) orders.push(order);
    return orders;
  }

  #createSet(field: PlannedField): Uint8Array {
    this.#budget.spend(1 + (this.#size >> 1));
    const set = new Uint8Array(this.#size);
    this.#matched.set(field, set);
    return set;
  }
}
