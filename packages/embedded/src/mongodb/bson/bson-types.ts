import { Binary, BSONRegExp, Double, Long, ObjectId, UUID } from 'bson';
import { notServed } from '../command-error.ts';

/** A document in memory: what `decodeDocument` returns. Field order is the documents'. */
export type Doc = Record<string, unknown>;

/** The BSON types that are served, with their numbers (https://www.mongodb.com/docs/manual/reference/bson-types/). */
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
  int: 16,
  long: 18,
} as const;

/** Returns the name of a type number, as error messages and the `$type` expression show it. */
export function typeName(type: number): string {
  return Object.entries(BsonType).find(([, number]) => number === type)?.[0] ?? 'missing';
}

/** Returns the BSON type number under which `encodeDocument` writes a value. Throws NotImplemented for other types. */
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

/** Returns whether the value is of one of the numeric types. */
export function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || value instanceof Long || value instanceof Double;
}

/** Returns whether MongoDB treats a value as true: all except false, 0, null and undefined, in expressions and options. */
export function isTrue(value: unknown): boolean {
  if (isNumeric(value)) return Number(String(value)) !== 0;
  return value !== false && value !== null && value !== undefined;
}

const CLASS_TYPES = new Map<unknown, number>([
  [ObjectId, BsonType.objectId],
  [Long, BsonType.long],
  [Double, BsonType.double],
  [Binary, BsonType.binData],
  [UUID, BsonType.binData],
  [BSONRegExp, BsonType.regex],
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
  throw notServed(`the BSON type ${prototype?.constructor.name}`);
}
