/** Identifies a document in its collection; assigned in order of insertion. */
export type RecordId = number;

/** Identifies a collection's records or an index's entries in the tables; never reused. */
export type Ident = number;

const IDENT_BYTES = 4;
const RECORD_ID_BYTES = 6;

/** The key of a record. */
export function recordKey(ident: Ident, recordId: RecordId): Buffer {
  const key = Buffer.allocUnsafe(IDENT_BYTES + RECORD_ID_BYTES);
  key.writeUInt32BE(ident);
  key.writeUIntBE(recordId, IDENT_BYTES, RECORD_ID_BYTES);
  return key;
}

/** The record id in a record's key. */
export function recordIdOfKey(key: Buffer): RecordId {
  return key.readUIntBE(IDENT_BYTES, RECORD_ID_BYTES);
}

/** The first key that belongs to an ident; the next ident's is the end of its range. */
export function identKey(ident: Ident): Buffer {
  const key = Buffer.allocUnsafe(IDENT_BYTES);
  key.writeUInt32BE(ident);
  return key;
}

/** A key of an index: its ident, the encoded values, and the record id where the values need not be unique. */
export function entryKey(ident: Ident, encoded: Buffer, recordId: RecordId | undefined): Buffer {
  const suffix = recordId === undefined ? 0 : RECORD_ID_BYTES;
  const key = Buffer.allocUnsafe(IDENT_BYTES + encoded.length + suffix);
  key.writeUInt32BE(ident);
  encoded.copy(key, IDENT_BYTES);
  if (recordId !== undefined) key.writeUIntBE(recordId, IDENT_BYTES + encoded.length, RECORD_ID_BYTES);
  return key;
}

/** The value of an index entry: the record it leads to, and whether the key was cut. */
export function entryValue(recordId: RecordId, isTruncated: boolean): Buffer {
  const value = Buffer.allocUnsafe(RECORD_ID_BYTES + 1);
  value.writeUIntBE(recordId, 0, RECORD_ID_BYTES);
  value[RECORD_ID_BYTES] = isTruncated ? 1 : 0;
  return value;
}

/** The record that an index entry's value leads to. */
export function recordIdOfEntry(value: Buffer): RecordId {
  return value.readUIntBE(0, RECORD_ID_BYTES);
}

/** Returns whether an index entry's key was cut, so that its order is known up to the cut only. */
export function isTruncatedEntry(value: Buffer): boolean {
  return value[RECORD_ID_BYTES] === 1;
}
