import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';

/** A document in memory: what `decodeDocument` returns. Field order is the documents'. */
export type Doc = Record<string, unknown>;

/** BSON type numbers as `$type` takes them (https://www.mongodb.com/docs/manual/reference/bson-types/). */
export const BsonType = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
} as const;

/** Returns the name of a type number, as error messages and the `$type` expression show it. */
export function typeName(type: number): string {
  return Object.entries(BsonType).find(([, number]) => number === type)?.[0] ?? 'missing';
}

/** Returns the BSON type number under which `encodeDocument` writes a value. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return BsonType.string;
    case 'number':
      return isInt32(value) ? BsonType.int : BsonType.double;
    case 'boolean':
      return BsonType.bool;
    case 'undefined':
      return BsonType.undefined;
    case 'bigint':
      return BsonType.long;
    default:
      return typeOfObject(value as object | null);
  }
}

/** Returns whether bson writes this number as a 32-bit integer (-0 is a double). */
export function isInt32(value: number): boolean {
  return (value | 0) === value && !Object.is(value, -0);
}

/** Returns whether the value is an embedded document, and not another BSON type. */
export function isDocument(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && typeOfObject(value) === BsonType.object;
}

/** Returns whether the value is of one of the four numeric types. */
export function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    value instanceof Long ||
    value instanceof Double ||
    value instanceof Int32 ||
    value instanceof Decimal128 ||
    typeof value === 'bigint'
  );
}

const CLASS_TYPES = new Map<unknown, number>([
  [ObjectId, BsonType.objectId],
  [Long, BsonType.long],
  [Double, BsonType.double],
  [Int32, BsonType.int],
  [Decimal128, BsonType.decimal],
  [Binary, BsonType.binData],
  [UUID, BsonType.binData],
  [Timestamp, BsonType.timestamp],
  [BSONRegExp, BsonType.regex],
  [RegExp, BsonType.regex],
  [BSONSymbol, BsonType.symbol],
  [MinKey, BsonType.minKey],
  [MaxKey, BsonType.maxKey],
  [Date, BsonType.date],
  [Array, BsonType.array],
]);

function typeOfObject(value: object | null): number {
  if (value === null) return BsonType.null;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return BsonType.object;
  if (Array.isArray(value)) return BsonType.array;
  const known = CLASS_TYPES.get(prototype?.constructor);
  if (known !== undefined) return known;
  if (value instanceof Code) return value.scope ? BsonType.javascriptWithScope : BsonType.javascript;
  if (value instanceof Uint8Array) return BsonType.binData;
  return BsonType.object;
}
