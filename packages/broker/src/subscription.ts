import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from 'amqplib';
import { Delivery } from './delivery.ts';
import { explainFault } from './explain-fault.ts';
import type { Lane } from './lane.ts';
import type { Link } from './link.ts';
import { unavailable } from './unavailable.ts';
import type { Wires } from './wires.ts';

interface SubscriptionDeps {
  readonly wires: Wires;
  /** What the messages come over. */
  readonly link: Link;
  /** The queue or exchange, as the contracts name it. */
  readonly name: string;
  /** How many messages may be under way at once. */
  readonly prefetch: number;
  /** Declares what is consumed on a new channel; returns the queue's name on the broker. */
  readonly declare: (channel: Channel) => Promise<string>;
  /** Handles one message and settles it. */
  readonly onDelivery: (delivery: Delivery) => Promise<void>;
}

/** Consumes one queue, over reconnects, until it is stopped. */
export class Subscription {
  readonly #deps: SubscriptionDeps;
  readonly #lane: Lane<Channel>;
  readonly #deliveries = new Map<Delivery, Promise<void>>();
  #consumer: { channel: Channel; consumerTag: string } | undefined;
  readonly #stopped = Promise.withResolvers<void>();
  #isStopping = false;

  constructor(deps: SubscriptionDeps) {
    this.#deps = deps;
    this.#lane = deps.link.addLane({
      name: `the messages of ${deps.name}`,
      open: (connection) => connection.createChannel(),
      prepare: (channel) => this.#consume(channel),
      onLost: () =>
        this.#abandon('The connection to the broker was lost; the message goes to another worker.'),
    });
  }

  /** Resolves once it is stopped. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  /**
   * Takes no more messages, lets those under way finish within the bound, then aborts the rest, which go back
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
    await this.#deps.link.removeLane(this.#lane);
  }

  async #cancel(): Promise<void> {
    const { channel, consumerTag } = this.#consumer ?? {};
    this.#consumer = undefined;
    if (consumerTag) await channel?.cancel(consumerTag).catch(() => {});
  }

  async #consume(channel: Channel): Promise<void> {
    const queue = await this.#deps.declare(channel);
    await channel.prefetch(this.#deps.prefetch);
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message) this.#take(new Delivery(message, channel));
      // The queue was deleted: a new channel declares it again.
      else void channel.close().catch(() => {});
    });
    this.#consumer = { channel, consumerTag };
  }

  #take(delivery: Delivery): void {
    const { name, onDelivery } = this.#deps;
    const { logger, observe } = this.#deps.wires;
    observe('consumed', name);
    const done = onDelivery(delivery)
      .catch((fault: unknown) => {
        logger.error({ err: fault }, `A message of ${name} goes back to its queue: ${explainFault(fault)}`);
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
