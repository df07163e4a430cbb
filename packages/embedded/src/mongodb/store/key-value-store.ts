import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { type FreeBytes, isDiskFull } from '../../disk-full.ts';
import { errorMessage } from '../../error-code.ts';
import { checkEntryCount, MAP_BYTES, namingDamage } from '../../lmdb-file.ts';
import { CommandError, commandError } from '../command-error.ts';
import { PAGE_BYTES } from './checkpoint.ts';
import { openCheckpoints } from './checkpoints.ts';
import { groupFlushes } from './group-flushes.ts';
import { JournalBuffer, readJournal } from './journal-buffer.ts';
import { type JournalPart, openJournalFiles } from './journal-files.ts';
import { readBootId, recoverDataFile } from './recover-data-file.ts';
import { type Journal, startJournal } from './start-journal.ts';

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
  const openFile = join(directory, OPEN_FILE);
  const { firstJournal, needsCounting } = recoverDataFile(directory, bootId);
  const wasCutOff = existsSync(openFile) || firstJournal !== undefined;
  const root = namingDamage(dataFile, () =>
    open({
      path: directory,
      maxDbs: 4,
      keyEncoding: 'binary',
      encoding: 'binary',
      pageSize: PAGE_BYTES,
      mapSize: MAP_BYTES,
      noSync: true,
    }),
  );
  const databases = namingDamage(dataFile, () =>
    TABLES.map((name): Lmdb => root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' })),
  );
  writeFileSync(openFile, '');
  if (needsCounting || wasCutOff) for (const database of databases) checkEntryCount(dataFile, database);
  const checkpoints = await openCheckpoints(directory, root, bootId);
  const closeDatabase = async () => {
    await checkpoints.close();
    await root.close();
  };
  const buffer = new JournalBuffer();
  const journal = await openJournal().catch(async (error: unknown) => {
    await closeDatabase();
    throw error;
  });
  const refuse = refuseWhenFull(directory, options.freeBytes);
  const flush = groupFlushes(() => journal.flush().catch(refuse));
  let timer: NodeJS.Timeout | undefined;

  /** Makes the changes again that only the journal has, and begins an empty one. */
  async function openJournal(): Promise<Journal> {
    const files = await openJournalFiles(directory);
    if (firstJournal !== undefined) {
      const parts = await files.read(firstJournal);
      namingDamage(dataFile, () => replay(parts, root, databases));
    }
    return await startJournal({ buffer, files, checkpoints, ...options });
  }

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
      try {
        return writeJournalled(root, buffer, changes);
      } catch (error) {
        return refuse(error);
      }
    },
    flush,
    close: async () => {
      // LMDB holds every write already, so that a full disk costs the last ones only if the machine goes down too.
      await flush().catch(onFlushError);
      await abandon();
      await rm(openFile, { force: true });
    },
    abandon,
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

function writeJournalled<T>(root: RootDatabase, buffer: JournalBuffer, changes: () => T): T {
  buffer.begin();
  try {
    const result = root.transactionSync(changes, COMMIT_WITHOUT_FLUSH);
    buffer.commit();
    return result;
  } catch (error) {
    buffer.abort();
    throw error;
  }
}

/** Repeats the changes that were flushed after the checkpoint that the store was put back to. */
function replay(journal: readonly JournalPart[], root: RootDatabase, databases: readonly Lmdb[]): void {
  for (const changes of journal.flatMap((part) => [...readJournal(part)])) {
    root.transactionSync(() => {
      for (const { table, key, value } of changes) {
        if (value) databases[table]?.putSync(key, value);
        else databases[table]?.removeSync(key);
      }
    }, COMMIT_WITHOUT_FLUSH);
  }
}
