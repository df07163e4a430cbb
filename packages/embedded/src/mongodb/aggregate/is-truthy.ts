import { isNumeric } from '../bson/bson-types.ts';
import { toDouble } from '../bson/numeric-order.ts';

/** What expressions take for true: "false, null, 0, and undefined values evaluate to false", all else to true. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  return !isNumeric(value) || toDouble(value) !== 0;
}
