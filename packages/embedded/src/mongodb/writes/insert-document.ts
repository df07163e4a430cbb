import { ObjectId } from 'bson';
import { decodeDocument, encodeDocument, MAX_NESTING_DEPTH } from '../bson/bson-codec.ts';
import { BsonType, type Doc, isDocument, typeName, typeOf } from '../bson/bson-types.ts';
import { withIdFirst } from '../bson/raw-document.ts';
import { commandError } from '../command-error.ts';
import type { Collection } from '../storage/collection.ts';

/** The largest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Inserts a document given as bytes, `_id` first, and makes one where it is missing. Inside a write. */
export function insertRaw(collection: Collection, given: Buffer): void {
  checkSize(given);
  const raw = withIdFirst(given);
  if (raw === undefined) {
    insertDocument(collection, decodeDocument(given));
    return;
  }
  const document = decodeDocument(raw);
  checkId(document._id);
  collection.insert(Buffer.from(raw), document);
}

/** Inserts a document, making an `_id` where it is missing, and returns it as stored. Inside a write. */
export function insertDocument(collection: Collection, given: Doc): { document: Doc; raw: Buffer } {
  const { _id = new ObjectId(), ...rest } = given;
  const document: Doc = { _id, ...rest };
  checkId(_id);
  const raw = encodeChecked(document);
  collection.insert(raw, document);
  return { document, raw };
}

/** Throws for a value that cannot be an `_id`. */
function checkId(id: unknown): void {
  const type = typeOf(id);
  if (type === BsonType.array || type === BsonType.regex || type === BsonType.undefined) {
    throw commandError('InvalidIdField', `The '_id' value cannot be of type ${typeName(type)}`);
  }
  if (type !== BsonType.object) return;
  const dollar = Object.keys(id as Doc).find((key) => key.startsWith('$'));
  if (dollar !== undefined) {
    throw commandError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  }
}

/** Encodes a document for storage. Throws if it is too large or too deep. */
export function encodeChecked(document: Doc): Buffer {
  checkDepth(document, 1);
  const raw = encodeDocument(document);
  checkSize(raw);
  return raw;
}

/** Throws BSONObjectTooLarge. */
function checkSize(raw: Buffer): void {
  if (raw.length <= MAX_DOCUMENT_BYTES) return;
  throw commandError(
    'BSONObjectTooLarge',
    `object to insert too large. size in bytes: ${raw.length}, max size: ${MAX_DOCUMENT_BYTES}`,
  );
}

function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && !isDocument(value)) return;
  if (depth > MAX_NESTING_DEPTH) {
    throw commandError('Overflow', `Document exceeds maximum nested object depth: ${MAX_NESTING_DEPTH}`);
  }
  for (const key of Object.keys(value)) checkDepth((value as Doc)[key], depth + 1);
}
