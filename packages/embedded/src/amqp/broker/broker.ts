import { randomBytes } from 'node:crypto';
import { type DeathReason, deadLetter, isDeathCycle } from '../messages/dead-letter.ts';
import type { MemoryGauge } from '../messages/memory-gauge.ts';
import type { Message, QueueEntry } from '../messages/message.ts';
import { type EntryStore, Queue, type QueueDeps } from '../queues/queue.ts';
import type { QueueDefinition } from '../queues/queue-settings.ts';
import type { Binding, ExchangeDefinition } from './exchange.ts';
import { Topology, type TopologyStore } from './topology.ts';

/** Keeps everything that survives a restart. */
export interface BrokerStore extends EntryStore, TopologyStore {
  /** Reads what an earlier run stored. */
  load(): StoredState;
}

/** State that the store holds at the start. */
export interface StoredState {
  readonly exchanges: readonly ExchangeDefinition[];
  readonly queues: readonly { readonly id: number; readonly definition: QueueDefinition }[];
  readonly bindings: readonly Binding[];
  entriesOf(queueId: number): Iterable<QueueEntry>;
}

/** Outcome of publishing a message. */
export interface PublishOutcome {
  readonly isRouted: boolean;
  /** A full queue refused it. */
  readonly isRejected: boolean;
  /** It was given to the store: it is safe after the store's next flush, not before. */
  readonly isStored: boolean;
}

/** Dependencies of the `Broker`. */
export interface BrokerDeps {
  readonly store: BrokerStore;
  readonly memory: MemoryGauge;
  readonly now: () => number;
}

/** Receives the replies to a direct reply-to address: a channel, without a queue in between. */
export type ReplyReceiver = (message: Message) => void;

/** The pseudo-queue of direct reply-to (https://www.rabbitmq.com/docs/direct-reply-to). */
export const REPLY_TO = 'amq.rabbitmq.reply-to';

/** Routes published messages to queues, and dead-letters the messages that queues drop. */
export class Broker {
  readonly topology: Topology;
  readonly #store: BrokerStore;
  readonly #queueDeps: QueueDeps;
  readonly #receivers = new Map<string, ReplyReceiver>();
  readonly #dead: { queue: Queue; message: Message; reason: DeathReason }[] = [];
  #nextQueueId = 1;
  #isBurying = false;

  constructor({ store, memory, now }: BrokerDeps) {
    this.#store = store;
    this.topology = new Topology(store);
    this.#queueDeps = {
      store,
      memory,
      now,
      onDeath: (queue, message, reason) => this.#bury(queue, message, reason),
      onUnused: (queue) => this.deleteQueue(queue),
    };
    this.#restore();
  }

  /** Routes the message and offers it to every queue that it reaches. */
  publish(message: Message): PublishOutcome {
    const receiver = message.exchange === '' ? this.#receivers.get(message.routingKey) : undefined;
    if (receiver) {
      receiver(message);
      return { isRouted: true, isRejected: false, isStored: false };
    }
    return offer(message, this.topology.route(message));
  }

  createQueue(definition: QueueDefinition, owner: object | undefined): Queue {
    const queue = new Queue(definition, this.#nextQueueId, owner, this.#queueDeps);
    this.#nextQueueId += 1;
    try {
      this.topology.addQueue(queue);
    } catch (error) {
      queue.close();
      throw error;
    }
    return queue;
  }

  /** Deletes a queue; returns the number of messages that were waiting in it. */
  deleteQueue(queue: Queue): number {
    if (this.topology.queues.get(queue.name) !== queue) return 0;
    this.topology.removeQueue(queue);
    return queue.delete();
  }

  /** Deletes the exclusive queues of a closed connection. */
  deleteQueuesOf(owner: object): void {
    for (const queue of [...this.topology.queues.values()])
      if (queue.owner === owner) this.deleteQueue(queue);
  }

  /** Opens a direct reply-to address and returns it. */
  openReplyAddress(receiver: ReplyReceiver): string {
    const address = `${REPLY_TO}.${randomBytes(18).toString('base64url')}`;
    this.#receivers.set(address, receiver);
    return address;
  }

  closeReplyAddress(address: string): void {
    this.#receivers.delete(address);
  }

  /** Stops all timers. */
  close(): void {
    for (const queue of this.topology.queues.values()) queue.close();
  }

  #restore(): void {
    const state = this.#store.load();
    for (const definition of state.exchanges) this.topology.restoreExchange(definition);
    for (const { id, definition } of state.queues) {
      const queue = new Queue(definition, id, undefined, this.#queueDeps);
      this.#nextQueueId = Math.max(this.#nextQueueId, id + 1);
      this.topology.restoreQueue(queue);
    }
    for (const binding of state.bindings) this.topology.restoreBinding(binding);
    for (const queue of this.topology.queues.values()) queue.restore(state.entriesOf(queue.id));
  }

  /** Publishes dead letters one after the other, since each may push others out of the queues it goes to. */
  #bury(queue: Queue, message: Message, reason: DeathReason): void {
    this.#dead.push({ queue, message, reason });
    if (this.#isBurying) return;
    this.#isBurying = true;
    try {
      for (let next = this.#dead.shift(); next; next = this.#dead.shift()) {
        this.#publishDead(next.queue, next.message, next.reason);
      }
    } finally {
      this.#isBurying = false;
    }
  }

  #publishDead({ name, settings }: Queue, message: Message, reason: DeathReason): void {
    const { deadLetterExchange, deadLetterRoutingKey } = settings;
    if (deadLetterExchange === undefined || !this.topology.exchanges.has(deadLetterExchange)) return;
    const atMs = this.#queueDeps.now();
    const dead = deadLetter(message, { queue: name, reason, atMs, deadLetterExchange, deadLetterRoutingKey });
    const queues = this.topology.route(dead);
    const targets = reason === 'rejected' ? queues : queues.filter((to) => !isDeathCycle(dead, to.name));
    offer(dead, targets);
  }
}

function offer(message: Message, queues: readonly Queue[]): PublishOutcome {
  let [isRouted, isRejected, isStored] = [false, false, false];
  for (const queue of queues) {
    const result = queue.enqueue(message);
    isRouted = true;
    isRejected ||= result === 'rejected';
    isStored ||= result === 'stored';
  }
  return { isRouted, isRejected, isStored };
}
