import { commandError } from '../command-error.ts';
import { encodeDocument } from './bson-codec.ts';
import type { Doc } from './bson-types.ts';

const END = Buffer.from([0]);

/** A document made of elements that are bytes already: `plainElements`, `rawElement`, `rawArrayElement`. */
export function joinDocument(elements: readonly Buffer[]): Buffer {
  let size = 5;
  for (const element of elements) size += element.length;
  const length = Buffer.allocUnsafe(4);
  length.writeInt32LE(size);
  return Buffer.concat([length, ...elements, END], size);
}

/** The elements of a document, without its length and end. */
export function plainElements(document: Doc): Buffer {
  return encodeDocument(document).subarray(4, -1);
}

/** The element `name: document`, the document given as bytes. */
export function rawElement(name: string, document: Buffer): Buffer {
  return Buffer.concat([elementHeader(0x03, name), document]);
}

/** The element `name: [documents]`, the documents given as bytes. */
export function rawArrayElement(name: string, documents: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  for (let i = 0; i < documents.length; i++) {
    parts.push(elementHeader(0x03, String(i)), documents[i] as Buffer);
  }
  return Buffer.concat([elementHeader(0x04, name), joinDocument(parts)]);
}

/**
 * The bytes of a document with `_id` as its first field, as MongoDB stores it; undefined when it has none.
 * Only top-level elements are walked, nothing is decoded.
 */
export function withIdFirst(raw: Buffer): Buffer | undefined {
  let at = 4;
  const end = raw.length - 1;
  while (at < end) {
    const nameEnd = raw.indexOf(0, at + 1);
    const next = nameEnd + 1 + valueSize(raw, raw[at] as number, nameEnd + 1);
    const isId = nameEnd - at === 4 && raw.toString('latin1', at + 1, nameEnd) === '_id';
    if (isId && at === 4) return raw;
    if (isId) {
      return Buffer.concat([
        raw.subarray(0, 4),
        raw.subarray(at, next),
        raw.subarray(4, at),
        raw.subarray(next),
      ]);
    }
    at = next;
  }
  return undefined;
}

function elementHeader(type: number, name: string): Buffer {
  return Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'utf8');
}

type Size = number | ((raw: Buffer, at: number) => number);

/** The size of a value that its first four bytes tell, and so many more. */
function told(more: number): Size {
  return (raw, at) => raw.readInt32LE(at) + more;
}

/** Sizes by type byte (https://bsonspec.org/spec.html); a function reads the length from the bytes. */
const VALUE_SIZES: Readonly<Record<number, Size>> = {
  1: 8,
  2: told(4),
  3: told(0),
  4: told(0),
  5: told(5),
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  11: (raw, at) => raw.indexOf(0, raw.indexOf(0, at) + 1) + 1 - at,
  12: told(16),
  13: told(4),
  14: told(4),
  15: told(0),
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};

function valueSize(raw: Buffer, type: number, at: number): number {
  const size = VALUE_SIZES[type];
  if (size === undefined) throw commandError('BadValue', `unknown BSON type ${type}`);
  return typeof size === 'number' ? size : size(raw, at);
}
