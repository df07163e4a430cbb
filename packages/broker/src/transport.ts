import { hostname } from 'node:os';
import { type AppError, EXCHANGES, type JobEvent, QUEUES, type QueueDefinition } from '@gleaner/contracts';
import { broadcast, onBroadcast } from './broadcast.ts';
import { brokerAddress } from './broker-address.ts';
import type { BrokerOptions } from './broker-options.ts';
import type { BroadcastDefinition, RequestDefinition, WorkDefinition } from './definitions.ts';
import { publishEvents } from './events.ts';
import type { BroadcastHandler, ConsumeOptions, RequestHandler, WorkHandler } from './incoming.ts';
import { Link, type LinkRole } from './link.ts';
import { postponeWork, waitingRoomsOf } from './postpone.ts';
import { Publisher } from './publisher.ts';
import { QueueCounts } from './queue-counts.ts';
import { Requester, type RequestOptions } from './requester.ts';
import { respond } from './respond.ts';
import type { Subscription } from './subscription.ts';
import { unavailable } from './unavailable.ts';
import type { Wires } from './wires.ts';
import { consumeWork, publishWork } from './work.ts';

const HEARTBEAT_SECONDS = 10;
/** How long the broker may take to say goodbye. */
const GOODBYE_MS = 2000;

/** Events must find the queues that want them, whether or not their services have come up yet. */
const DECLARED = {
  exchanges: Object.values(EXCHANGES),
  queues: Object.values<QueueDefinition>(QUEUES).filter(({ exchange }) => exchange === 'events'),
};

/**
 * Everything that a process does with the broker, by definition rather than by name. It publishes over one
 * connection and consumes over another: a broker in need stops reading from publishers, and acknowledgements
 * must reach it all the same (https://www.rabbitmq.com/docs/connections). A reply and the acknowledgement of its
 * request go together, over a third one.
 */
export class Transport {
  readonly #links: readonly Link[];
  readonly #requester: Requester;
  readonly #queueCounts: QueueCounts;
  readonly #subscriptions = new Set<Subscription>();
  readonly #wires: Wires;
  #closed: Promise<void> | undefined;

  constructor(options: BrokerOptions) {
    const { logger, namePrefix = '', observe = () => {} } = options;
    const address = brokerAddress(options.url, options.heartbeatSeconds ?? HEARTBEAT_SECONDS);
    const nameOnBroker = (name: string) => `${namePrefix}${name}`;
    const openLink = (role: LinkRole) => {
      const connectionName = `${options.name} on ${hostname()}, pid ${process.pid} (${role})`;
      return new Link({ address, role, connectionName, logger, observe });
    };
    const publishing = openLink('publish');
    const publishDeps = { link: publishing, nameOnBroker, observe };
    const publisher = new Publisher({ ...publishDeps, ...DECLARED });
    this.#requester = new Requester(publishDeps);
    this.#queueCounts = new QueueCounts(publishDeps);
    const consuming = openLink('consume');
    const answering = openLink('answer');
    this.#links = [consuming, answering, publishing];
    this.#wires = { consuming, answering, publisher, nameOnBroker, logger, observe };
  }

  get isReady(): boolean {
    return this.#links.every((link) => link.isReady);
  }

  async whenReady(timeoutMs: number): Promise<boolean> {
    await Promise.all(this.#links.map((link) => link.whenReady(timeoutMs)));
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
    return this.#keep(respond(this.#wires, definition, handler, options));
  }

  broadcast<Body>(definition: BroadcastDefinition<Body>, body: Body): Promise<void> {
    return broadcast(this.#wires, definition, body);
  }

  onBroadcast<Body>(definition: BroadcastDefinition<Body>, handler: BroadcastHandler<Body>): Subscription {
    return this.#keep(onBroadcast(this.#wires, definition, handler));
  }

  publishWork<Body>(
    definition: WorkDefinition<Body>,
    bodies: readonly Body[],
    signal?: AbortSignal,
  ): Promise<(AppError | undefined)[]> {
    return publishWork(this.#wires, definition, bodies, signal);
  }

  consumeWork<Body>(
    definition: WorkDefinition<Body>,
    handler: WorkHandler<Body>,
    options: ConsumeOptions,
  ): Subscription {
    return this.#keep(consumeWork(this.#wires, definition, handler, options));
  }

  postponeWork<Body>(definition: WorkDefinition<Body>, body: Body, delayMs: number): Promise<void> {
    return postponeWork(this.#wires, definition, body, delayMs);
  }

  publishEvents(events: readonly JobEvent[]): Promise<(AppError | undefined)[]> {
    return publishEvents(this.#wires, events);
  }

  async consumerCount({ name }: QueueDefinition): Promise<number> {
    return (await this.#queueCounts.of(name)).consumers;
  }

  async messageCount(queue: QueueDefinition): Promise<number> {
    const names = [queue.name, ...waitingRoomsOf(queue).map(({ name }) => name)];
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
    await Promise.all(this.#links.map((link) => link.close(GOODBYE_MS)));
  }

  #keep(subscription: Subscription): Subscription {
    this.#subscriptions.add(subscription);
    void subscription.stopped.then(() => this.#subscriptions.delete(subscription));
    return subscription;
  }
}
