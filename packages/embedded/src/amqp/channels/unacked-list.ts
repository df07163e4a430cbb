import type { QueueEntry } from '../messages/message.ts';
import type { Queue } from '../queues/queue.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { ChannelConsumer } from './channel-consumer.ts';

/** A delivered message that waits for its acknowledgement. */
export interface Delivery {
  readonly tag: number;
  readonly queue: Queue;
  readonly entry: QueueEntry;
  /** The consumer that received it; undefined for basic.get. */
  readonly consumer: ChannelConsumer | undefined;
  readonly deliveredAtMs: number;
}

/** The unacknowledged deliveries of a channel in the order of their tags. */
export class UnackedList {
  readonly #deliveries = new Map<number, Delivery>();

  get size(): number {
    return this.#deliveries.size;
  }

  /** Returns the oldest delivery. */
  oldest(): Delivery | undefined {
    return this.#deliveries.values().next().value;
  }

  add(delivery: Delivery): void {
    this.#deliveries.set(delivery.tag, delivery);
  }

  /** Removes one delivery, or with `multiple` all up to it; tag 0 with `multiple` means all. */
  take(tag: number, isMultiple: boolean): Delivery[] {
    if (isMultiple && tag === 0) return this.takeAll();
    const last = this.#deliveries.get(tag);
    if (!last) throw new AmqpError('PRECONDITION_FAILED', `unknown delivery tag ${tag}`);
    if (!isMultiple) {
      this.#deliveries.delete(tag);
      return [last];
    }
    return this.#takeUpTo(tag);
  }

  takeAll(): Delivery[] {
    const all = [...this.#deliveries.values()];
    this.#deliveries.clear();
    return all;
  }

  /** Stops at the first later tag, so that the cost depends on the removed deliveries, not on the remaining ones. */
  #takeUpTo(tag: number): Delivery[] {
    const taken: Delivery[] = [];
    for (const delivery of this.#deliveries.values()) {
      if (delivery.tag > tag) break;
      taken.push(delivery);
      this.#deliveries.delete(delivery.tag);
    }
    return taken;
  }
}
