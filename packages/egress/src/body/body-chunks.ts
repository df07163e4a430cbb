import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that are copied in one turn of the event loop, in about ten milliseconds. */
const BYTES_PER_TURN = 8 * 1024 * 1024;

/**
 * Collects the chunks of a body and frees each as soon as it is used: left to the garbage collector, finished bodies
 * would take several times the memory of those being read.
 */
export class BodyChunks implements Disposable {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Number of bytes collected. */
  get size(): number {
    return this.#size;
  }

  /** Adds a chunk and takes over its memory. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** Returns all bytes in one buffer; each chunk is freed once it is copied, so the body is never held twice. */
  async join(): Promise<Buffer<ArrayBuffer>> {
    const whole = Buffer.allocUnsafeSlow(this.#size);
    let offset = 0;
    let turnEnd = BYTES_PER_TURN;
    for (const chunk of this.#chunks) {
      offset += chunk.copy(whole, offset);
      free(chunk);
      if (offset < turnEnd) continue;
      await nextTurn();
      turnEnd = offset + BYTES_PER_TURN;
    }
    this.#chunks = [];
    return whole;
  }

  /** Frees all chunks that were not joined. */
  [Symbol.dispose](): void {
    for (const chunk of this.#chunks) free(chunk);
    this.#chunks = [];
  }
}

/** Frees the memory of the bytes, unless other buffers share it. */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
