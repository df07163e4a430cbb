import { ObjectId, Timestamp } from 'bson';
import { decodeDocument } from '../bson/bson-codec.ts';
import { BsonType, type Doc, typeName, typeOf } from '../bson/bson-types.ts';
import { withIdFirst } from '../bson/raw-document.ts';
import { commandError } from '../errors/command-error.ts';
import type { Collection } from '../storage/collection.ts';
import { checkSize, encodeChecked } from './encode-checked.ts';

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
  if (holdsEmptyTimestamp(document)) {
    insertDocument(collection, document);
    return;
  }
  collection.insert(Buffer.from(raw), document);
}

/** Inserts a document, making an `_id` where it is missing, and returns it as stored. Inside a write. */
export function insertDocument(collection: Collection, given: Doc): { document: Doc; raw: Buffer } {
  const { _id = new ObjectId(), ...rest } = given;
  const document: Doc = { _id, ...rest };
  checkId(_id);
  fillTimestamps(document);
  const raw = encodeChecked(document);
  collection.insert(raw, document);
  return { document, raw };
}

/** Throws for a value that cannot be an `_id`. */
export function checkId(id: unknown): void {
  const type = typeOf(id);
  if (type === BsonType.array || type === BsonType.regex || type === BsonType.undefined) {
    throw commandError('InvalidIdField', `The '_id' value cannot be of type ${typeName(type)}`);
  }
  if (type !== BsonType.object) return;
  const dollar = Object.keys(id as Doc).find((key) => key.startsWith('$') && !/^\$(ref|id|db)$/.test(key));
  if (dollar !== undefined) {
    throw commandError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  }
}

/** "If the value of a top-level field is an empty timestamp value, MongoDB replaces it with the current timestamp." */
function fillTimestamps(document: Doc): void {
  for (const key of Object.keys(document)) {
    if (key !== '_id' && isEmptyTimestamp(document[key])) {
      document[key] = new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
    }
  }
}

function holdsEmptyTimestamp(document: Doc): boolean {
  return Object.keys(document).some((key) => isEmptyTimestamp(document[key]));
}

function isEmptyTimestamp(value: unknown): boolean {
  return value instanceof Timestamp && value.isZero();
}
