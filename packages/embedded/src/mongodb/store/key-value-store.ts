import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { type FreeBytes, isDiskFull } from '../../disk-full.ts';
import { errorMessage } from '../../error-code.ts';
import { checkEntryCount, MAP_BYTES, namingDamage, requireWalkable } from '../../lmdb-file.ts';
import { CommandError, commandError } from '../command-error.ts';
import { PAGE_BYTES } from './checkpoint.ts';
import { openCheckpoints } from './checkpoints.ts';
import { groupFlushes } from './group-flushes.ts';
import { JournalBuffer, type JournalledChange, readJournal } from './journal-buffer.ts';
import { type JournalPart, openJournalFiles } from './journal-files.ts';
import { readBootId, recoverDataFile } from './recover-data-file.ts';
import { startJournal } from './start-journal.ts';

type Lmdb = Database<Buffer, Buffer>;

/** An ordered table of bytes to bytes. It is changed inside `write` alone, as part of that transaction. */
export interface Table extends Pick<Lmdb, 'get' | 'getRange' | 'getKeys' | 'getKeysCount'> {
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

/** The embedded ordered store: three tables in one LMDB environment, one writer, which is this process. */
export interface KeyValueStore {
  /** True if the process or the machine that had it open before ended without closing it. */
  readonly wasCutOff: boolean;
  readonly catalog: Table;
  readonly records: Table;
  readonly entries: Table;
  /**
   * Runs changes as one transaction: all of them are kept or, when it throws, none. On return they survive the death
   * of this process; `flush` makes them survive the machine's.
   */
  write<T>(changes: () => T): T;
  /** Resolves when everything written before the call is on disk; calls in the meantime share one flush. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Closes the files of a store whose content is damaged; the next start checks it again. */
  abandon(): Promise<void>;
}

interface StoreOptions {
  /** Delay of the flush of a write without `j: true` (MongoDB's journal: 100). */
  readonly flushIntervalMs: number;
  /** Called when a flush or checkpoint in the background fails. */
  readonly onFlushError: (error: unknown) => void;
  /** Called when the journal ends in the middle: changes after that place are lost. */
  readonly onJournalCut?: () => void;
  /** The machine's run; read from the system unless a test says otherwise. */
  readonly bootId?: string;
  /** Size of the journal at which a checkpoint replaces it. */
  readonly maxJournalBytes?: number;
  /** The space left on the disk; read from the system unless a test says otherwise. */
  readonly freeBytes?: FreeBytes;
}

/** Abortable, committed on return, not flushed: `TransactionFlags` of lmdb, which are types only there. */
const COMMIT_WITHOUT_FLUSH = 0x1 | 0x2 | 0x10000;
/** File that is there while the store is open. */
const OPEN_FILE = 'open';
const TABLES = ['catalog', 'records', 'entries'] as const;

/**
 * Opens or creates the store in a directory; after a power cut it is as it was at its last flush: what LMDB held at the
 * last checkpoint, and the journal since.
 */
export async function openKeyValueStore(directory: string, options: StoreOptions): Promise<KeyValueStore> {
  const { flushIntervalMs, onFlushError, bootId = readBootId() } = options;
  const dataFile = join(directory, 'data.mdb');
  const { root, databases, firstJournal, wasCutOff } = openDatabases(directory, dataFile, bootId);
  const checkpoints = await openCheckpoints(directory, root, bootId);
  const closeDatabase = async () => {
    await checkpoints.close();
    await root.close();
  };
  const buffer = new JournalBuffer();
  /** Begins an empty journal, once the changes are made again that only the one before has. */
  const openJournal = async () => {
    const files = await openJournalFiles(directory);
    const parts = firstJournal === undefined ? [] : await files.read(firstJournal);
    const isWhole = namingDamage(dataFile, () => replay(parts, root, databases));
    if (!isWhole) options.onJournalCut?.();
    return await startJournal({ buffer, files, checkpoints, ...options });
  };
  const journal = await openJournal().catch(async (error: unknown) => {
    await closeDatabase();
    throw error;
  });
  const refuse = refuseWhenFull(directory, options.freeBytes);
  const flush = groupFlushes(() => journal.flush().catch(refuse));
  let timer: NodeJS.Timeout | undefined;

  const abandon = async () => {
    clearTimeout(timer);
    await journal.close().catch(onFlushError);
    await closeDatabase();
  };
  const flushLater = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush().catch(onFlushError);
    }, flushIntervalMs);
  };
  const [catalog, records, entries] = databases.map((database, table) =>
    journalledTable(database, table, buffer),
  ) as [Table, Table, Table];
  return {
    wasCutOff,
    catalog,
    records,
    entries,
    write: (changes) => {
      flushLater();
      return writeJournalled(root, buffer, { changes, refuse });
    },
    flush,
    close: async () => {
      // LMDB holds every write already, so that a full disk costs the last ones only if the machine goes down too.
      await flush().catch(onFlushError);
      await abandon();
      await rm(join(directory, OPEN_FILE), { force: true });
    },
    abandon,
  };
}

