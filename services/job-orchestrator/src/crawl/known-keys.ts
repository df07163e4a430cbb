/** Number of keys that are remembered, over all crawls; each takes some 100 bytes. */
const MAX_KEYS = 400_000;

/** A page that a crawl has. */
export interface KnownPage {
  /** Depth that it is stored with. */
  readonly depth: number;
  readonly index: number;
}

/** More than any depth: both numbers are kept as one. */
const DEPTHS = 1024;

/**
 * Remembers keys of URLs that crawls are known to have, with the depth and index of their pages: most links lead to known
 * pages, and are then answered without a query. A key that is forgotten is found in the database.
 */
export class KnownKeys {
  readonly #byJob = new Map<string, Map<string, number>>();
  readonly #maxKeys: number;
  #size = 0;

  constructor(maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys;
  }

  /** Returns the page of a known URL. */
  find(jobId: string, key: string): KnownPage | undefined {
    const packed = this.#byJob.get(jobId)?.get(key);
    return packed === undefined ? undefined : { depth: packed % DEPTHS, index: Math.floor(packed / DEPTHS) };
  }

  add(jobId: string, key: string, { depth, index }: KnownPage): void {
    const keys = this.#byJob.get(jobId) ?? new Map<string, number>();
    // The crawl that was used last is the last to be forgotten.
    this.#byJob.delete(jobId);
    this.#byJob.set(jobId, keys);
    if (!keys.has(key)) this.#size += 1;
    keys.set(key, index * DEPTHS + depth);
    if (this.#size > this.#maxKeys) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#byJob;
    if (!oldest) return;
    const [jobId, keys] = oldest;
    if (this.#byJob.size > 1) {
      this.#byJob.delete(jobId);
      this.#size -= keys.size;
      return;
    }
    const half = keys.size >> 1;
    for (const key of [...keys.keys()].slice(0, half)) keys.delete(key);
    this.#size -= half;
  }
}
