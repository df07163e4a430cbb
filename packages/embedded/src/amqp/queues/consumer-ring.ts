import type { QueueEntry } from '../messages/message.ts';

/** A consumer as its queue sees it. */
export interface Consumer {
  readonly tag: string;
  readonly isExclusive: boolean;
  /** Consumers with higher values are served first (argument x-priority). */
  readonly priority: number;
  /** True while prefetch, flow and the socket allow one more message. */
  canTake(): boolean;
  deliver(entry: QueueEntry): void;
  /** Called when the queue was deleted, and with it this consumer. */
  onQueueGone(): void;
}

/** Consumers of a queue, which take turns within the highest priority that has capacity. */
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

  /** Returns the next consumer with capacity and moves it behind those of equal priority. */
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
