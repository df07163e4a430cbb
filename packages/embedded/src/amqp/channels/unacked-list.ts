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
}

/** The unacknowledged deliveries of a channel in the order of their tags. */
export class UnackedList {
  readonly #deliveries = new Map<number, Delivery>();

  add(delivery: Delivery): void {
    this.#deliveries.set(delivery.tag, delivery);
  }

  /** Removes the delivery of a tag. */
  take(tag: number): Delivery {
    const delivery = this.#deliveries.get(tag);
    if (!delivery) throw new AmqpError('PRECONDITION_FAILED', `unknown delivery tag ${tag}`);
    this.#deliveries.delete(tag);
    return delivery;
  }

  takeAll(): Delivery[] {
    const all = [...this.#deliveries.values()];
    this.#deliveries.clear();
    return all;
  }
}
