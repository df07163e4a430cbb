import type { DeathReason } from '../messages/dead-letter.ts';
import type { MemoryGauge } from '../messages/memory-gauge.ts';
import type { Message, QueueEntry } from '../messages/message.ts';
import { type Consumer, ConsumerRing } from './consumer-ring.ts';
import { PositionDeque } from './position-deque.ts';
import { type QueueDefinition, type QueueSettings, readQueueSettings } from './queue-settings.ts';
import { WakeUp } from './wake-up.ts';

/** Stores the entries of durable queues; calls of one turn become one write. */
export interface EntryStore {
  put(queueId: number, entry: QueueEntry): void;
  remove(queueId: number, entry: QueueEntry): void;
  /** Records the delivery of the entry, so that it is marked redelivered after a restart. */
  markDelivered(queueId: number, entry: QueueEntry): void;
  /** Records how often the entry was returned. */
  markReturned(queueId: number, entry: QueueEntry): void;
}

/** Dependencies of a `Queue`. */
export interface QueueDeps {
  readonly store: EntryStore;
  readonly memory: MemoryGauge;
  readonly now: () => number;
  /** Called with each message that leaves the queue without an acknowledgement. */
  readonly onDeath: (queue: Queue, message: Message, reason: DeathReason) => void;
  /** Called when the queue must be deleted automatically (auto-delete). */
  readonly onUnused: (queue: Queue) => void;
}

/** Outcome of offering a message to a queue. */
export type EnqueueResult = 'kept' | 'stored' | 'rejected';

/** Number of expired messages dropped before other work gets its turn. */
const EXPIRED_PER_TURN = 1000;
const PERSISTENT = 2;

/** One queue: its waiting messages, its consumers, and the rules of its arguments. */
export class Queue {
  readonly definition: QueueDefinition;
  readonly settings: QueueSettings;
  /** Number of the queue in the store. */
  readonly id: number;
  /** The connection that an exclusive queue belongs to. */
  readonly owner: object | undefined;
  readonly #deps: QueueDeps;
  readonly #ready = new PositionDeque();
  readonly #consumers = new ConsumerRing();
  readonly #expiry: WakeUp;
  #nextPosition = 1;
  #isDeleted = false;

  constructor(definition: QueueDefinition, id: number, owner: object | undefined, deps: QueueDeps) {
    this.definition = definition;
    this.settings = readQueueSettings(definition);
    this.id = id;
    this.owner = owner;
    this.#deps = deps;
    this.#expiry = new WakeUp(deps.now, () => this.dispatch());
  }

  get name(): string {
    return this.definition.name;
  }

  get messageCount(): number {
    return this.#ready.length;
  }

  get consumerCount(): number {
    return this.#consumers.size;
  }

