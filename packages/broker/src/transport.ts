import { hostname } from 'node:os';
import {
  type AppError,
  EXCHANGES,
  type JobEvent,
  QUEUES,
  type QueueDefinition,
  toAppError,
} from '@gleaner/contracts';
import { BrokerConnection, type ConnectionRole } from './connection/broker-connection.ts';
import { unavailable } from './connection/broker-errors.ts';
import type { BrokerOptions } from './connection/broker-options.ts';
import { brokerAddress } from './connection/broker-options.ts';
import { QueueCounts } from './connection/queue-counts.ts';
import { consumeWork } from './consuming/consume-work.ts';
import type { Delivery } from './consuming/delivery.ts';
import type { BroadcastHandler, ConsumeOptions, RequestHandler, WorkHandler } from './consuming/incoming.ts';
import { respond } from './consuming/respond.ts';
import { type ConsumingDeps, Subscription } from './consuming/subscription.ts';
import { declareExchange } from './messages/declare-queues.ts';
import type { BroadcastDefinition, RequestDefinition, WorkDefinition } from './messages/definitions.ts';
import { delayQueuesOf } from './messages/delay-queues.ts';
import { decodeJson } from './messages/json-message.ts';
import { broadcast, postponeWork, publishEvents, publishWork } from './publishing/publish-messages.ts';
import { Publisher } from './publishing/publisher.ts';
import { Requester, type RequestOptions } from './publishing/requester.ts';

const HEARTBEAT_SECONDS = 10;
/** Time for the broker to confirm that a connection is closed. */
const CLOSE_TIMEOUT_MS = 2000;

/** Queues of events, declared by publishers too: a consumer may not have started yet. */
const EVENT_QUEUES = Object.values<QueueDefinition>(QUEUES).filter(({ exchange }) => exchange === 'events');

/**
 * Everything that a process does with the broker, by definition rather than by name. It publishes over one
 * connection and consumes over another: a broker short of resources stops reading from publishers, and acknowledgements
 * must reach it all the same (https://www.rabbitmq.com/docs/connections). A reply and the acknowledgement of its
 * request go together, over a third one.
 */
