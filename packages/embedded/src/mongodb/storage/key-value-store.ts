import { type Database, open, type RootDatabase } from 'lmdb';
import { MAP_BYTES } from '../../map-bytes.ts';
import { readBootId } from './boot-id.ts';
import { PAGE_BYTES, restoreCheckpoint } from './checkpoint.ts';
import { openCheckpoints } from './checkpoints.ts';
import { groupFlushes } from './group-flushes.ts';
import { JournalBuffer, readJournal } from './journal-buffer.ts';
import { type JournalPart, openJournalFiles } from './journal-files.ts';
import { startJournal } from './start-journal.ts';

type Lmdb = Database<Buffer, Buffer>;

/** An ordered table of bytes to bytes. It is changed inside `write` alone, as part of that transaction. */
export interface Table extends Pick<Lmdb, 'get' | 'getRange' | 'getKeys' | 'getKeysCount'> {
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

/** The embedded ordered store: three tables in one LMDB environment, one writer, which is this process. */
export interface KeyValueStore {
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
}

interface StoreOptions {
  /** After how many milliseconds a write is flushed that nobody waits for (MongoDB's journal: 100). */
  readonly flushIntervalMs: number;
  /** Told of a flush or checkpoint that failed with nobody waiting. */
  readonly onFlushError: (error: unknown) => void;
  /** The machine's run; read from the system unless a test says otherwise. */
  readonly bootId?: string;
  /** How large the journal grows before a checkpoint takes its place; 4 MB. */
  readonly maxJournalBytes?: number;
}

/** Abortable, committed on return, not flushed: `TransactionFlags` of lmdb, which are types only there. */
const COMMIT_WITHOUT_FLUSH = 0x1 | 0x2 | 0x10000;
const TABLES = ['catalog', 'records', 'entries'] as const;

/**
 * Opens or creates the store in a directory; after a power cut it is as it was at its last flush: what LMDB held at the
 * last checkpoint, and the journal since.
 */
export async function openKeyValueStore(directory: string, options: StoreOptions): Promise<KeyValueStore> {
  const { flushIntervalMs, onFlushError, bootId = readBootId() } = options;
  const firstJournal = restoreCheckpoint(directory, bootId);
  const root = open({
    path: directory,
    maxDbs: 4,
    keyEncoding: 'binary',
    encoding: 'binary',
    pageSize: PAGE_BYTES,
    mapSize: MAP_BYTES,
    noSync: true,
  });
  const databases = TABLES.map(
    (name): Lmdb => root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' }),
  );
  const checkpoints = await openCheckpoints(directory, root, bootId);
  const files = await openJournalFiles(directory);
  if (firstJournal !== undefined) replay(await files.read(firstJournal), root, databases);
  const buffer = new JournalBuffer();
  const journal = await startJournal({ buffer, files, checkpoints, ...options });
  const flush = groupFlushes(journal.flush);
  let timer: NodeJS.Timeout | undefined;
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
    catalog,
    records,
    entries,
    write: (changes) => {
      flushLater();
      return writeJournalled(root, buffer, changes);
    },
    flush,
    close: async () => {
      clearTimeout(timer);
      await flush();
      await journal.close();
      await checkpoints.close();
      await root.close();
    },
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
      database.put(key, value);
      buffer.add({ table, key, value });
    },
    remove: (key) => {
      database.remove(key);
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

/** Does again what was flushed after the checkpoint that the store was put back to. */
function replay(journal: readonly JournalPart[], root: RootDatabase, databases: readonly Lmdb[]): void {
  for (const changes of journal.flatMap((part) => [...readJournal(part)])) {
    root.transactionSync(() => {
      for (const { table, key, value } of changes) {
        if (value) databases[table]?.put(key, value);
        else databases[table]?.remove(key);
      }
    }, COMMIT_WITHOUT_FLUSH);
  }
}
