import { FairQueue } from '@gleaner/extraction';

/**
 * Keeps pages that nobody waits for out of the way of scrapes: one page is read in a turn of the event loop, so that
 * what comes in for a scrape is seen after one page and not after thirty. Jobs take turns, too: the page of a small one
 * does not wait for those that came before it of a large one.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;

  /** Resolves when it is the turn of a page of this job, in the order in which they asked; the work is to be done at once. */
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
