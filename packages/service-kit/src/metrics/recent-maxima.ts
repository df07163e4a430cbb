/** Time for which a value is remembered: longer than the time between two visits of Prometheus. */
const WINDOW_MS = 60_000;

/** The largest values of the last minute, by name. */
export class RecentMaxima {
  readonly #now: () => number;
  readonly #largest = new Map<string, { readonly value: number; readonly atMs: number }>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes a value; returns true if the last minute has none larger under this name. */
  note(name: string, value: number): boolean {
    const largest = this.#largest.get(name);
    const atMs = this.#now();
    const isOutdated = !largest || atMs - largest.atMs > WINDOW_MS;
    const isLargest = isOutdated || value >= largest.value;
    if (isLargest) this.#largest.set(name, { value, atMs });
    return isLargest;
  }

  /** Returns the largest value of each name within the last minute; 0 where nothing was noted in it. */
  read(): ReadonlyMap<string, number> {
    const sinceMs = this.#now() - WINDOW_MS;
    return new Map([...this.#largest].map(([name, { value, atMs }]) => [name, atMs < sinceMs ? 0 : value]));
  }
}