export class Transport {
  readonly #connections: readonly BrokerConnection[];
  readonly #requester: Requester;
  readonly #queueCounts: QueueCounts;
  readonly #subscriptions = new Set<Subscription>();
  readonly #deps: ConsumingDeps;
  readonly #openEventPublisher: () => Publisher;
  /** Opened by the first event: a process that sends none needs no rights to the queues of events. */
  #eventPublisher: Publisher | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: BrokerOptions) {
    const { logger, namePrefix = '', observe = () => {}, observeWait, tracing } = options;
    const address = brokerAddress(options.url, options.heartbeatSeconds ?? HEARTBEAT_SECONDS);
    const nameOnBroker = (name: string) => `${namePrefix}${name}`;
    const openConnection = (role: ConnectionRole) => {
      const connectionName = `${options.name} on ${hostname()}, pid ${process.pid} (${role})`;
      return new BrokerConnection({ address, role, connectionName, logger, observe });
    };
    const publishing = openConnection('publish');
    const publishingDeps = { connection: publishing, nameOnBroker, observe };
    const publisher = new Publisher({ ...publishingDeps, exchanges: Object.values(EXCHANGES), queues: [] });
    this.#openEventPublisher = () =>
      new Publisher({ ...publishingDeps, exchanges: [], queues: EVENT_QUEUES });
    this.#requester = new Requester({ ...publishingDeps, tracing });
    this.#queueCounts = new QueueCounts(publishingDeps);
    const consuming = openConnection('consume');
    const answering = openConnection('answer');
    this.#connections = [consuming, answering, publishing];
    this.#deps = { consuming, answering, publisher, nameOnBroker, logger, observe, observeWait, tracing };
  }

  get isReady(): boolean {
    return this.#connections.every((connection) => connection.isReady);
  }

  async whenReady(timeoutMs: number): Promise<boolean> {
    await Promise.all(this.#connections.map((connection) => connection.whenReady(timeoutMs)));
    return this.isReady;
  }

  request<Body, Reply>(
    definition: RequestDefinition<Body, Reply>,
    body: Body,
    options: RequestOptions,
  ): Promise<Reply> {
    return this.#requester.request(definition, body, options);
  }

  respond<Body, Reply>(
    definition: RequestDefinition<Body, Reply>,
    handler: RequestHandler<Body, Reply>,
    options: ConsumeOptions,
  ): Subscription {
    return this.#keep(respond(this.#deps, definition, handler, options));
  }

  broadcast<Body>(definition: BroadcastDefinition<Body>, body: Body): Promise<void> {
    return broadcast(this.#deps, definition, body);
  }

  onBroadcast<Body>(definition: BroadcastDefinition<Body>, handler: BroadcastHandler<Body>): Subscription {
    return this.#keep(onBroadcast(this.#deps, definition, handler));
  }

  publishWork<Body>(
    definition: WorkDefinition<Body>,
    bodies: readonly Body[],
    signal?: AbortSignal,
  ): Promise<(AppError | undefined)[]> {
    return publishWork(this.#deps, definition, bodies, signal);
  }

  consumeWork<Body>(
    definition: WorkDefinition<Body>,
    handler: WorkHandler<Body>,
    options: ConsumeOptions,
  ): Subscription {
    return this.#keep(consumeWork(this.#deps, definition, handler, options));
  }

  postponeWork<Body>(definition: WorkDefinition<Body>, body: Body, delayMs: number): Promise<void> {
    return postponeWork(this.#deps, definition, body, delayMs);
  }

  publishEvents(events: readonly JobEvent[]): Promise<(AppError | undefined)[]> {
    this.#eventPublisher ??= this.#openEventPublisher();
    return publishEvents({ ...this.#deps, publisher: this.#eventPublisher }, events);
  }

  async consumerCount({ name }: QueueDefinition): Promise<number> {
    return (await this.#queueCounts.of(name)).consumers;
  }

  async messageCount(queue: QueueDefinition): Promise<number> {
    const names = [queue.name, ...delayQueuesOf(queue).map(({ name }) => name)];
    const counts = await Promise.all(names.map((name) => this.#queueCounts.of(name)));
    return counts.reduce((sum, { messages }) => sum + messages, 0);
  }

  close(timeoutMs: number): Promise<void> {
    this.#closed ??= this.#shutDown(timeoutMs);
    return this.#closed;
  }

  async #shutDown(timeoutMs: number): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop(timeoutMs)));
    this.#requester.close(unavailable('The service is shutting down.'));
    await Promise.all(this.#connections.map((connection) => connection.close(CLOSE_TIMEOUT_MS)));
  }

  #keep(subscription: Subscription): Subscription {
    this.#subscriptions.add(subscription);
    const forget = () => this.#subscriptions.delete(subscription);
    // An error of the stop reaches the caller of `stop`.
    subscription.stopped.then(forget, forget);
    return subscription;
  }
}

/** Broadcasts are hints: a listener that is this many messages behind misses the oldest. */
const MAX_WAITING = 10_000;

/** Listens to a broadcast from now on; messages sent while the connection is away are missed. */
function onBroadcast<Body>(
  deps: ConsumingDeps,
  { exchange, checkBody }: BroadcastDefinition<Body>,
  handler: BroadcastHandler<Body>,
): Subscription {
  return new Subscription({
    deps,
    connection: deps.consuming,
    name: exchange.name,
    prefetch: 100,
    declare: async (channel) => {
      const source = await declareExchange(channel, exchange, deps.nameOnBroker);
      const { queue } = await channel.assertQueue('', {
        exclusive: true,
        autoDelete: true,
        durable: false,
        arguments: { 'x-max-length': MAX_WAITING },
      });
      await channel.bindQueue(queue, source, '');
      return queue;
    },
    onDelivery: async (delivery: Delivery) => {
      try {
        await handler(await decodeJson(delivery.message.content, checkBody, `A message of ${exchange.name}`));
      } catch (thrown) {
        const { details } = toAppError(thrown);
        deps.logger.error(
          { err: thrown, details },
          `Dropped a message of ${exchange.name}: its handler failed.`,
        );
      }
      delivery.ack();
    },
  });
}
