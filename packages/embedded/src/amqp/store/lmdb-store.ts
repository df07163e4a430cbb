import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Database, type DatabaseOptions, type Key, open, type RootDatabase } from 'lmdb';
import { errorMessage } from '../../error-code.ts';
import {
  damagedDataFile,
  inspectLmdbFile,
  MAP_BYTES,
  namingDamage,
  requireWalkable,
  restoreLength,
} from '../../lmdb-file.ts';
import type { BrokerStore, StoredState } from '../broker/broker.ts';
import type { Binding, ExchangeDefinition } from '../broker/exchange.ts';
import type { QueueEntry } from '../messages/message.ts';
import type { Queue } from '../queues/queue.ts';
import type { QueueDefinition } from '../queues/queue-settings.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { ByteWriter } from '../wire/byte-writer.ts';
import { type FieldTable, readTable, writeTable } from '../wire/field-table.ts';
import { decodeEntry, encodeEntry, entryKey, readEntryKey } from './entry-codec.ts';
import { type FlushListener, type PendingWrite, WriteBatch } from './write-batch.ts';

/** A definition; its arguments are the bytes of a field table, so that no type is lost. */
type Frozen<Definition extends { readonly args: FieldTable }> = Omit<Definition, 'args'> & {
  readonly args: Buffer;
};

/**
 * A table that is written inside a batch only: the writes succeed or fail with the batch, so their own promises are
 * hidden.
 */
type BatchedTable<Value, TableKey extends Key> = Omit<Database<Value, TableKey>, 'put' | 'remove'> & {
  put(key: TableKey, value: Value): unknown;
  remove(key: TableKey): unknown;
};

/** Options of an `LmdbStore`. */
export interface LmdbStoreOptions {
  /** A folder of its own, created if missing. */
  readonly path: string;
  /** Called when writes begin to fail; they are kept, unconfirmed, and tried again. */
  readonly onWriteFailure: (error: unknown) => void;
  /** Called when writes succeed again. */
  readonly onWriteRecovery: () => void;
}

/**
 * Data of the broker on disk. Definitions are stored when the call returns. Entries are written by group
 * commit: `afterFlush` calls back when everything put so far is on disk.
 */
export class LmdbStore implements BrokerStore {
  readonly dataFile: string;
  readonly #root: RootDatabase;
  readonly #exchanges: BatchedTable<Frozen<ExchangeDefinition>, string>;
  readonly #queues: BatchedTable<Frozen<QueueDefinition>, number>;
  readonly #bindings: BatchedTable<Frozen<Binding>, string>;
  readonly #entries: BatchedTable<Buffer, Buffer>;
  /** Position up to which a queue has delivered messages. The second part of its keys is always 0. */
  readonly #delivered: BatchedTable<number, number[]>;
  /** Number of returns of an entry. */
  readonly #returned: BatchedTable<number, Buffer>;
  readonly #batch: WriteBatch;
  /** The content of `#delivered` after the next batch, by queue. */
  readonly #deliveredUpTo = new Map<number, number>();

