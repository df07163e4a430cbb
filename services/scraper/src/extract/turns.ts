import { FairQueue } from '@gleaner/extraction';

/**
 * Lets scrapes go before pages of jobs: only one page of a job is read per turn of the event loop, so that a response for
 * a scrape waits for one page at most. Jobs take turns too: a page of a small job does not wait for all earlier pages of
 * a large one.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;

  /** Resolves at the turn of a page of this job; the caller must do its work synchronously. */
  take(jobId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(jobId, resolve);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#waiting.shift()?.();
    this.#schedule();
  }
}
