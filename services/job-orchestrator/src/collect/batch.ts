import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting<Item> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<void>;
}

/** How large batches may be, and how close upon each other. */
export interface BatchRules<Item> {
  readonly maxItems: number;
  /** How long after the start of a batch the next one starts at the earliest; a full one does not wait. */
  readonly paceMs: number;
  /** Whether somebody may be waiting for this very item: the batch that it is in does not wait either. */
  readonly isPressing: (item: Item) => boolean;
}

/**
 * Handles items together: whatever has come since the batch before is the next one. So a lone item waits for nothing,
 * and under load the batches grow by themselves.
 */
export class Batch<Item> {
  readonly #handle: (items: readonly Item[]) => Promise<void>;
  readonly #rules: BatchRules<Item>;
  #waiting: Waiting<Item>[] = [];
  #isRunning = false;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  /** Aborted when the batch that comes together is to wait no longer. */
  #patience = new AbortController();

  constructor(handle: (items: readonly Item[]) => Promise<void>, rules: BatchRules<Item>) {
    this.#handle = handle;
    this.#rules = rules;
  }

  /** Resolves when the batch that the item was part of is handled; rejects with what its handler threw. */
  add(item: Item): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ item, done });
    const { maxItems, isPressing } = this.#rules;
    if (this.#waiting.length >= maxItems || isPressing(item)) this.#patience.abort();
    if (!this.#isRunning) void this.#run();
    return done.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // The other messages of the same packet are handed over in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      await this.#keepPace();
      this.#patience = new AbortController();
      const batch = this.#waiting.splice(0, this.#rules.maxItems);
      try {
        await this.#handle(batch.map(({ item }) => item));
        for (const { done } of batch) done.resolve();
      } catch (fault) {
        for (const { done } of batch) done.reject(fault);
      }
    }
    this.#isRunning = false;
  }

  async #keepPace(): Promise<void> {
    const { maxItems, paceMs } = this.#rules;
    const waitMs = this.#startedAtMs + paceMs - performance.now();
    if (waitMs > 0 && this.#waiting.length < maxItems) {
      await sleep(waitMs, undefined, { signal: this.#patience.signal }).catch(() => {});
    }
    this.#startedAtMs = performance.now();
  }
}
