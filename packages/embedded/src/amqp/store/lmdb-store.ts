import { createHash } from 'node:crypto';
import { type Database, open, type RootDatabase } from 'lmdb';
import { MAP_BYTES } from '../../map-bytes.ts';
import type { BrokerStore, StoredState } from '../broker/broker.ts';
import type { Binding, ExchangeDefinition } from '../broker/exchange.ts';
import type { QueueEntry } from '../broker/message.ts';
import type { Queue } from '../broker/queue.ts';
import type { QueueDefinition } from '../broker/queue-settings.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { ByteWriter } from '../wire/byte-writer.ts';
import { type FieldTable, readTable, writeTable } from '../wire/field-table.ts';
import { decodeEntry, encodeEntry, entryKey, readEntryKey } from './entry-codec.ts';
import { type FlushListener, type PendingWrite, WriteBatch } from './write-batch.ts';

/** A definition with its arguments as the bytes of a field table, so that no type is lost. */
type Frozen<Definition extends { readonly args: FieldTable }> = Omit<Definition, 'args'> & {
  readonly args: Buffer;
};

/** What a store needs to be told. */
export interface LmdbStoreOptions {
  /** A folder of its own, made if it is not there. */
  readonly path: string;
  /** A write failed: what it held is not on disk, and no confirm has said so. */
  readonly onWriteFailure: (error: unknown) => void;
}

/**
 * The broker's memory on disk. Definitions are there when the call returns. Entries are written by group
 * commit: `afterFlush` tells when what was put so far is safe.
 */
export class LmdbStore implements BrokerStore {
  readonly #root: RootDatabase;
  readonly #exchanges: Database<Frozen<ExchangeDefinition>, string>;
  readonly #queues: Database<Frozen<QueueDefinition>, number>;
  readonly #bindings: Database<Frozen<Binding>, string>;
  readonly #entries: Database<Buffer, Buffer>;
  /** Up to which position a queue has sent out messages of a priority. */
  readonly #delivered: Database<number, number[]>;
  /** How often an entry has come back. */
  readonly #returned: Database<number, Buffer>;
  readonly #batch: WriteBatch;
  /** What `#delivered` holds or will hold, by queue and priority. */
  readonly #deliveredUpTo = new Map<number, Map<number, number>>();

  constructor({ path, onWriteFailure }: LmdbStoreOptions) {
    this.#root = open({ path, maxDbs: 6, mapSize: MAP_BYTES });
    this.#exchanges = this.#root.openDB({ name: 'exchanges' });
    this.#queues = this.#root.openDB({ name: 'queues' });
    this.#bindings = this.#root.openDB({ name: 'bindings' });
    this.#entries = this.#root.openDB({ name: 'entries', encoding: 'binary', keyEncoding: 'binary' });
    this.#delivered = this.#root.openDB({ name: 'delivered' });
    this.#returned = this.#root.openDB({ name: 'returned', keyEncoding: 'binary' });
    this.#batch = new WriteBatch({ write: (writes) => this.#write(writes), onFailure: onWriteFailure });
  }

  /** The bytes that wait for the disk. */
  get backlogBytes(): number {
    return this.#batch.backlogBytes;
  }

