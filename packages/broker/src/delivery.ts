import type { AppError } from '@gleaner/contracts';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Answer } from './answer-request.ts';
import { DELIVERIES_HEADER } from './message-headers.ts';

/**
 * One message in the hands of this process. It is settled once, on the channel that it came by; when that
 * channel is gone the broker gives the message to somebody else, `signal` aborts, and settling does nothing.
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

  /** Aborted when the message is no longer ours. */
  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /**
   * How many times it was handed out, this time included. Quorum queues count; a classic queue only knows
   * `redelivered`, which is added to the count that a request carries along.
   */
  get count(): number {
    const headers = this.message.properties.headers ?? {};
    const counted: unknown = headers['x-delivery-count'];
    if (typeof counted === 'number') return counted + 1;
    const before: unknown = headers[DELIVERIES_HEADER];
    return (typeof before === 'number' ? before : 0) + (this.message.fields.redelivered ? 2 : 1);
  }

  /** Done with. */
  ack(): void {
    this.#settle(() => this.#channel.ack(this.message));
  }

  /**
   * Answers whoever sent it, and is done with: the broker takes the one after the other from the channel. What dies in
   * between leaves two workers with the message; its sender hears the first.
   */
  reply({ content, type }: Answer): void {
    const { replyTo, correlationId } = this.message.properties;
    const properties = { correlationId, contentType: 'application/json', type };
    this.#settle(() => {
      this.#channel.publish('', replyTo, content, properties);
      this.#channel.ack(this.message);
    });
  }

  /** Back to the queue, for whoever takes it next. */
  requeue(): void {
    this.#settle(() => this.#channel.nack(this.message, false, true));
  }

  /** Never again: to the dead letters where its queue has them, else dropped. */
  refuse(): void {
    this.#settle(() => this.#channel.nack(this.message, false, false));
  }

  /** Gives up the message without a word to the broker, which notices when the channel closes. */
  abandon(reason: AppError): void {
    this.#isSettled = true;
    this.#abandoned.abort(reason);
  }

  #settle(tell: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    try {
      tell();
    } catch {
      // The channel closed this very moment: the broker already counts the message as not settled.
    }
  }
}
