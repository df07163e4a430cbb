import { Double, Int32, Long } from 'bson';
import { commandError } from '../command-error.ts';
import { BsonType, isInt32, typeOf } from './bson-types.ts';

/** Rank of a number among all numeric types: the greatest double not above it, and its distance from that. */
export interface NumericRank {
  readonly floor: number;
  /** Empty when the number is that double; otherwise bytes that order the numbers between two doubles. */
  readonly excess: Buffer;
}

const EXACT = Buffer.alloc(0);

/** The rank of a number of any numeric type. Numbers that compare equal have equal ranks; NaN has floor NaN. */
export function rankOfNumber(value: unknown): NumericRank {
  if (typeof value === 'number') return { floor: value, excess: EXACT };
  if (value instanceof Double || value instanceof Int32) return { floor: value.value, excess: EXACT };
  return rankOfInteger(integerOf(value));
}

/** Returns the number rounded to a double, for arithmetic that need not be exact. */
export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  return Number((value as Long).toString());
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
  return value instanceof Long ? value.toBigInt() : BigInt(value as number | bigint);
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

function rankOfInteger(integer: bigint): NumericRank {
  const nearest = Number(integer);
  const distance = integer - BigInt(nearest);
  if (distance === 0n) return { floor: nearest, excess: EXACT };
  return { floor: distance > 0n ? nearest : nextBelow(nearest), excess: orderedDigits(integer) };
}

function nextBelow(double: number): number {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(double);
  bits.writeBigInt64BE(bits.readBigInt64BE() + (double > 0 ? -1n : 1n));
  return bits.readDoubleBE();
}

/** The sign is the same for all numbers between two neighboring doubles, so negative ones are simply inverted. */
function orderedDigits(integer: bigint): Buffer {
  const isNegative = integer < 0n;
  const digits = String(isNegative ? -integer : integer);
  const ordered = Buffer.alloc(2 + digits.length + 1);
  ordered.writeUInt16BE(digits.length + 0x4000, 0);
  ordered.write(digits.replace(/(?<!0)0+$/, ''), 2, 'latin1');
  const bytes = ordered.subarray(0, ordered.indexOf(0, 2) + 1);
  return isNegative ? (bytes.map((byte) => 0xff - byte) as Buffer) : bytes;
}
