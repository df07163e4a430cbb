/** Longest delay of setTimeout; a later time takes several steps. */
const MAX_DELAY_MS = 2_147_483_647;

/** A timer with a changeable time: calls back at the time set last. */
export class WakeUp {
  readonly #now: () => number;
  readonly #onTime: () => void;
  #timer: NodeJS.Timeout | undefined;
  #atMs: number | undefined;

  constructor(now: () => number, onTime: () => void) {
    this.#now = now;
    this.#onTime = onTime;
  }

  /** Sets the time, in epoch milliseconds; `undefined` cancels. */
  at(atMs: number | undefined): void {
    if (atMs === this.#atMs) return;
    this.cancel();
    if (atMs === undefined) return;
    this.#atMs = atMs;
    const delayMs = Math.min(Math.max(atMs - this.#now(), 0), MAX_DELAY_MS);
    this.#timer = setTimeout(() => this.#ring(atMs), delayMs);
    this.#timer.unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#atMs = undefined;
  }

  #ring(atMs: number): void {
    this.#atMs = undefined;
    if (this.#now() < atMs) this.at(atMs);
    else this.#onTime();
  }
}
