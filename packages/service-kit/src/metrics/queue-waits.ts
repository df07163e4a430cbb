/** Time for which a wait is remembered: longer than the time between two visits of Prometheus. */
const WINDOW_MS = 60_000;

/** The longest waits of messages lately, by queue: queues are in order, so that a message that comes was the oldest. */
export class QueueWaits {
  readonly #now: () => number;
  readonly #longest = new Map<string, { readonly seconds: number; readonly atMs: number }>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a message came after this wait. */
  note(queue: string, seconds: number): void {
    const longest = this.#longest.get(queue);
    const atMs = this.#now();
    const isOutdated = !longest || atMs - longest.atMs > WINDOW_MS;
    if (isOutdated || seconds >= longest.seconds) this.#longest.set(queue, { seconds, atMs });
  }

  /** Returns the longest wait of each queue within the last minute; 0 where no message came. */
  longest(): ReadonlyMap<string, number> {
    const sinceMs = this.#now() - WINDOW_MS;
    return new Map(
      [...this.#longest].map(([queue, { seconds, atMs }]) => [queue, atMs < sinceMs ? 0 : seconds]),
    );
  }
}
