import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from 'amqplib';
import type { BrokerChannel } from '../connection/broker-channel.ts';
import type { BrokerConnection } from '../connection/broker-connection.ts';
import { explainError, unavailable } from '../connection/broker-errors.ts';
import type { BrokerLogger, BrokerOptions, MessageTracing, Observe } from '../connection/broker-options.ts';
import type { PublishingDeps } from '../publishing/publish-messages.ts';
import { Delivery } from './delivery.ts';

/** Collaborators of every consumer. */
export interface ConsumingDeps extends PublishingDeps {
  /** Connection over which everything but requests is consumed. */
  readonly consuming: BrokerConnection;
  /** Connection over which requests are consumed and their replies are sent. */
  readonly answering: BrokerConnection;
  readonly logger: BrokerLogger;
  readonly observe: Observe;
  readonly observeWait: BrokerOptions['observeWait'];
  readonly tracing: MessageTracing | undefined;
}

interface SubscriptionOptions {
  readonly deps: Pick<ConsumingDeps, 'logger' | 'observe' | 'observeWait'>;
  readonly connection: BrokerConnection;
  /** The queue or exchange, as the contracts name it. */
  readonly name: string;
  /** Largest number of messages that are worked on at once. */
  readonly prefetch: number;
  /** Declares on a new channel what is consumed; returns the queue's name on the broker. */
  readonly declare: (channel: Channel) => Promise<string>;
  /** Handles one message and settles it. */
  readonly onDelivery: (delivery: Delivery) => Promise<void>;
}

/** Consumes one queue, over reconnects, until it is stopped. */
export class Subscription {
  readonly #options: SubscriptionOptions;
  readonly #channel: BrokerChannel<Channel>;
  readonly #deliveries = new Map<Delivery, Promise<void>>();
  #consumer: { channel: Channel; consumerTag: string } | undefined;
  readonly #stopped = Promise.withResolvers<void>();
  #isStopping = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#channel = options.connection.addChannel({
      name: `the messages of ${options.name}`,
      open: (connection) => connection.createChannel(),
      prepare: (channel) => this.#consume(channel),
      onLost: () =>
        this.#abandon('The connection to the broker was lost; the message goes to another worker.'),
    });
  }

  /** Resolves once the subscription is stopped. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  /**
   * Stops taking messages, lets running handlers finish within the timeout, then aborts the rest, whose messages go back
   * to the queue.
   */
  stop(timeoutMs: number): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      this.#drain(timeoutMs).then(this.#stopped.resolve, this.#stopped.reject);
    }
    return this.#stopped.promise;
  }

  async #drain(timeoutMs: number): Promise<void> {
    const timeout = new AbortController();
    const settled = this.#cancel().then(() => Promise.all(this.#deliveries.values()));
    await Promise.race([settled, sleep(timeoutMs, undefined, { signal: timeout.signal })]);
    timeout.abort();
    this.#abandon('The worker is shutting down; the message goes to another one.');
    await this.#options.connection.removeChannel(this.#channel);
  }

  async #cancel(): Promise<void> {
    const { channel, consumerTag } = this.#consumer ?? {};
    this.#consumer = undefined;
    if (consumerTag) await channel?.cancel(consumerTag).catch(() => {});
  }

  async #consume(channel: Channel): Promise<void> {
    const queue = await this.#options.declare(channel);
    await channel.prefetch(this.#options.prefetch);
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message) this.#handle(new Delivery(message, channel));
      // The queue was deleted: a new channel declares it again. This one may have closed already.
      else channel.close().catch(() => {});
    });
    this.#consumer = { channel, consumerTag };
  }

  #handle(delivery: Delivery): void {
    const { name, onDelivery } = this.#options;
    const { logger, observe, observeWait } = this.#options.deps;
    observe('consumed', name);
    const waited = secondsSince(delivery.message.properties.timestamp);
    if (waited !== undefined) observeWait?.(name, waited);
    const done = onDelivery(delivery)
      .catch((error: unknown) => {
        logger.error({ err: error }, `A message of ${name} goes back to its queue: ${explainError(error)}`);
        delivery.requeue();
      })
      .finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.set(delivery, done);
  }

  #abandon(message: string): void {
    this.#consumer = undefined;
    for (const delivery of this.#deliveries.keys()) delivery.abandon(unavailable(message));
  }
}

/** Returns the age of a message; undefined without its time, as after a delay that was asked for. */
function secondsSince(timestamp: unknown): number | undefined {
  return typeof timestamp === 'number' ? Math.max(0, Date.now() / 1000 - timestamp) : undefined;
}
