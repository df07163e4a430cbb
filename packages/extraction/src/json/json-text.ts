import type { Budget } from '../budget.ts';
import type { JsonValue } from './json-value.ts';

/** Characters of JSON that are written in one step. */
const CHARS_PER_STEP = 4;

/** Returns the JSON of a value; a text as it is. */
export function jsonText(value: JsonValue, budget: Budget): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  budget.spend(1 + Math.ceil(text.length / CHARS_PER_STEP));
  return text;
}
