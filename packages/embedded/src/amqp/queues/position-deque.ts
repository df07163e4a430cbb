import type { QueueEntry } from '../messages/message.ts';

const COMPACT_FROM = 1024;

/** Entries in ascending position: cheap at both ends; a returned entry takes its old place. */
export class PositionDeque {
  #slots: (QueueEntry | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#slots.length - this.#head;
  }

  first(): QueueEntry | undefined {
    return this.#slots[this.#head];
  }

  shift(): QueueEntry | undefined {
    const entry = this.#slots[this.#head];
    if (entry === undefined) return undefined;
    this.#slots[this.#head] = undefined;
    this.#head += 1;
    this.#compact();
    return entry;
  }

  insert(entry: QueueEntry): void {
    const last = this.#slots.at(-1);
    if (this.length === 0 || (last && last.position < entry.position)) {
      this.#slots.push(entry);
      return;
    }
    const index = this.#indexAfter(entry.position);
    if (index === this.#head) {
      this.#unshift(entry);
      return;
    }
    this.#slots.splice(index, 0, entry);
  }

  *[Symbol.iterator](): Generator<QueueEntry> {
    for (let index = this.#head; index < this.#slots.length; index += 1)
      yield this.#slots[index] as QueueEntry;
  }

  /** Returns the first index whose entry comes after the position, by bisection. */
  #indexAfter(position: number): number {
    let low = this.#head;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle] as QueueEntry).position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #unshift(entry: QueueEntry): void {
    if (this.#head === 0) {
      const gap = Math.max(16, this.#slots.length);
      this.#slots = [...new Array<undefined>(gap), ...this.#slots];
      this.#head = gap;
    }
    this.#head -= 1;
    this.#slots[this.#head] = entry;
  }

  #compact(): void {
    if (this.#head < COMPACT_FROM || this.#head * 2 < this.#slots.length) return;
    this.#slots = this.#slots.slice(this.#head);
    this.#head = 0;
  }
}
