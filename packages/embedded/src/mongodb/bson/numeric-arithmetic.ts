import { Decimal128, Double, Long } from 'bson';
import { commandError } from '../errors/command-error.ts';
import { BsonType, isInt32, typeOf } from './bson-types.ts';
import { toDouble } from './numeric-order.ts';

/** Returns the sum in the wider of the two types, as `$inc` stores it. Throws BadValue when a 64-bit integer overflows. */
export function addNumbers(left: unknown, right: unknown): unknown {
  return combine(left, right, {
    integers: (a, b) => a + b,
    doubles: (a, b) => a + b,
    decimals: (a, b) => {
      const exponent = Math.min(a.exponent, b.exponent);
      return { coefficient: scale(a, exponent) + scale(b, exponent), exponent };
    },
  });
}

/** Returns the product in the wider of the two types, as `$mul` stores it. Throws BadValue when a 64-bit integer overflows. */
export function multiplyNumbers(left: unknown, right: unknown): unknown {
  return combine(left, right, {
    integers: (a, b) => a * b,
    doubles: (a, b) => a * b,
    decimals: (a, b) => ({ coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent }),
  });
}

/** Returns the value of a 32-bit or 64-bit integer. */
export function integerOf(value: unknown): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value as number | bigint);
}

/** Returns a 32-bit integer if the value fits and `isLong` is false, otherwise a 64-bit one. Throws BadValue beyond 64 bits. */
export function makeInteger(value: bigint, isLong: boolean): number | Long {
  if (BigInt.asIntN(64, value) !== value) {
    throw commandError('BadValue', `Failed to apply an operation: ${value} does not fit in a 64-bit integer`);
  }
  return !isLong && BigInt.asIntN(32, value) === value ? Number(value) : Long.fromBigInt(value);
}

/** Returns a number that is stored as a double even when it is integral. */
export function makeDouble(value: number): number | Double {
  return isInt32(value) ? new Double(value) : value;
}

interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

interface Operation {
  readonly integers: (left: bigint, right: bigint) => bigint;
  readonly doubles: (left: number, right: number) => number;
  readonly decimals: (left: Decimal, right: Decimal) => Decimal;
}

function combine(left: unknown, right: unknown, operation: Operation): unknown {
  const types = [typeOf(left), typeOf(right)];
  if (types.includes(BsonType.decimal)) return combineDecimals(left, right, operation);
  if (types.includes(BsonType.double)) return makeDouble(operation.doubles(toDouble(left), toDouble(right)));
  return makeInteger(operation.integers(integerOf(left), integerOf(right)), types.includes(BsonType.long));
}

function combineDecimals(left: unknown, right: unknown, operation: Operation): Decimal128 {
  const a = toDecimal(left);
  const b = toDecimal(right);
  if (a === undefined || b === undefined) {
    const special = operation.doubles(toDouble(left), toDouble(right));
    return Decimal128.fromString(String(special));
  }
  const { coefficient, exponent } = operation.decimals(a, b);
  return Decimal128.fromStringWithRounding(`${coefficient}E${exponent}`);
}

function toDecimal(value: unknown): Decimal | undefined {
  const text = typeOf(value) === BsonType.double ? String(toDouble(value)) : String(value);
  const match = /^([+-]?\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '0', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scale({ coefficient, exponent }: Decimal, wanted: number): bigint {
  return coefficient * 10n ** BigInt(exponent - wanted);
}
