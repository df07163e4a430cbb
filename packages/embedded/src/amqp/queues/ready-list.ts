import type { QueueEntry } from '../messages/message.ts';
import { PositionDeque } from './position-deque.ts';

/** Messages of a queue that wait for a consumer, the highest priority first, with their count and size. */
export class ReadyList {
  readonly #levels: PositionDeque[] = [];
  #length = 0;
  #bodyBytes = 0;

  get length(): number {
    return this.#length;
  }

  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  first(): QueueEntry | undefined {
    return this.#firstLevel()?.first();
  }

  shift(): QueueEntry | undefined {
    const entry = this.#firstLevel()?.shift();
    if (entry) this.#forget(entry);
    return entry;
  }

  insert(entry: QueueEntry): void {
    while (this.#levels.length <= entry.priority) this.#levels.push(new PositionDeque());
    this.#levels[entry.priority]?.insert(entry);
    this.#length += 1;
    this.#bodyBytes += entry.message.body.length;
  }

  /** Removes and returns the first entry of any priority that has expired at `nowMs`. */
  shiftExpired(nowMs: number): QueueEntry | undefined {
    for (const level of this.#levels) {
      const first = level.first();
      if (first?.expiresAtMs === undefined || first.expiresAtMs > nowMs) continue;
      level.shift();
      this.#forget(first);
      return first;
    }
    return undefined;
  }

  /** Returns the time at which the next entry at the head of its priority expires. */
  nextExpiryMs(): number | undefined {
    let nextMs: number | undefined;
    for (const level of this.#levels) {
      const expiresAtMs = level.first()?.expiresAtMs;
      if (expiresAtMs !== undefined && (nextMs === undefined || expiresAtMs < nextMs)) nextMs = expiresAtMs;
    }
    return nextMs;
  }

  #firstLevel(): PositionDeque | undefined {
    for (let priority = this.#levels.length - 1; priority >= 0; priority -= 1) {
      const level = this.#levels[priority];
      if (level && level.length > 0) return level;
    }
    return undefined;
  }

  #forget(entry: QueueEntry): void {
    this.#length -= 1;
    this.#bodyBytes -= entry.message.body.length;
  }
}
