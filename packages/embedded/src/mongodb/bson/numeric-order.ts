import { Decimal128, Double, Int32, Long } from 'bson';

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
  if (value instanceof Long) return rankOfDecimal(value.toBigInt(), 0);
  if (typeof value === 'bigint') return rankOfDecimal(value, 0);
  return rankOfDecimalText(String(value as Decimal128));
}

/** Returns the number rounded to a double, for arithmetic that need not be exact. */
export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  return Number((value as Long).toString());
}

function rankOfDecimalText(text: string): NumericRank {
  if (text === 'NaN') return { floor: Number.NaN, excess: EXACT };
  if (text.endsWith('Infinity')) return { floor: Number(text), excess: EXACT };
  const [mantissa = '0', exponentText = '0'] = text.toUpperCase().split('E');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return rankOfDecimal(BigInt(whole + fraction), Number(exponentText) - fraction.length);
}

function rankOfDecimal(coefficient: bigint, exponent: number): NumericRank {
  const nearest = Number(`${coefficient}e${exponent}`);
  const order = compareExactly(coefficient, exponent, nearest);
  if (order === 0) return { floor: nearest, excess: EXACT };
  return {
    floor: order > 0 ? nearest : nextBelow(nearest),
    excess: orderedDecimal(coefficient, exponent),
  };
}

/** Returns the sign of (coefficient × 10^exponent − double), with no rounding. */
function compareExactly(coefficient: bigint, exponent: number, double: number): number {
  if (!Number.isFinite(double)) return double > 0 ? -1 : 1;
  const { mantissa, power } = splitDouble(double);
  let left = coefficient;
  let right = mantissa;
  if (exponent >= 0) left *= 10n ** BigInt(exponent);
  else right *= 10n ** BigInt(-exponent);
  if (power >= 0) right <<= BigInt(power);
  else left <<= BigInt(-power);
  return left === right ? 0 : left > right ? 1 : -1;
}

function splitDouble(double: number): { mantissa: bigint; power: number } {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(double);
  const raw = bits.readBigUInt64BE();
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: double < 0 ? -magnitude : magnitude, power: (biased || 1) - 1075 };
}

function nextBelow(double: number): number {
  if (double === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (double === 0) return -Number.MIN_VALUE;
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(double);
  bits.writeBigInt64BE(bits.readBigInt64BE() + (double > 0 ? -1n : 1n));
  return bits.readDoubleBE();
}

/** The sign is the same for all numbers between two neighboring doubles, so negative ones are simply inverted. */
function orderedDecimal(coefficient: bigint, exponent: number): Buffer {
  const isNegative = coefficient < 0n;
  const digits = String(isNegative ? -coefficient : coefficient);
  const ordered = Buffer.alloc(2 + digits.length + 1);
  ordered.writeUInt16BE(exponent + digits.length + 0x4000, 0);
  ordered.write(digits.replace(/(?<!0)0+$/, ''), 2, 'latin1');
  const bytes = ordered.subarray(0, ordered.indexOf(0, 2) + 1);
  return isNegative ? (bytes.map((byte) => 0xff - byte) as Buffer) : bytes;
}
