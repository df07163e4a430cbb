/** Documents of a part of a job, as they are sent, and the position of the result after them. */
export interface FinishedPart {
  readonly chunks: readonly Buffer[];
  readonly end: number;
}

/** Bytes of all parts that one gateway keeps: three of the largest. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Cache of parts of finished jobs, whose documents no longer change: clients poll the state of a job. Evicts the least
 * recently read part.
 */
export class FinishedParts {
  readonly #parts = new Map<string, FinishedPart>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor({ maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {}) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): FinishedPart | undefined {
    const part = this.#parts.get(key);
    if (!part) return undefined;
    this.#parts.delete(key);
    this.#parts.set(key, part);
    return part;
  }

  /** Keeps a part; one that is larger than all may be together is not kept. */
  set(key: string, part: FinishedPart): void {
    const bytes = bytesOf(part);
    if (bytes > this.#maxBytes) return;
    this.#drop(key);
    for (const oldest of this.#parts.keys()) {
      if (this.#bytes + bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
    this.#parts.set(key, part);
    this.#bytes += bytes;
  }

  #drop(key: string): void {
    const part = this.#parts.get(key);
    if (!part) return;
    this.#parts.delete(key);
    this.#bytes -= bytesOf(part);
  }
}

function bytesOf({ chunks }: FinishedPart): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
