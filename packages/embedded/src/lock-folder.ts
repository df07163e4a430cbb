import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Name of the lock file in a locked folder. */
export const LOCK_FILE = 'in-use.lock';
/** SQLite's result code for a database that another connection has locked. */
const BUSY = 5;

/** The locks of this process. A database that nothing refers to is closed, and its lock with it. */
const HELD = new Set<DatabaseSync>();

/** A folder that this process alone may use. */
export interface FolderLock {
  release(): void;
}

/** Another process, or another server of this one, uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  readonly folder: string;

  constructor(folder: string) {
    super(
      `The data folder ${folder} is in use by another process, which may run in another container. ` +
        'Stop that process first, or choose another folder.',
    );
    this.folder = folder;
  }
}

/**
 * Locks a folder, creating it when missing; throws a `FolderInUseError` when it is locked. The lock is the operating
 * system's, on a file in the folder: it holds between containers and namespaces that share the volume, and ends with
 * the process, however that ends. Node has no call for such a lock, but its SQLite takes one for a transaction.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, LOCK_FILE));
  try {
    // The transaction writes nothing; with the journal in memory it leaves no second file.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === BUSY)
      throw new FolderInUseError(folder);
    throw new Error(`The data folder ${folder} could not be locked.`, { cause: error });
  }
  HELD.add(database);
  return {
    release() {
      if (HELD.delete(database)) database.close();
    },
  };
}
