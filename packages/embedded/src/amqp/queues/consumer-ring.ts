import type { QueueEntry } from '../messages/message.ts';

/** A consumer as its queue sees it. */
export interface Consumer {
  readonly tag: string;
  readonly isExclusive: boolean;
  /** Higher ones are served first (argument x-priority). */
  readonly priority: number;
  /** True while prefetch, flow and the socket allow one more message. */
  canTake(): boolean;
  deliver(entry: QueueEntry): void;
  /** The queue is gone, and with it this consumer. */
  onQueueGone(): void;
}

/** The consumers of a queue, taken in turn within the highest priority that has room. */
export class ConsumerRing {
  readonly #isSingleActive: boolean;
  #consumers: Consumer[] = [];
  #active: Consumer | undefined;

  constructor(isSingleActive: boolean) {
    this.#isSingleActive = isSingleActive;
  }

  get size(): number {
    return this.#consumers.length;
  }

  get hasExclusive(): boolean {
    return this.#consumers.some((consumer) => consumer.isExclusive);
  }

  add(consumer: Consumer): void {
    this.#insert(consumer);
    this.#active ??= consumer;
  }

  /** Removes a consumer. Returns false when the queue does not have it. */
  remove(consumer: Consumer): boolean {
    const index = this.#consumers.indexOf(consumer);
    if (index === -1) return false;
    this.#consumers.splice(index, 1);
    if (this.#active === consumer) this.#active = this.#consumers[0];
    return true;
  }

  /** The consumer whose turn it is among those with room; it goes behind its equals. */
  next(): Consumer | undefined {
    if (this.#isSingleActive) return this.#active?.canTake() ? this.#active : undefined;
    const index = this.#consumers.findIndex((consumer) => consumer.canTake());
    const consumer = this.#consumers[index];
    if (consumer && this.#consumers.length > 1) {
      this.#consumers.splice(index, 1);
      this.#insert(consumer);
    }
    return consumer;
  }

  /** Removes and returns all of them. */
  clear(): Consumer[] {
    const consumers = this.#consumers;
    this.#consumers = [];
    this.#active = undefined;
    return consumers;
  }

  #insert(consumer: Consumer): void {
    const index = this.#consumers.findIndex((other) => other.priority < consumer.priority);
    this.#consumers.splice(index === -1 ? this.#consumers.length : index, 0, consumer);
  }
}
