/**
 * Gathers the chunks of a body and frees each as soon as it is used: left to the garbage collector, bodies that are
 * done with would come to several times those under way.
 */
export class BodyChunks implements Disposable {
  #chunks: Buffer[] = [];
  #size = 0;

  /** How many bytes have been taken. */
  get size(): number {
    return this.#size;
  }

  /** Takes a chunk that is nobody else's: its memory goes with this. */
  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** All that was taken, in memory of its own; at no time is it there twice. */
  join(): Buffer<ArrayBuffer> {
    const whole = Buffer.allocUnsafeSlow(this.#size);
    let offset = 0;
    for (const chunk of this.#chunks) {
      offset += chunk.copy(whole, offset);
      free(chunk);
    }
    this.#chunks = [];
    return whole;
  }

  /** Frees what was not joined. */
  [Symbol.dispose](): void {
    for (const chunk of this.#chunks) free(chunk);
    this.#chunks = [];
  }
}

/** Frees the memory that the bytes have to themselves; what others have a part of is left alone. */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
