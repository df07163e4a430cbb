/** What a batch does its writing with. */
export interface WriteBatchDeps {
  /** Performs the writes and resolves when they are on disk. */
  readonly write: (writes: readonly PendingWrite[]) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** One write, performed when its batch is; the bytes count towards the backlog. */
export interface PendingWrite {
  readonly bytes: number;
  readonly perform: () => void;
}

/** Called once the batch is on disk (`true`) or has failed (`false`). */
export type FlushListener = (isOnDisk: boolean) => void;

/**
 * Group commit: writes are collected over a turn of the event loop, and over the whole time that the
 * previous batch takes, then flushed together. A write that is undone before its batch starts is never made.
 */
export class WriteBatch {
  readonly #deps: WriteBatchDeps;
  #writes = new Map<unknown, PendingWrite>();
  #listeners: FlushListener[] = [];
  #backlogBytes = 0;
  #isScheduled = false;
  #inFlight: Promise<void> | undefined;

  constructor(deps: WriteBatchDeps) {
    this.#deps = deps;
  }

  /** The bytes that wait for the disk. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** Adds a write under a key; a second one under the same key takes the place of the first. */
  add(key: unknown, write: PendingWrite): void {
    this.undo(key);
    this.#writes.set(key, write);
    this.#backlogBytes += write.bytes;
    this.#schedule();
  }

  /** Takes back a write whose batch has not begun; `false` when there is none. */
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

  /** Resolves when nothing is left to be written. */
  async drain(): Promise<void> {
    while (this.#inFlight || this.#writes.size > 0) await (this.#inFlight ?? this.#flush());
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#inFlight) void this.#flush();
    });
  }

  #flush(): Promise<void> {
    const [writes, listeners] = [[...this.#writes.values()], this.#listeners];
    this.#writes = new Map();
    this.#listeners = [];
    this.#inFlight = this.#write(writes).then((isOnDisk) => {
      this.#inFlight = undefined;
      for (const write of writes) this.#backlogBytes -= write.bytes;
      if (this.#writes.size > 0 || this.#listeners.length > 0) this.#schedule();
      for (const listener of listeners) listener(isOnDisk);
    });
    return this.#inFlight;
  }

  async #write(writes: readonly PendingWrite[]): Promise<boolean> {
    try {
      if (writes.length > 0) await this.#deps.write(writes);
      return true;
    } catch (error) {
      this.#deps.onFailure(error);
      return false;
    }
  }
}
