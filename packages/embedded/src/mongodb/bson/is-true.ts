import { isNumeric } from './bson-types.ts';
import { toDouble } from './numeric-order.ts';

/** Returns whether MongoDB treats a value as true: every value except false, 0, null and undefined, in expressions and options. */
export function isTrue(value: unknown): boolean {
  if (isNumeric(value)) return toDouble(value) !== 0;
  return value !== false && value !== null && value !== undefined;
}
