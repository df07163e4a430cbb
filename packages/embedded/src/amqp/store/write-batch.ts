/** Dependencies of a `WriteBatch`. */
export interface WriteBatchDeps {
  /** Performs the writes as one transaction and resolves when they are on disk; keeps none of them when it rejects. */
  readonly write: (writes: readonly PendingWrite[]) => Promise<void>;
  /** Called when a write fails after one that succeeded; the batch is kept and repeated. */
  readonly onFailure: (error: unknown) => void;
  /** Called when a write succeeds after one has failed. */
  readonly onRecovery: () => void;
  /** Time between two attempts at a batch that could not be written. Defaults to a second. */
  readonly retryDelayMs?: number;
}

/** One write of a batch; its bytes count towards the backlog. */
export interface PendingWrite {
  readonly bytes: number;
  readonly perform: () => void;
}

/** Called once everything that was added before is on disk. */
export type FlushListener = () => void;

const RETRY_DELAY_MS = 1000;

/**
 * Group commit: collects writes during a turn of the event loop, and while the previous batch is being written, then
 * flushes them together. A write that is undone before its batch starts is never made. A batch that fails, on a full
 * disk for instance, is kept, and its listeners wait until a later attempt has written it.
 */
export class WriteBatch {
  readonly #deps: WriteBatchDeps;
  #writes = new Map<unknown, PendingWrite>();
  #listeners: FlushListener[] = [];
  #backlogBytes = 0;
  #isScheduled = false;
  #isFailing = false;
  #isClosing = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> | undefined;

  constructor(deps: WriteBatchDeps) {
    this.#deps = deps;
  }

  /** Bytes that wait for the disk. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** The last attempt to write failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Adds a write under a key, replacing an earlier one with the same key. */
  add(key: unknown, write: PendingWrite): void {
    this.undo(key);
    this.#writes.set(key, write);
    this.#backlogBytes += write.bytes;
    this.#schedule();
  }

  /** Removes the write of a key unless its batch has started. Returns whether it was removed. */
  undo(key: unknown): boolean {
    const write = this.#writes.get(key);
    if (!write) return false;
    this.#writes.delete(key);
    this.#backlogBytes -= write.bytes;
    return true;
  }

  /** Calls back when everything added so far is on disk. */
  afterFlush(listener: FlushListener): void {
    this.#listeners.push(listener);
    this.#schedule();
  }

  /** Writes pending data. Returns the number of writes that were abandoned because they failed. */
  async close(): Promise<number> {
    await this.#inFlight;
    this.#isClosing = true;
    clearTimeout(this.#retryTimer);
    while (this.#writes.size > 0) {
      await this.#flush();
      if (this.#isFailing) break;
    }
    return this.#writes.size;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight || this.#isFailing || this.#isClosing) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#inFlight && !this.#isClosing) this.#startFlush();
    });
  }

  #startFlush(): void {
    this.#flush().catch((error: unknown) => this.#deps.onFailure(error));
  }

  #flush(): Promise<void> {
    const [writes, listeners] = [this.#writes, this.#listeners];
    this.#writes = new Map();
    this.#listeners = [];
    this.#inFlight = this.#write([...writes.values()]).then((isOnDisk) => {
      this.#inFlight = undefined;
      if (isOnDisk) this.#finish(writes, listeners);
      else this.#keep(writes, listeners);
    });
    return this.#inFlight;
  }

  async #write(writes: readonly PendingWrite[]): Promise<boolean> {
    try {
      if (writes.length > 0) await this.#deps.write(writes);
      return true;
    } catch (error) {
      if (!this.#isFailing) this.#deps.onFailure(error);
      return false;
    }
  }

  #finish(writes: ReadonlyMap<unknown, PendingWrite>, listeners: readonly FlushListener[]): void {
    for (const write of writes.values()) this.#backlogBytes -= write.bytes;
    const hasRecovered = this.#isFailing;
    this.#isFailing = false;
    if (this.#writes.size > 0 || this.#listeners.length > 0) this.#schedule();
    if (hasRecovered) this.#deps.onRecovery();
    for (const listener of listeners) listener();
  }

  /** Puts a failed batch before the newer writes; a newer write replaces an older one with the same key. */
  #keep(writes: ReadonlyMap<unknown, PendingWrite>, listeners: readonly FlushListener[]): void {
    this.#isFailing = true;
    for (const [key, write] of writes) if (this.#writes.has(key)) this.#backlogBytes -= write.bytes;
    this.#writes = new Map([...writes, ...this.#writes]);
    this.#listeners = [...listeners, ...this.#listeners];
    if (this.#isClosing) return;
    this.#retryTimer = setTimeout(() => this.#startFlush(), this.#deps.retryDelayMs ?? RETRY_DELAY_MS);
  }
}
