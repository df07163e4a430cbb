/** Number of keys that are remembered, over all crawls; each takes some 100 bytes. */
const MAX_KEYS = 400_000;

/**
 * Remembers keys of URLs that crawls are known to have, with the depth that they are stored with: most links lead to
 * known pages, and are then answered without a query. A key that is forgotten is found in the database.
 */
export class KnownKeys {
  readonly #byJob = new Map<string, Map<string, number>>();
  #size = 0;

  /** Returns the depth of a known URL. */
  find(jobId: string, key: string): number | undefined {
    return this.#byJob.get(jobId)?.get(key);
  }

  add(jobId: string, key: string, depth: number): void {
    const keys = this.#byJob.get(jobId) ?? new Map<string, number>();
    // The crawl that was used last is the last to be forgotten.
    this.#byJob.delete(jobId);
    this.#byJob.set(jobId, keys);
    if (!keys.has(key)) this.#size += 1;
    keys.set(key, depth);
    if (this.#size > MAX_KEYS) this.#forgetOldest();
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
