const FIRST_CAPACITY_BYTES = 1024;

/** Writes AMQP's primitive types into a buffer that grows as needed: make room first, then take the buffer. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacityBytes = FIRST_CAPACITY_BYTES) {
    this.#bytes = Buffer.allocUnsafe(capacityBytes);
  }

  get length(): number {
    return this.#length;
  }

  uint8(value: number): void {
    const start = this.#grow(1);
    this.#bytes[start] = value & 0xff;
  }

  int8(value: number): void {
    this.uint8(value);
  }

  uint16(value: number): void {
    const start = this.#grow(2);
    this.#bytes.writeUInt16BE(value, start);
  }

  int16(value: number): void {
    const start = this.#grow(2);
    this.#bytes.writeInt16BE(value, start);
  }

  uint32(value: number): void {
    const start = this.#grow(4);
    this.#bytes.writeUInt32BE(value, start);
  }

  int32(value: number): void {
    const start = this.#grow(4);
    this.#bytes.writeInt32BE(value, start);
  }

  uint64(value: bigint): void {
    const start = this.#grow(8);
    this.#bytes.writeBigUInt64BE(value, start);
  }

  int64(value: bigint): void {
    const start = this.#grow(8);
    this.#bytes.writeBigInt64BE(value, start);
  }

  double(value: number): void {
    const start = this.#grow(8);
    this.#bytes.writeDoubleBE(value, start);
  }

  /** Writes at most 255 bytes of UTF-8; throws for a longer text. */
  shortString(value: string): void {
    const byteLength = Buffer.byteLength(value);
    if (byteLength > 255) throw new RangeError(`short string of ${byteLength} bytes`);
    const start = this.#grow(1 + byteLength);
    this.#bytes[start] = byteLength;
    this.#bytes.write(value, start + 1, byteLength, 'utf8');
  }

  bytes(value: Uint8Array): void {
    const start = this.#grow(value.length);
    this.#bytes.set(value, start);
  }

  /** Reserves a uint32 and returns its offset, for `patchLength`. */
  reserveLength(): number {
    return this.#grow(4);
  }

  /** Writes the number of bytes since `reserveLength` at the offset that it returned. */
  patchLength(place: number): void {
    this.#bytes.writeUInt32BE(this.#length - place - 4, place);
  }

  /** Removes everything after `length` bytes, when a write has failed halfway. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Returns the bytes written so far; the writer continues in another buffer. */
  take(): Buffer {
    const written = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(FIRST_CAPACITY_BYTES);
    this.#length = 0;
    return written;
  }

  #grow(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#length = needed;
    return start;
  }
}
