import { encodeDocument, MAX_NESTING_DEPTH } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError } from '../errors/command-error.ts';

/** The largest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Encodes a document that is to be stored. Throws for one that is too large or too deep. */
export function encodeChecked(document: Doc): Buffer {
  checkDepth(document, 1);
  const raw = encodeDocument(document);
  checkSize(raw);
  return raw;
}

/** Throws BSONObjectTooLarge. */
export function checkSize(raw: Buffer): void {
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
