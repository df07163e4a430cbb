import { AmqpError } from './amqp-error.ts';

/** Reads AMQP's primitive types from the payload of a frame; reading past the end is a SYNTAX_ERROR. */
export class ByteReader {
  readonly #bytes: Buffer;
  #offset: number;
  readonly #end: number;

  constructor(bytes: Buffer, offset = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#end;
  }

  get offset(): number {
    return this.#offset;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  int8(): number {
    return this.#bytes.readInt8(this.#advance(1));
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#advance(2));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#advance(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#advance(4));
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#advance(8));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#advance(8));
  }

  double(): number {
    return this.#bytes.readDoubleBE(this.#advance(8));
  }

  shortString(): string {
    const length = this.uint8();
    const start = this.#advance(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  /** Returns a view of the next `length` bytes, not a copy. */
  slice(length: number): Buffer {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Returns a reader of the next `length` bytes. */
  sub(length: number): ByteReader {
    const start = this.#advance(length);
    return new ByteReader(this.#bytes, start, start + length);
  }

  #advance(count: number): number {
    const start = this.#offset;
    if (start + count > this.#end)
      throw new AmqpError('SYNTAX_ERROR', 'a field runs past the end of its frame');
    this.#offset = start + count;
    return start;
  }
}
