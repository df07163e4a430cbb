import { crc32 } from 'node:zlib';
import { type JournalMark, type JournalPart, PART_BYTES } from './journal-files.ts';

/** One change of a table, as the journal keeps it; without a value the key was removed. */
export interface JournalledChange {
  /** Number of the table. */
  readonly table: number;
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/** A transaction is led by its length and its marked CRC-32; a change by its table and the lengths of its key and value. */
const FRAME_BYTES = 8;
const FIRST_BYTES = 64 * 1024;
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024;
const REMOVED = 0xffffffff;

/** Gathers the changes of transactions in the journal's format, until they are taken to be written. */
export class JournalBuffer {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #end = 0;
  #begin = 0;
  #isOpen = false;

  /** Begins a transaction; there is one at a time. */
  begin(): void {
    if (this.#isOpen) throw new Error('A transaction is being written already.');
    this.#isOpen = true;
    this.#begin = this.#end;
    this.#reserve(FRAME_BYTES);
    this.#end += FRAME_BYTES;
  }

  /** Adds a change to the transaction; key and value are copied. */
  add({ table, key, value }: JournalledChange): void {
    this.#reserve(9 + key.length + (value?.length ?? 0));
    this.#end = this.#bytes.writeUInt8(table, this.#end);
    this.#end = this.#bytes.writeUInt32LE(key.length, this.#end);
    this.#end = this.#bytes.writeUInt32LE(value ? value.length : REMOVED, this.#end);
    this.#end += key.copy(this.#bytes, this.#end);
    if (value) this.#end += value.copy(this.#bytes, this.#end);
  }

  /** Ends the transaction, which is to be written; one without changes leaves nothing. */
  commit(): void {
    const changes = this.#bytes.subarray(this.#begin + FRAME_BYTES, this.#end);
    if (changes.length === 0) this.abort();
    else {
      this.#bytes.writeUInt32LE(changes.length, this.#begin);
      this.#bytes.writeUInt32LE(crc32(changes), this.#begin + 4);
      this.#isOpen = false;
    }
  }

  /** Ends the transaction, which changed nothing. */
  abort(): void {
    this.#end = this.#begin;
    this.#isOpen = false;
  }

  /** Takes the transactions that ended since the last call, in the form of a file with this mark; empties the buffer. */
  take({ mark }: JournalMark): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end));
    for (let at = 0; at < taken.length; at += FRAME_BYTES + taken.readUInt32LE(at)) {
      taken.writeUInt32LE((taken.readUInt32LE(at + 4) ^ mark) >>> 0, at + 4);
    }
    this.clear();
    return taken;
  }

  /** Forgets the transactions that ended. */
  clear(): void {
    this.#end = 0;
    if (this.#bytes.length > LARGEST_KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(FIRST_BYTES);
  }

  #reserve(byteCount: number): void {
    if (this.#end + byteCount <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + byteCount));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

/**
 * Yields the changes of every whole transaction in a part of the journal, in order, up to where something else begins. Returns
 * `cut` where the file has lost its end, or a transaction is damaged and another one follows it.
 */
export function* readJournal(part: JournalPart): Generator<JournalledChange[], 'end' | 'cut', void> {
  const { bytes } = part;
  let at = 0;
  for (let frame = frameAt(part, at); frame?.isWhole; frame = frameAt(part, at)) {
    yield Array.from(readChanges(frame.changes));
    at = frame.end;
  }
  const last = frameAt(part, at);
  const isFollowed = last !== undefined && frameAt(part, last.end)?.isWhole === true;
  return isFollowed || bytes.length < PART_BYTES ? 'cut' : 'end';
}

/** Returns the transaction at a place; undefined at the end of the file and where there was never anything. */
function frameAt({ bytes, mark }: JournalPart, at: number) {
  if (at + FRAME_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  if (length === 0) return undefined;
  const end = at + FRAME_BYTES + length;
  const changes = bytes.subarray(at + FRAME_BYTES, end);
  const checksum = (bytes.readUInt32LE(at + 4) ^ mark) >>> 0;
  return { changes, end, isWhole: changes.length === length && crc32(changes) === checksum };
}

function* readChanges(bytes: Buffer): Generator<JournalledChange, void, void> {
  let at = 0;
  while (at < bytes.length) {
    const table = bytes.readUInt8(at);
    const keyEnd = at + 9 + bytes.readUInt32LE(at + 1);
    const valueBytes = bytes.readUInt32LE(at + 5);
    const key = bytes.subarray(at + 9, keyEnd);
    if (valueBytes === REMOVED) {
      yield { table, key, value: undefined };
      at = keyEnd;
    } else {
      yield { table, key, value: bytes.subarray(keyEnd, keyEnd + valueBytes) };
      at = keyEnd + valueBytes;
    }
  }
}