  /** Delivers the message to a consumer with capacity, or keeps it; returns `rejected` when full and set to reject. */
  enqueue(message: Message): EnqueueResult {
    const { maxLength = Number.POSITIVE_INFINITY, overflow } = this.settings;
    if (overflow === 'reject-publish' && this.#ready.length >= maxLength) return 'rejected';
    const entry = this.#entryOf(message);
    this.#deps.memory.hold(message);
    if (entry.isStored) this.#deps.store.put(this.id, entry);
    const consumer = this.#ready.length === 0 ? this.#consumers.next() : undefined;
    if (consumer) {
      this.#hand(entry, consumer);
    } else {
      this.#ready.insert(entry);
      this.#settleDown();
    }
    return entry.isStored ? 'stored' : 'kept';
  }

  /** Restores the stored entries, before the queue is used. */
  restore(entries: Iterable<QueueEntry>): void {
    for (const entry of entries) {
      this.#deps.memory.hold(entry.message);
      this.#ready.insert(entry);
      this.#nextPosition = Math.max(this.#nextPosition, entry.position + 1);
    }
    this.#settleDown();
  }

  /** Removes and returns the next message for basic.get; the caller settles or requeues it. */
  get(): QueueEntry | undefined {
    this.#dropExpired();
    const entry = this.#ready.shift();
    this.#dropExpired();
    if (entry?.isStored) this.#deps.store.markDelivered(this.id, entry);
    return entry;
  }

  addConsumer(consumer: Consumer): void {
    this.#consumers.add(consumer);
  }

  /** Cancels a consumer; an auto-delete queue is deleted with its last one. */
  removeConsumer(consumer: Consumer): void {
    if (!this.#consumers.remove(consumer) || this.#isDeleted) return;
    if (this.#consumers.size === 0 && this.definition.isAutoDelete) this.#deps.onUnused(this);
    else this.dispatch();
  }

  /** Delivers messages as long as a consumer has capacity; called whenever capacity becomes free. */
  dispatch(): void {
    while (this.#ready.length > 0) {
      if (this.#dropExpired() === 'more') return;
      if (this.#ready.length === 0) return;
      const consumer = this.#consumers.next();
      if (!consumer) return;
      this.#hand(this.#ready.shift() as QueueEntry, consumer);
    }
  }

  /** Deletes an entry that was acknowledged, or delivered to a consumer without acknowledgements. */
  settle(entry: QueueEntry): void {
    this.#deps.memory.release(entry.message);
    if (entry.isStored && !this.#isDeleted) this.#deps.store.remove(this.id, entry);
  }

  /** Drops or dead-letters an entry that was rejected without requeue. */
  reject(entry: QueueEntry): void {
    if (this.#isDeleted) this.settle(entry);
    else this.#bury(entry, 'rejected');
  }

  /** Returns entries to their places, except entries beyond the delivery limit. */
  requeue(entries: readonly QueueEntry[]): void {
    for (const entry of entries) {
      if (this.#isDeleted) {
        this.settle(entry);
        continue;
      }
      entry.isRedelivered = true;
      if (this.settings.type === 'quorum') entry.returnCount += 1;
      if (this.settings.returnLimit !== undefined && entry.returnCount > this.settings.returnLimit) {
        this.#bury(entry, 'delivery_limit');
        continue;
      }
      if (entry.isStored && entry.returnCount > 0) this.#deps.store.markReturned(this.id, entry);
      this.#ready.insert(entry);
    }
    this.dispatch();
    this.#settleDown();
  }

  /** Deletes all waiting messages; returns their number. */
  purge(): number {
    const count = this.#ready.length;
    for (let entry = this.#ready.shift(); entry; entry = this.#ready.shift()) this.settle(entry);
    this.#expiry.cancel();
    return count;
  }

  /** Deletes the queue with its messages and cancels its consumers; returns the number of waiting messages. */
  delete(): number {
    this.#isDeleted = true;
    const count = this.purge();
    this.close();
    for (const consumer of this.#consumers.clear()) consumer.onQueueGone();
    return count;
  }

  /** Stops the timers; the messages stay. */
  close(): void {
    this.#expiry.cancel();
  }

  #entryOf(message: Message): QueueEntry {
    const { properties } = message;
    const ttls = [this.settings.messageTtlMs, properties.expiration]
      .filter((ttl) => ttl !== undefined)
      .map(Number);
    const isDurable = this.definition.isDurable && !this.definition.isExclusive;
    const position = this.#nextPosition;
    this.#nextPosition += 1;
    return {
      position,
      message,
      expiresAtMs: ttls.length > 0 ? this.#deps.now() + Math.min(...ttls) : undefined,
      isStored: isDurable && (this.settings.type === 'quorum' || properties.deliveryMode === PERSISTENT),
      isRedelivered: false,
      returnCount: 0,
    };
  }

  #hand(entry: QueueEntry, consumer: Consumer): void {
    if (entry.isStored) this.#deps.store.markDelivered(this.id, entry);
    consumer.deliver(entry);
  }

  /** Drops messages that exceed the limits or have expired after one was added, and sets the timer. */
  #settleDown(): void {
    const { maxLength = Number.POSITIVE_INFINITY } = this.settings;
    while (this.#ready.length > maxLength) this.#bury(this.#ready.shift() as QueueEntry, 'maxlen');
    this.#dropExpired();
  }

  #dropExpired(): 'done' | 'more' {
    const nowMs = this.#deps.now();
    for (let count = 0; count < EXPIRED_PER_TURN; count += 1) {
      const entry = this.#ready.first();
      if (entry?.expiresAtMs === undefined || entry.expiresAtMs > nowMs) {
        this.#expiry.at(entry?.expiresAtMs);
        return 'done';
      }
      this.#ready.shift();
      this.#bury(entry, 'expired');
    }
    this.#expiry.at(nowMs);
    return 'more';
  }

  #bury(entry: QueueEntry, reason: DeathReason): void {
    this.settle(entry);
    this.#deps.onDeath(this, entry.message, reason);
  }
}
