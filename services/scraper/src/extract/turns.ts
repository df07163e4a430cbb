/** How long pages make way for a scrape that somebody waits for; a slow site must not hold them up for longer. */
const HURRY_MS = 200;
/** How long the event loop is left to scrapes between two pages meanwhile. */
const MAKE_WAY_MS = 20;

/**
 * Keeps pages that nobody waits for out of the way of scrapes: one page is read in a turn of the event loop, so that
 * what comes in for a scrape is seen after one page and not after thirty. Jobs take turns, too: the page of a small one
 * does not wait for those that came before it of a large one.
 */
export class Turns {
  /** By job; the job whose turn was the longest ago comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #hurries = new Set<{ readonly untilMs: number }>();
  #isScheduled = false;

  /** Begins a scrape; disposing of it ends it. */
  hurry(): Disposable {
    const hurry = { untilMs: performance.now() + HURRY_MS };
    this.#hurries.add(hurry);
    return { [Symbol.dispose]: () => void this.#hurries.delete(hurry) };
  }

  /** Resolves when it is the turn of a page of this job, in the order in which they asked; the work is to be done at once. */
  take(jobId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pages = this.#waiting.get(jobId);
    if (pages) pages.push(resolve);
    else this.#waiting.set(jobId, [resolve]);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    const nowMs = performance.now();
    const isHurried = this.#hurries.values().some(({ untilMs }) => untilMs > nowMs);
    if (isHurried) setTimeout(() => this.#next(), MAKE_WAY_MS);
    else setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    const [first] = this.#waiting;
    if (!first) return;
    const [jobId, pages] = first;
    const resolve = pages.shift();
    this.#waiting.delete(jobId);
    if (pages.length > 0) this.#waiting.set(jobId, pages);
    resolve?.();
    this.#schedule();
  }
}
