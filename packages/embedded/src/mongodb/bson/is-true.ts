import { isNumeric } from './bson-types.ts';
import { toDouble } from './numeric-order.ts';

/** What `$exists` and projections take for true: anything but false, 0 and null. */
export function isTrue(value: unknown): boolean {
  if (isNumeric(value)) return toDouble(value) !== 0;
  return value !== false && value !== null && value !== undefined;
}
