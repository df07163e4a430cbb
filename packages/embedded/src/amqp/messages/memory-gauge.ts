import type { Message } from './message.ts';

/** Memory of an entry besides the bytes of its message: objects, keys, strings. */
const ENTRY_OVERHEAD_BYTES = 512;

/** Sums the memory of the messages in all queues, and calls back when it falls below the limit again. */
export class MemoryGauge {
  readonly #limitBytes: number;
  #heldBytes = 0;
  #waiting: (() => void)[] = [];

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** True while publishers have to wait. */
  get isFull(): boolean {
    return this.#heldBytes > this.#limitBytes;
  }

  hold(message: Message): void {
    this.#heldBytes += bytesOf(message);
  }

  release(message: Message): void {
    this.#heldBytes -= bytesOf(message);
    if (this.isFull || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const listener of waiting) setImmediate(listener);
  }

  /** Calls back once the memory is below the limit. */
  afterRelease(listener: () => void): void {
    this.#waiting.push(listener);
  }
}

function bytesOf({ body, propertyBytes }: Message): number {
  return body.length + propertyBytes.length + ENTRY_OVERHEAD_BYTES;
}
