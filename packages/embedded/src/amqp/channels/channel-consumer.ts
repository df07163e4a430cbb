import type { QueueEntry } from '../messages/message.ts';
import type { Consumer } from '../queues/consumer-ring.ts';
import type { Queue } from '../queues/queue.ts';
import { EMPTY_TABLE, long } from '../wire/field-table.ts';
import type { Content } from '../wire/frame-writer.ts';
import { encodeProperties } from '../wire/properties.ts';

/** Arguments of a client's basic.consume. */
export interface ConsumerOptions {
  readonly tag: string;
  readonly queue: Queue;
  readonly isNoAck: boolean;
  /** Limit of unacknowledged messages; 0 for none. */
  readonly prefetchLimit: number;
}

/** The channel as its consumers see it. */
export interface ConsumerChannel {
  /** True while the socket keeps up. */
  readonly canSend: boolean;
  deliver(consumer: ChannelConsumer, entry: QueueEntry): void;
  onConsumerGone(consumer: ChannelConsumer): void;
}

/** A subscription of a channel to a queue. */
export class ChannelConsumer implements Consumer {
  readonly tag: string;
  readonly queue: Queue;
  readonly isNoAck: boolean;
  readonly #prefetchLimit: number;
  readonly #channel: ConsumerChannel;
  #unackedCount = 0;

  constructor(channel: ConsumerChannel, options: ConsumerOptions) {
    this.tag = options.tag;
    this.queue = options.queue;
    this.isNoAck = options.isNoAck;
    this.#prefetchLimit = options.prefetchLimit;
    this.#channel = channel;
  }

  canTake(): boolean {
    if (!this.#channel.canSend) return false;
    return this.isNoAck || this.#prefetchLimit === 0 || this.#unackedCount < this.#prefetchLimit;
  }

  deliver(entry: QueueEntry): void {
    if (!this.isNoAck) this.#unackedCount += 1;
    this.#channel.deliver(this, entry);
  }

  onSettled(): void {
    this.#unackedCount -= 1;
  }

  onQueueGone(): void {
    this.#channel.onConsumerGone(this);
  }
}

/** Returns the content as the consumer sees it: quorum queues add how often the message was returned. */
export function presentDelivery({ message, returnCount }: QueueEntry): Content {
  if (returnCount === 0) return message;
  const headers = new Map(message.properties.headers ?? EMPTY_TABLE).set(
    'x-delivery-count',
    long(returnCount),
  );
  return { propertyBytes: encodeProperties({ ...message.properties, headers }), body: message.body };
}