  constructor({ path, onWriteFailure, onWriteRecovery }: LmdbStoreOptions) {
    const dataFile = join(path, 'data.mdb');
    this.dataFile = dataFile;
    prepareDataFile(dataFile);
    // Batches are formed here: lmdb-js's own batches create promises that cannot be caught when a commit fails.
    const options = { path, maxDbs: 6, mapSize: MAP_BYTES, eventTurnBatching: false };
    this.#root = namingDamage(dataFile, () => open(options));
    const table = <Value, TableKey extends Key>(name: string, more: DatabaseOptions = {}) =>
      namingDamage(dataFile, () => this.#root.openDB<Value, TableKey>({ name, ...more }));
    this.#exchanges = table('exchanges');
    this.#queues = table('queues');
    this.#bindings = table('bindings');
    const entries = table<Buffer, Buffer>('entries', { encoding: 'binary', keyEncoding: 'binary' });
    this.#entries = entries;
    this.#delivered = table('delivered');
    this.#returned = table('returned', { keyEncoding: 'binary' });
    this.#batch = new WriteBatch({
      write: (writes) => this.#write(writes),
      onFailure: onWriteFailure,
      onRecovery: onWriteRecovery,
    });
  }

  /** Bytes that wait for the disk. */
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
    this.#putDefinition(this.#exchanges, exchangeKey(definition.name), definition.name, freeze(definition));
  }

  removeExchange(name: string): void {
    this.#removeDefinition(this.#exchanges, exchangeKey(name), name);
  }

  putBinding(key: string, binding: Binding): void {
    const digested = digest(key);
    this.#putDefinition(this.#bindings, bindingKey(digested), digested, freeze(binding));
  }

  removeBinding(key: string): void {
    const digested = digest(key);
    if (this.#bindings.doesExist(digested)) {
      this.#removeDefinition(this.#bindings, bindingKey(digested), digested);
    }
  }

  putQueue({ id, definition }: Queue): void {
    this.#putDefinition(this.#queues, definitionKey(id), id, freeze(definition));
  }

  /** Its entries are deleted with the next batch; those left by a crash are deleted at the next start. */
  removeQueue({ id }: Queue): void {
    this.#removeDefinition(this.#queues, definitionKey(id), id);
    const keys = [...this.#entries.getKeys(keysOf(id))];
    this.#deliveredUpTo.delete(id);
    const perform = () => {
      this.#removeKeys(keys);
      this.#delivered.remove([id, 0]);
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

  markDelivered(queueId: number, { position }: QueueEntry): void {
    const known = this.#deliveredUpTo.get(queueId) ?? this.#delivered.get([queueId, 0]) ?? 0;
    this.#deliveredUpTo.set(queueId, Math.max(known, position));
    if (position <= known) return;
    const perform = () => this.#delivered.put([queueId, 0], position);
    this.#batch.add(`delivered ${queueId}`, { bytes: 0, perform });
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

  /** Writes pending data and closes the files. Returns the number of writes that failed. */
  async close(): Promise<number> {
    const unwrittenCount = await this.#batch.close();
    // After a failed commit lmdb-js waits forever for its flush; the files are closed with the process then.
    if (unwrittenCount === 0) await this.#root.close();
    return unwrittenCount;
  }

  /** Performs all writes in one transaction; it is on disk when `flushed` resolves. */
  async #write(writes: readonly PendingWrite[]): Promise<void> {
    try {
      await this.#root.batch(() => {
        for (const write of writes) write.perform();
      });
    } catch (error) {
      throw await causeOf(error);
    }
    await this.#root.flushed;
  }

  /** Throws RESOURCE_ERROR when the definition cannot be written; it must not be used then. */
  #putDefinition<Value, TableKey extends Key>(
    table: BatchedTable<Value, TableKey>,
    batchKey: string,
    key: TableKey,
    value: Value,
  ): void {
    try {
      table.putSync(key, value);
    } catch (error) {
      throw new AmqpError(
        'RESOURCE_ERROR',
        `the definition could not be written to the disk: ${errorMessage(error)}`,
      );
    }
    // A delayed removal of the same name must not follow this write.
    if (this.#batch.isFailing) this.#batch.add(batchKey, { bytes: 0, perform: () => table.put(key, value) });
  }

  /** A removal never fails, since timers and closing connections call it: the batch repeats it while the disk is full. */
  #removeDefinition<Value, TableKey extends Key>(
    table: BatchedTable<Value, TableKey>,
    batchKey: string,
    key: TableKey,
  ): void {
    try {
      table.removeSync(key);
    } catch {
      this.#batch.add(batchKey, { bytes: 0, perform: () => table.remove(key) });
    }
  }

  #removeKeys(keys: readonly Buffer[]): void {
    for (const key of keys) {
      this.#entries.remove(key);
      this.#returned.remove(key);
    }
  }

  *#entriesOf(queueId: number): Generator<QueueEntry> {
    const deliveredUpTo = this.#delivered.get([queueId, 0]) ?? 0;
    for (const { key, value } of this.#entries.getRange(keysOf(queueId))) {
      const { position } = readEntryKey(key);
      const returnCount = this.#returned.get(key) ?? 0;
      const isRedelivered = returnCount > 0 || position <= deliveredUpTo;
      yield this.#decode(position, value, { isRedelivered, returnCount });
    }
  }

  #decode(...entry: Parameters<typeof decodeEntry>): QueueEntry {
    try {
      return decodeEntry(...entry);
    } catch (error) {
      throw damagedDataFile(this.dataFile, 'a message in it is not readable', { cause: error });
    }
  }

  #sweep(known: ReadonlySet<number>): void {
    const orphans = [...this.#entries.getKeys()].filter((key) => !known.has(readEntryKey(key).queueId));
    if (orphans.length > 0)
      this.#batch.add('orphans', { bytes: 0, perform: () => this.#removeKeys(orphans) });
    const marks = [...this.#delivered.getKeys()].filter(([queueId]) => !known.has(queueId as number));
    const perform = () => {
      for (const key of marks) this.#delivered.remove(key);
    };
    if (marks.length > 0) this.#batch.add('orphaned marks', { bytes: 0, perform });
  }
}

/** Checks the file before LMDB opens it. Returns true when its end is missing, so that its entries have to be counted. */
const TABLES = ['exchanges', 'queues', 'bindings', 'entries', 'delivered', 'returned'] as const;

function prepareDataFile(dataFile: string): void {
  const state = inspectLmdbFile(dataFile);
  if (state === 'unreadable') throw damagedDataFile(dataFile, 'its first pages are not those of a database');
  if (state !== 'cut short') return;
  restoreLength(dataFile);
  requireWalkable(dataFile, TABLES);
}

function exchangeKey(name: string): string {
  return `exchange ${name}`;
}

function bindingKey(digested: string): string {
  return `binding ${digested}`;
}

function definitionKey(queueId: number): string {
  return `definition ${queueId}`;
}

/** Returns the system error behind a failed commit, which lmdb-js provides as a promise. */
async function causeOf(error: unknown): Promise<unknown> {
  if (typeof error !== 'object' || error === null || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}

function returnKey(queueId: number, { position }: QueueEntry): string {
  return `returned ${queueId} ${position}`;
}

function keysOf(queueId: number): { start: Buffer; end: Buffer } {
  return { start: entryKey(queueId, 0), end: entryKey(queueId + 1, 0) };
}

/** Keys of LMDB are short; the key of a binding can be long. */
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
