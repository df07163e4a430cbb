import { Double, Long } from 'bson';
import { commandError, notServed } from '../command-error.ts';
import { BsonType, isInt32, typeOf } from './bson-types.ts';

/** Returns the double by which numbers of all types compare. Throws NotImplemented for an integer that is not one. */
export function rankOfNumber(value: unknown): number {
  const rank = toDouble(value);
  if (value instanceof Long && BigInt(rank) !== value.toBigInt())
    throw notServed('the order of integers over 2^53');
  return rank;
}

/** Returns the number rounded to a double, for arithmetic that need not be exact. */
export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  return value instanceof Double ? value.value : (value as Long).toNumber();
}

/** Returns the sum in the wider of the two types, as `$inc` stores it. Throws BadValue when a 64-bit integer overflows. */
export function addNumbers(left: unknown, right: unknown): unknown {
  const types = [typeOf(left), typeOf(right)];
  if (types.includes(BsonType.double)) return makeDouble(toDouble(left) + toDouble(right));
  return makeInteger(integerOf(left) + integerOf(right), types.includes(BsonType.long));
}

/** Returns the sum as `$sum` and `$add` do: one of 64 bits that overflows goes on as a double. */
export function addWidening(left: unknown, right: unknown): unknown {
  try {
    return addNumbers(left, right);
  } catch {
    return makeDouble(toDouble(left) + toDouble(right));
  }
}

/** Returns the number with the other sign, in its own type. */
export function negate(value: unknown): unknown {
  if (typeOf(value) === BsonType.double) return makeDouble(-toDouble(value));
  return makeInteger(-integerOf(value), value instanceof Long);
}

function integerOf(value: unknown): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value as number);
}

/** Returns a 32-bit integer if the value fits and `isLong` is false, otherwise a 64-bit one. */
function makeInteger(value: bigint, isLong: boolean): number | Long {
  if (BigInt.asIntN(64, value) !== value) {
    throw commandError('BadValue', `Failed to apply an operation: ${value} does not fit in a 64-bit integer`);
  }
  return !isLong && BigInt.asIntN(32, value) === value ? Number(value) : Long.fromBigInt(value);
}

/** Returns a number that is stored as a double even when it is integral. */
function makeDouble(value: number): number | Double {
  return isInt32(value) ? new Double(value) : value;
}
