import { BSONError, Double, deserialize, Int32, serialize } from 'bson';
import { commandError } from '../command-error.ts';
import { type Doc, isDocument, isInt32 } from './bson-types.ts';

/** Nesting limit of a stored document (https://www.mongodb.com/docs/manual/reference/limits/). */
export const MAX_NESTING_DEPTH = 100;

/** Nesting limit of a command (`BSONDepth::kDefaultMaxAllowableDepth`). */
export const MAX_COMMAND_DEPTH = 200;

/**
 * A document in memory that `encodeDocument` turns back into the same bytes: a plain number stands for the numeric
 * type that bson would choose for it, every other number keeps its wrapper (`Long`, `Double`). Throws BadValue where the
 * bytes are not valid BSON or nest too deeply.
 */
export function decodeDocument(bytes: Uint8Array, maxDepth = MAX_NESTING_DEPTH): Doc {
  let decoded: Doc;
  try {
    decoded = deserialize(bytes, {
      promoteValues: false,
      promoteLongs: false,
      promoteBuffers: false,
      bsonRegExp: true,
      validation: { utf8: true },
    });
  } catch (error) {
    if (error instanceof BSONError || error instanceof RangeError || error instanceof TypeError) {
      throw commandError('BadValue', `not a valid BSON document: ${error.message}`);
    }
    throw error;
  }
  return simplify(decoded, maxDepth) as Doc;
}

/** Encodes a document. Throws BadValue for a value that BSON cannot represent. */
export function encodeDocument(document: Doc): Buffer {
  try {
    return asBuffer(serialize(document, { ignoreUndefined: false, serializeFunctions: false }));
  } catch (error) {
    throw commandError('BadValue', `a value has no BSON form: ${(error as Error).message}`);
  }
}

/** Returns a deep copy that shares immutable values (numbers, ids, dates) with the original. */
export function cloneValue<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cloneValue) as T;
  if (!isDocument(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) setField(copy, key, cloneValue(value[key]));
  return copy as T;
}

/** Sets an own field, even one named `__proto__`. */
export function setField(target: Doc, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Returns a Buffer that views the same bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function simplify(value: object, levelsLeft: number): unknown {
  if (value instanceof Int32) return value.value;
  if (value instanceof Double) return simplifyDouble(value);
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (levelsLeft === 0) throw commandError('Overflow', 'Document exceeds the maximum depth of nesting');
  const fields = value as Doc;
  for (const key of Object.keys(fields)) {
    const before = fields[key];
    if (typeof before !== 'object' || before === null) continue;
    const after = simplify(before, levelsLeft - 1);
    if (after !== before) setField(fields, key, after);
  }
  return fields;
}

function simplifyDouble(double: Double): number | Double {
  return isInt32(double.value) ? double : double.value;
}
