import type { BSONRegExp, ObjectId } from 'bson';
import { notServed } from '../command-error.ts';
import { BsonType, type Doc, typeName, typeOf } from './bson-types.ts';
import { rankOfNumber } from './numbers.ts';

/** The order of types (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/). */
const TYPE_RANKS = new Map<number, number>([
  [BsonType.undefined, 2],
  [BsonType.null, 3],
  [BsonType.int, 4],
  [BsonType.long, 4],
  [BsonType.double, 4],
  [BsonType.string, 5],
  [BsonType.object, 6],
  [BsonType.array, 7],
  [BsonType.objectId, 9],
  [BsonType.bool, 10],
  [BsonType.date, 11],
  [BsonType.regex, 13],
]);

/**
 * Returns the rank of a value's type in MongoDB's comparison order; comparison operators match only within one rank. Throws
 * NotImplemented for binary data.
 */
export function typeRank(value: unknown): number {
  const type = typeOf(value);
  const rank = TYPE_RANKS.get(type);
  if (rank === undefined) throw notServed(`comparing values of the type ${typeName(type)}`);
  return rank;
}

/** MongoDB's order over all BSON values: negative, zero or positive; 1, 1.0 and NumberLong(1) are equal. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return compareDoubles(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  const rank = typeRank(left);
  const difference = rank - typeRank(right);
  return difference !== 0 ? difference : (COMPARATORS[rank]?.(left as never, right as never) ?? 0);
}

/** Returns whether two values are equal to a query. */
export function areEqual(left: unknown, right: unknown): boolean {
  return left === right || compareValues(left, right) === 0;
}

/** Compares by UTF-8 bytes, which is code point order; it differs from JavaScript's order only for surrogates. */
export function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return codePointOrder(a) - codePointOrder(b);
  }
  return left.length - right.length;
}

const COMPARATORS: Readonly<Record<number, (left: never, right: never) => number>> = {
  4: compareNumbers,
  6: compareDocuments,
  7: compareArrays,
  9: (left: ObjectId, right: ObjectId) => Buffer.compare(left.id, right.id),
  10: (left: boolean, right: boolean) => Number(left) - Number(right),
  11: (left: Date, right: Date) => left.getTime() - right.getTime(),
  13: (left: BSONRegExp, right: BSONRegExp) => compareStrings(regexText(left), regexText(right)),
};

/** NaN sorts below every other number and equals itself. */
function compareDoubles(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (left === right) return 0;
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
}

function compareNumbers(left: unknown, right: unknown): number {
  return compareDoubles(rankOfNumber(left), rankOfNumber(right));
}

/** Field by field: type, then name, then value; the shorter document first. */
function compareDocuments(left: Doc, right: Doc): number {
  const leftKeys = Object.keys(left);
  const rightKeys = Object.keys(right);
  const length = Math.min(leftKeys.length, rightKeys.length);
  for (let i = 0; i < length; i++) {
    const a = leftKeys[i] as string;
    const b = rightKeys[i] as string;
    const order =
      typeRank(left[a]) - typeRank(right[b]) || compareStrings(a, b) || compareValues(left[a], right[b]);
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}

function compareArrays(left: unknown[], right: unknown[]): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const order = compareValues(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Pattern and options of a regular expression, as one string that orders it. */
export function regexText({ pattern, options }: BSONRegExp): string {
  return `${pattern}\0${options}`;
}

function codePointOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