/** Opens or creates the environment and its tables, and counts their entries after a crash. */
function openDatabases(directory: string, dataFile: string, bootId: string) {
  const openFile = join(directory, OPEN_FILE);
  const { firstJournal, needsCounting } = recoverDataFile(directory, bootId);
  if (needsCounting) requireWalkable(dataFile, TABLES);
  const wasCutOff = existsSync(openFile) || firstJournal !== undefined;
  const { root, databases } = namingDamage(dataFile, () => openTables(directory));
  writeFileSync(openFile, '');
  if (needsCounting || wasCutOff) for (const database of databases) checkEntryCount(dataFile, database);
  return { root, databases, firstJournal, wasCutOff };
}

function openTables(directory: string): { readonly root: RootDatabase; readonly databases: readonly Lmdb[] } {
  const root = open({
    path: directory,
    maxDbs: 4,
    keyEncoding: 'binary',
    encoding: 'binary',
    pageSize: PAGE_BYTES,
    mapSize: MAP_BYTES,
    noSync: true,
  });
  return {
    root,
    databases: TABLES.map((name) => root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' })),
  };
}

/** Rethrows an error, as OutOfDiskSpace when the disk is full. */
function refuseWhenFull(directory: string, freeBytes: FreeBytes | undefined): (error: unknown) => never {
  return (error) => {
    // A command's own error may have the number of a system error: PathNotViable is 28, as is ENOSPC.
    if (error instanceof CommandError || !isDiskFull(error, directory, freeBytes)) throw error;
    throw commandError(
      'OutOfDiskSpace',
      `The disk of ${directory} is full (${errorMessage(error)}). Free some space and try again.`,
    );
  };
}

/** A table whose changes go to LMDB and to the journal. */
function journalledTable(database: Lmdb, table: number, buffer: JournalBuffer): Table {
  return {
    get: (...args) => database.get(...args),
    getRange: (...args) => database.getRange(...args),
    getKeys: (...args) => database.getKeys(...args),
    getKeysCount: (...args) => database.getKeysCount(...args),
    put: (key, value) => {
      database.putSync(key, value);
      buffer.add({ table, key, value });
    },
    remove: (key) => {
      database.removeSync(key);
      buffer.add({ table, key, value: undefined });
    },
  };
}

function writeJournalled<T>(
  root: RootDatabase,
  buffer: JournalBuffer,
  { changes, refuse }: { readonly changes: () => T; readonly refuse: (error: unknown) => never },
): T {
  buffer.begin();
  try {
    const result = root.transactionSync(changes, COMMIT_WITHOUT_FLUSH);
    buffer.commit();
    return result;
  } catch (error) {
    buffer.abort();
    return refuse(error);
  }
}

/** Repeats the journaled changes after a restored checkpoint; returns false if the journal has lost some. */
function replay(journal: readonly JournalPart[], root: RootDatabase, databases: readonly Lmdb[]): boolean {
  const transactions: JournalledChange[][] = [];
  const isWhole = journal.map((part) => addTransactions(part, transactions)).every(Boolean);
  for (const changes of transactions) {
    root.transactionSync(() => {
      for (const { table, key, value } of changes) {
        if (value) databases[table]?.putSync(key, value);
        else databases[table]?.removeSync(key);
      }
    }, COMMIT_WITHOUT_FLUSH);
  }
  return isWhole;
}

function addTransactions(part: JournalPart, transactions: JournalledChange[][]): boolean {
  const reading = readJournal(part);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value === 'end';
    transactions.push(value);
  }
}
