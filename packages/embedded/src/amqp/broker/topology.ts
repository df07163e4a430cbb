import type { Message } from '../messages/message.ts';
import type { Queue } from '../queues/queue.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import { ByteWriter } from '../wire/byte-writer.ts';
import { EMPTY_TABLE, writeTable } from '../wire/field-table.ts';
import { type Binding, boundTo, type Exchange, type ExchangeDefinition } from './exchange.ts';

/**
 * Keeps durable definitions over a restart. A `put` is on disk when it returns, or throws; a removal never throws, and is
 * on disk when it returns unless the disk is full.
 */
export interface TopologyStore {
  putExchange(definition: ExchangeDefinition): void;
  removeExchange(name: string): void;
  putBinding(key: string, binding: Binding): void;
  removeBinding(key: string): void;
  putQueue(queue: Queue): void;
  removeQueue(queue: Queue): void;
}

/** The default exchange: it sends to the queue named by the routing key. */
const DEFAULT: ExchangeDefinition = { name: '', type: 'direct', isDurable: true, args: EMPTY_TABLE };

/** The exchanges, queues and bindings of the one virtual host, `/`. */
export class Topology {
  readonly exchanges = new Map<string, Exchange>();
  readonly queues = new Map<string, Queue>();
  readonly #byQueue = new Map<string, Map<string, Binding>>();
  readonly #store: TopologyStore;

  constructor(store: TopologyStore) {
    this.#store = store;
    this.restoreExchange(DEFAULT);
  }

  /** Returns the queues that a message reaches from its exchange, each once. */
  route({ exchange: name, routingKey }: Message): Queue[] {
    const names = name === '' ? [routingKey] : boundTo(this.exchange(name), routingKey);
    return [...names].map((queue) => this.queues.get(queue)).filter((queue) => queue !== undefined);
  }

  exchange(name: string): Exchange {
    const exchange = this.exchanges.get(name);
    if (!exchange) throw new AmqpError('NOT_FOUND', `no exchange '${name}' in vhost '/'`);
    return exchange;
  }

  queue(name: string): Queue {
    const queue = this.queues.get(name);
    if (!queue) throw new AmqpError('NOT_FOUND', `no queue '${name}' in vhost '/'`);
    return queue;
  }

  addExchange(definition: ExchangeDefinition): void {
    if (definition.isDurable) this.#store.putExchange(definition);
    this.restoreExchange(definition);
  }

  /** Adds an exchange that the store holds. */
  restoreExchange(definition: ExchangeDefinition): void {
    this.exchanges.set(definition.name, { definition, bindings: new Map() });
  }

  /** Removes the exchange with all bindings from it. */
  removeExchange(name: string): void {
    const exchange = this.exchange(name);
    this.exchanges.delete(name);
    for (const binding of exchange.bindings.values()) this.#forget(binding);
    if (exchange.definition.isDurable) this.#store.removeExchange(name);
  }

  addQueue(queue: Queue): void {
    if (isDurableQueue(queue)) this.#store.putQueue(queue);
    this.restoreQueue(queue);
  }

  /** Adds a queue that the store holds. */
  restoreQueue(queue: Queue): void {
    this.queues.set(queue.name, queue);
  }

  /** Removes the queue with all bindings to it; the caller ends the queue itself. */
  removeQueue(queue: Queue): void {
    this.queues.delete(queue.name);
    if (isDurableQueue(queue)) this.#store.removeQueue(queue);
    for (const binding of [...(this.#byQueue.get(queue.name)?.values() ?? [])]) this.#removeBinding(binding);
  }

  /** Adds the binding once; its exchange and its destination must exist. */
  bind(binding: Binding): void {
    const source = this.exchange(binding.source);
    const isDurable = isDurableQueue(this.queue(binding.destination)) && source.definition.isDurable;
    const key = keyOf(binding);
    if (source.bindings.has(key)) return;
    if (isDurable) this.#store.putBinding(key, binding);
    this.restoreBinding(binding);
  }

  /** Adds a binding that the store holds. */
  restoreBinding(binding: Binding): void {
    const source = this.exchange(binding.source);
    const key = keyOf(binding);
    source.bindings.set(key, binding);
    this.#bindingsTo(binding).set(key, binding);
  }

  #removeBinding(binding: Binding): void {
    this.#forget(binding);
    this.exchanges.get(binding.source)?.bindings.delete(keyOf(binding));
  }

  #forget(binding: Binding): void {
    const key = keyOf(binding);
    const bindings = this.#bindingsTo(binding);
    bindings.delete(key);
    if (bindings.size === 0) this.#byQueue.delete(binding.destination);
    this.#store.removeBinding(key);
  }

  #bindingsTo({ destination }: Binding): Map<string, Binding> {
    const bindings = this.#byQueue.get(destination) ?? new Map<string, Binding>();
    this.#byQueue.set(destination, bindings);
    return bindings;
  }
}

/** Returns true if the queue survives a restart: an exclusive one never does. */
function isDurableQueue({ definition }: Queue): boolean {
  return definition.isDurable && !definition.isExclusive;
}

/** Returns the same key for two bindings exactly when they are equal. */
function keyOf({ source, destinationKind, destination, routingKey, args }: Binding): string {
  const writer = new ByteWriter();
  writeTable(writer, new Map([...args].sort(([a], [b]) => (a < b ? -1 : 1))));
  return JSON.stringify([source, destinationKind, destination, routingKey, writer.take().toString('base64')]);
}
