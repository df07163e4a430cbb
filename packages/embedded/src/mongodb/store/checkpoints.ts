import type { RootDatabase } from 'lmdb';
import { openCheckpointFile, readMetaPages } from './checkpoint.ts';

/** Whole states of LMDB on disk, of which the last two are kept to return to. */
export interface Checkpoints {
  /** Captures the current state. */
  begin(): Checkpoint;
  close(): Promise<void>;
}

/** A captured state, which is either saved or dropped. */
export interface Checkpoint {
  /** Resolves when the state is on disk and the one to return to, with the journal's files from this number on. */
  save(firstJournal: number): Promise<void>;
  /** Saves the state over both stored checkpoints, for a journal with a gap before this state. */
  saveTwice(firstJournal: number): Promise<void>;
  drop(): void;
}

/** Continues the checkpoints of a directory; LMDB's pages of the last two states are kept. */
export async function openCheckpoints(
  directory: string,
  root: RootDatabase,
  bootId: string,
): Promise<Checkpoints> {
  const file = await openCheckpointFile(directory, bootId);
  let held = [holdSnapshot(root)];

  function keep(snapshots: Snapshot[]): void {
    for (const snapshot of held) if (!snapshots.includes(snapshot)) snapshot.done();
    held = snapshots;
  }

  return {
    begin: () => {
      const metaPages = readMetaPages(directory);
      const taken = holdSnapshot(root);
      const save = async (firstJournal: number) => {
        try {
          await sync(root);
          await file.save(metaPages, firstJournal);
        } catch (error) {
          taken.done();
          throw error;
        }
        keep([...held.slice(-1), taken]);
      };
      return {
        save,
        saveTwice: async (firstJournal) => {
          await save(firstJournal);
          await file.save(metaPages, firstJournal);
          keep([taken]);
        },
        drop: () => taken.done(),
      };
    },
    close: async () => {
      keep([]);
      await file.close();
    },
  };
}

interface Snapshot {
  done(): void;
}

/** Holds a read transaction over the current state; LMDB does not reuse the pages of that state until it is done. */
function holdSnapshot(root: RootDatabase): Snapshot {
  root.resetReadTxn();
  const transaction = root.useReadTransaction();
  // Two snapshots without a write between them share a transaction, which counts its users.
  return { done: () => transaction.done() };
}

/** Flushes LMDB's file. lmdb-js has `sync` on its stores but leaves it out of its types. */
function sync(root: RootDatabase): Promise<void> {
  const { sync: syncStore } = root as unknown as { sync(done: (error?: Error | null) => void): void };
  return new Promise((resolve, reject) => {
    syncStore.call(root, (error) => (error ? reject(error) : resolve()));
  });
}
