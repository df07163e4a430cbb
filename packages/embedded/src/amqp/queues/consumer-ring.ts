import type { QueueEntry } from '../messages/message.ts';

/** A consumer as its queue sees it. */
export interface Consumer {
  readonly tag: string;
  /** True while prefetch and the socket allow one more message. */
  canTake(): boolean;
  deliver(entry: QueueEntry): void;
  /** Called when the queue was deleted, and with it this consumer. */
  onQueueGone(): void;
}

/** Consumers of a queue, which take turns. */
export class ConsumerRing {
  #consumers: Consumer[] = [];

  get size(): number {
    return this.#consumers.length;
  }

  add(consumer: Consumer): void {
    this.#consumers.push(consumer);
  }

  /** Removes a consumer. Returns false when the queue does not have it. */
  remove(consumer: Consumer): boolean {
    const index = this.#consumers.indexOf(consumer);
    if (index === -1) return false;
    this.#consumers.splice(index, 1);
    return true;
  }

  /** Returns the next consumer with capacity and moves it behind the others. */
  next(): Consumer | undefined {
    const index = this.#consumers.findIndex((consumer) => consumer.canTake());
    const consumer = this.#consumers[index];
    if (consumer && this.#consumers.length > 1) {
      this.#consumers.splice(index, 1);
      this.#consumers.push(consumer);
    }
    return consumer;
  }

  /** Removes and returns all of them. */
  clear(): Consumer[] {
    const consumers = this.#consumers;
    this.#consumers = [];
    return consumers;
  }
}
