import { createHash } from 'node:crypto';
import type { BSONRegExp, ObjectId } from 'bson';
import { BsonType, type Doc, typeOf } from '../bson/bson-types.ts';
import { regexText, typeRank } from '../bson/compare-values.ts';
import { rankOfNumber } from '../bson/numbers.ts';

/** Longer keys are cut here and end in their SHA-256: still unique, no longer in order. LMDB takes 1978 bytes. */
export const MAX_KEY_BYTES = 1900;

/** An encoded index key; a truncated one orders right against others up to its first MAX_KEY_BYTES only. */
export interface EncodedKey {
  readonly bytes: Buffer;
  readonly isTruncated: boolean;
}

let scratch = Buffer.allocUnsafe(4096);
let length = 0;

/**
 * Bytes whose order is the order of the values: field by field, each ascending or descending, in BSON's comparison
 * order. Numbers that compare equal across types have equal bytes.
 */
export function encodeKey(values: readonly unknown[], directions: readonly number[]): Buffer {
  length = 0;
  for (let i = 0; i < values.length; i++) {
    const start = length;
    writeValue(values[i]);
    if (directions[i] === -1) invert(start);
  }
  return Buffer.from(scratch.subarray(0, length));
}

/** The key as LMDB can hold it. */
export function fitKey(bytes: Buffer): EncodedKey {
  if (bytes.length <= MAX_KEY_BYTES) return { bytes, isTruncated: false };
  const digest = createHash('sha256').update(bytes).digest();
  return { bytes: Buffer.concat([bytes.subarray(0, MAX_KEY_BYTES), digest]), isTruncated: true };
}

/** The byte that starts every value of a type rank; inverted ones stay clear of 0x00 and 0xff too. */
export function rankByte(rank: number): number {
  return 0x08 + rank * 8;
}

type Writer = (value: never) => void;

const WRITERS = new Map<number, Writer>([
  [BsonType.int, writeNumber],
  [BsonType.double, writeNumber],
  [BsonType.long, writeNumber],
  [BsonType.string, writeString],
  [BsonType.object, writeDocument],
  [BsonType.array, writeArray],
  [BsonType.objectId, (value: ObjectId) => writeBytes(value.id)],
  [BsonType.bool, (value: boolean) => writeByte(value ? 2 : 1)],
  [BsonType.date, writeDate],
  [BsonType.regex, (value: BSONRegExp) => writeString(regexText(value))],
]);

function writeValue(value: unknown): void {
  writeByte(rankByte(typeRank(value)));
  (WRITERS.get(typeOf(value)) as ((value: unknown) => void) | undefined)?.(value);
}

/** Encodes a number as an ordered double, then 1, which older data ends with. */
function writeNumber(value: unknown): void {
  const rank = rankOfNumber(value);
  reserve(8);
  scratch.writeDoubleBE(rank === 0 ? 0 : rank, length);
  if (Number.isNaN(rank)) scratch.fill(0, length, length + 8);
  else if (rank < 0) for (let i = 0; i < 8; i++) scratch[length + i] = 0xff - (scratch[length + i] as number);
  else scratch[length] = (scratch[length] as number) | 0x80;
  length += 8;
  writeByte(1);
}

/** UTF-8 closed by 0x00, with 0x00 and 0x01 written as 0x01 0x01 and 0x01 0x02: no key is the start of another. */
function writeString(text: string): void {
  reserve(text.length * 3);
  const start = length;
  length += scratch.write(text, length, 'utf8');
  if (text.includes('\0') || text.includes('\u0001')) {
    const escaped = [...scratch.subarray(start, length)].flatMap((byte) =>
      byte < 2 ? [1, byte + 1] : [byte],
    );
    length = start;
    writeBytes(Uint8Array.from(escaped));
  }
  writeByte(0);
}

function writeDocument(document: Doc): void {
  for (const key of Object.keys(document)) {
    writeByte(rankByte(typeRank(document[key])));
    writeString(key);
    writeValue(document[key]);
  }
  writeByte(0);
}

function writeArray(values: unknown[]): void {
  for (const value of values) writeValue(value);
  writeByte(0);
}

function writeDate(value: Date): void {
  reserve(8);
  const signed = BigInt(value.getTime() || 0) ^ (1n << 63n);
  length = scratch.writeBigUInt64BE(BigInt.asUintN(64, signed), length);
}

function writeByte(byte: number): void {
  reserve(1);
  scratch[length++] = byte;
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, length);
  length += bytes.length;
}

function invert(start: number): void {
  for (let i = start; i < length; i++) scratch[i] = 0xff - (scratch[i] as number);
}

function reserve(bytes: number): void {
  if (length + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, length + bytes));
  scratch.copy(larger, 0, 0, length);
  scratch = larger;
}
