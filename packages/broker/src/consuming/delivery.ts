import type { AppError } from '@gleaner/contracts';
import type { Channel, ConsumeMessage } from 'amqplib';
import { DELIVERIES_HEADER, type FAILURE_TYPE } from '../messages/json-message.ts';

/** Reply to a request, as it is sent. */
export interface EncodedReply {
  readonly content: Buffer;
  /** `reply` for a result, or the type of a Failure. */
  readonly type: 'reply' | typeof FAILURE_TYPE;
}

/**
 * One message that was delivered to this process. It is settled once, on the channel that it came by; when that channel
 * is lost the broker delivers the message to another consumer, `signal` aborts, and settling does nothing.
 */
export class Delivery {
  readonly message: ConsumeMessage;
  readonly #channel: Channel;
  readonly #abandoned = new AbortController();
  #isSettled = false;

  constructor(message: ConsumeMessage, channel: Channel) {
    this.message = message;
    this.#channel = channel;
  }

  /** Aborted when the message no longer belongs to this process. */
  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /**
   * Number of times that the message was delivered, this time included. Quorum queues count; a classic queue only sets
   * `redelivered`, which is added to the count that a request carries in its headers.
   */
  get count(): number {
    const headers = this.message.properties.headers ?? {};
    const counted: unknown = headers['x-delivery-count'];
    if (typeof counted === 'number') return counted + 1;
    const before: unknown = headers[DELIVERIES_HEADER];
    return (typeof before === 'number' ? before : 0) + (this.message.fields.redelivered ? 2 : 1);
  }

  /** Acknowledges the message. */
  ack(): void {
    this.#settle(() => this.#channel.ack(this.message));
  }

  /**
   * Sends the reply and acknowledges the request: the broker takes both from one channel, in this order. A process that
   * dies in between leaves the request to a second worker; the requester accepts the first reply.
   */
  reply({ content, type }: EncodedReply): void {
    const { replyTo, correlationId } = this.message.properties;
    const properties = { correlationId, contentType: 'application/json', type };
    this.#settle(() => {
      this.#channel.publish('', replyTo, content, properties);
      this.#channel.ack(this.message);
    });
  }

  /** Returns the message to its queue, for the next consumer. */
  requeue(): void {
    this.#settle(() => this.#channel.nack(this.message, false, true));
  }

  /** Moves the message to the dead letters where its queue has them, or drops it. */
  reject(): void {
    this.#settle(() => this.#channel.nack(this.message, false, false));
  }

  /** Gives up the message without telling the broker, which delivers it again when the channel closes. */
  abandon(reason: AppError): void {
    this.#isSettled = true;
    this.#abandoned.abort(reason);
  }

  #settle(send: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    try {
      send();
    } catch {
      // The channel has just closed: the broker already counts the message as not settled.
    }
  }
}