  load(): StoredState {
    const queues = [...this.#queues.getRange()].map(({ key, value }) => ({
      id: key,
      definition: thaw(value),
    }));
    this.#sweep(new Set(queues.map(({ id }) => id)));
    return {
      queues,
      exchanges: [...this.#exchanges.getRange()].map(({ value }) => thaw(value)),
      bindings: [...this.#bindings.getRange()].map(({ value }) => thaw(value)),
      entriesOf: (queueId) => this.#entriesOf(queueId),
    };
  }

  putExchange(definition: ExchangeDefinition): void {
    this.#exchanges.putSync(definition.name, freeze(definition));
  }

  removeExchange(name: string): void {
    this.#exchanges.removeSync(name);
  }

  putBinding(key: string, binding: Binding): void {
    this.#bindings.putSync(digest(key), freeze(binding));
  }

  removeBinding(key: string): void {
    const digested = digest(key);
    if (this.#bindings.doesExist(digested)) this.#bindings.removeSync(digested);
  }

  putQueue({ id, definition }: Queue): void {
    this.#queues.putSync(id, freeze(definition));
  }

  /** Its entries go with the next batch; those that a crash leaves behind go at the next start. */
  removeQueue({ id }: Queue): void {
    this.#queues.removeSync(id);
    const keys = [...this.#entries.getKeys(keysOf(id))];
    const priorities = [...(this.#deliveredUpTo.get(id)?.keys() ?? [])];
    this.#deliveredUpTo.delete(id);
    const perform = () => {
      this.#removeKeys(keys);
      for (const priority of priorities) this.#delivered.remove([id, priority]);
    };
    this.#batch.add(`queue ${id}`, { bytes: 0, perform });
  }

  put(queueId: number, entry: QueueEntry): void {
    const key = entryKey(queueId, entry.position);
    const value = encodeEntry(entry);
    this.#batch.add(entry, { bytes: value.length, perform: () => this.#entries.put(key, value) });
  }

  remove(queueId: number, entry: QueueEntry): void {
    this.#batch.undo(returnKey(queueId, entry));
    if (this.#batch.undo(entry)) return;
    const key = entryKey(queueId, entry.position);
    this.#batch.add(entry, { bytes: 0, perform: () => this.#removeKeys([key]) });
  }

  markDelivered(queueId: number, { position, priority }: QueueEntry): void {
    const marks = this.#deliveredUpTo.get(queueId) ?? new Map<number, number>();
    this.#deliveredUpTo.set(queueId, marks);
    const known = marks.get(priority) ?? this.#delivered.get([queueId, priority]) ?? 0;
    marks.set(priority, Math.max(known, position));
    if (position <= known) return;
    const perform = () => this.#delivered.put([queueId, priority], position);
    this.#batch.add(`delivered ${queueId} ${priority}`, { bytes: 0, perform });
  }

  markReturned(queueId: number, entry: QueueEntry): void {
    const { position, returnCount } = entry;
    const perform = () => this.#returned.put(entryKey(queueId, position), returnCount);
    this.#batch.add(returnKey(queueId, entry), { bytes: 0, perform });
  }

  /** Calls back when everything put so far is flushed to the disk. */
  afterFlush(listener: FlushListener): void {
    this.#batch.afterFlush(listener);
  }

  /** Writes what is left and closes the files. */
  async close(): Promise<void> {
    await this.#batch.drain();
    await this.#root.close();
  }

  /** All writes of one turn make one transaction; `flushed` is over when it is on the disk itself. */
  async #write(writes: readonly PendingWrite[]): Promise<void> {
    const committed = this.#root.batch(() => {
      for (const write of writes) write.perform();
    });
    await committed;
    await this.#root.flushed;
  }

  #removeKeys(keys: readonly Buffer[]): void {
    for (const key of keys) {
      this.#entries.remove(key);
      this.#returned.remove(key);
    }
  }

  *#entriesOf(queueId: number): Generator<QueueEntry> {
    for (const { key, value } of this.#entries.getRange(keysOf(queueId))) {
      const { position } = readEntryKey(key);
      const returnCount = this.#returned.get(key) ?? 0;
      yield decodeEntry(position, value, (priority) => ({
        isRedelivered: returnCount > 0 || position <= (this.#delivered.get([queueId, priority]) ?? 0),
        returnCount,
      }));
    }
  }

  #sweep(known: ReadonlySet<number>): void {
    const orphans = [...this.#entries.getKeys()].filter((key) => !known.has(readEntryKey(key).queueId));
    if (orphans.length > 0)
      this.#batch.add('orphans', { bytes: 0, perform: () => this.#removeKeys(orphans) });
    for (const key of this.#delivered.getKeys())
      if (!known.has(key[0] as number)) this.#delivered.removeSync(key);
  }
}

function returnKey(queueId: number, { position }: QueueEntry): string {
  return `returned ${queueId} ${position}`;
}

function keysOf(queueId: number): { start: Buffer; end: Buffer } {
  return { start: entryKey(queueId, 0), end: entryKey(queueId + 1, 0) };
}

/** LMDB's keys are short, a binding's may be long. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function freeze<Definition extends { readonly args: FieldTable }>(
  definition: Definition,
): Frozen<Definition> {
  const writer = new ByteWriter();
  writeTable(writer, definition.args);
  return { ...definition, args: writer.take() };
}

function thaw<Definition extends { readonly args: FieldTable }>(frozen: Frozen<Definition>): Definition {
  return { ...frozen, args: readTable(new ByteReader(frozen.args)) } as unknown as Definition;
}
