import { crc32 } from 'node:zlib';
import type { JournalMark, JournalPart } from './journal-files.ts';

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

/** The changes of every whole transaction in a part of the journal, in order; ends where something else begins. */
export function* readJournal({ bytes, mark }: JournalPart): Generator<JournalledChange[], void, void> {
  let at = 0;
  while (at + FRAME_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const changes = bytes.subarray(at + FRAME_BYTES, at + FRAME_BYTES + length);
    const checksum = (bytes.readUInt32LE(at + 4) ^ mark) >>> 0;
    if (length === 0 || changes.length < length || crc32(changes) !== checksum) return;
    yield Array.from(readChanges(changes));
    at += FRAME_BYTES + length;
  }
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
