import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';

interface Waiting<Item> {
  readonly item: Item;
  readonly patienceMs: number;
  readonly done: PromiseWithResolvers<void>;
}

/** Size and pace of batches. */
export interface BatchRules<Item> {
  readonly maxItems: number;
  /** Bound on the sum of `bytesOf` of a batch; one item alone may exceed it. */
  readonly maxBytes: number;
  readonly bytesOf: (item: Item) => number;
  /**
   * Returns the time that an item waits for others, at most, after the start of the batch before. The batch of several
   * items starts with the least patient; a full batch does not wait.
   */
  readonly patienceMsOf: (item: Item) => number;
}

/**
 * Handles items together: everything that came during one batch is the next one. A lone item waits for nothing, and
 * under load the batches grow by themselves. An item that its handler cannot digest fails alone.
 */
export class Batch<Item> {
  readonly #handle: (items: readonly Item[]) => Promise<void>;
  readonly #rules: BatchRules<Item>;
  #waiting: Waiting<Item>[] = [];
  #isRunning = false;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  /** Aborted when the next batch is due earlier than it was. */
  #pause = new AbortController();

  constructor(handle: (items: readonly Item[]) => Promise<void>, rules: BatchRules<Item>) {
    this.#handle = handle;
    this.#rules = rules;
  }

  /** True while it has no items. */
  get isIdle(): boolean {
    return !this.#isRunning;
  }

  /** Resolves when the item has been handled; rejects with what the handler threw. */
  add(item: Item): Promise<void> {
    const done = Promise.withResolvers<void>();
    const dueAtMs = this.#dueAtMs;
    this.#waiting.push({ item, done, patienceMs: this.#rules.patienceMsOf(item) });
    if (this.#dueAtMs < dueAtMs) this.#pause.abort();
    if (!this.#isRunning) {
      // Rejects only if a rule throws: then no item that waits can be handled.
      this.#run().catch((error: unknown) => {
        this.#isRunning = false;
        for (const waiting of this.#waiting.splice(0)) waiting.done.reject(error);
      });
    }
    return done.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // The other messages of the same packet arrive in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      await this.#pauseForOthers();
      await this.#handleAll(this.#waiting.splice(0, this.#nextSize()));
    }
    this.#isRunning = false;
  }

  async #handleAll(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#handle(batch.map(({ item }) => item));
      for (const { done } of batch) done.resolve();
    } catch (error) {
      const isOutage = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (batch.length > 1 && !isOutage) for (const each of batch) await this.#handleAll([each]);
      else for (const { done } of batch) done.reject(error);
    }
  }

  #nextSize(): number {
    const { maxItems, maxBytes, bytesOf } = this.#rules;
    let bytes = 0;
    for (const [index, { item }] of this.#waiting.entries()) {
      bytes += bytesOf(item);
      if (index >= maxItems || (index > 0 && bytes > maxBytes)) return index;
    }
    return this.#waiting.length;
  }

  /** Due time of the batch of waiting items, on the monotonic clock. */
  get #dueAtMs(): number {
    if (this.#waiting.length >= this.#rules.maxItems) return Number.NEGATIVE_INFINITY;
    return this.#startedAtMs + Math.min(...this.#waiting.map(({ patienceMs }) => patienceMs));
  }

  async #pauseForOthers(): Promise<void> {
    for (;;) {
      const pauseMs = this.#dueAtMs - performance.now();
      if (pauseMs <= 0) break;
      this.#pause = new AbortController();
      await sleep(pauseMs, undefined, { signal: this.#pause.signal }).catch(() => {});
    }
    this.#startedAtMs = performance.now();
  }
}

/** More keys than are usually in use at once. */
const MAX_BATCHES = 100;

/** Handles items of each key together, beside those of other keys: a key with long batches delays no other. */
export class Batches<Item> {
  readonly #create: () => Batch<Item>;
  readonly #byKey = new Map<string, Batch<Item>>();

  constructor(handle: (items: readonly Item[]) => Promise<void>, rules: BatchRules<Item>) {
    this.#create = () => new Batch(handle, rules);
  }

  /** Resolves when the item has been handled; rejects with what the handler threw. */
  add(key: string, item: Item): Promise<void> {
    if (!this.#byKey.has(key) && this.#byKey.size >= MAX_BATCHES) this.#forgetIdle();
    const batch = this.#byKey.get(key) ?? this.#create();
    this.#byKey.set(key, batch);
    return batch.add(item);
  }

  #forgetIdle(): void {
    for (const [key, batch] of this.#byKey) if (batch.isIdle) this.#byKey.delete(key);
  }
}
