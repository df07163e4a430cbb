import type { Budget } from '../../budget.ts';
import type { JsonValue } from '../convert/conversion.ts';

/** Counts a value as output, and as work if it is not a text. */
export function spendJson(value: JsonValue, budget: Budget): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text !== value) budget.spendReading(text.length);
  budget.spendOutput(text);
}
