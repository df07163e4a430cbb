import type { RootDatabase } from 'lmdb';
import { openCheckpointFile, readMetaPages } from './checkpoint.ts';

/** Whole states of LMDB on disk, of which the last one is kept to return to. */
export interface Checkpoints {
  /** Takes the state of this moment. */
  begin(): Checkpoint;
  close(): Promise<void>;
}

/** A state that was taken: either saved or dropped. */
export interface Checkpoint {
  /** Resolves when the state is on disk and the one to return to, with the journal's files from this number on. */
  save(firstJournal: number): Promise<void>;
  drop(): void;
}

/** Continues the checkpoints of a directory; LMDB's pages of the present state are kept until the next one. */
export async function openCheckpoints(
  directory: string,
  root: RootDatabase,
  bootId: string,
): Promise<Checkpoints> {
  const file = await openCheckpointFile(directory, bootId);
  let held = holdSnapshot(root);
  return {
    begin: () => {
      const metaPages = readMetaPages(directory);
      const taken = holdSnapshot(root);
      return {
        save: async (firstJournal) => {
          try {
            await sync(root);
            await file.save(metaPages, firstJournal);
          } catch (error) {
            taken.done();
            throw error;
          }
          held.done();
          held = taken;
        },
        drop: () => taken.done(),
      };
    },
    close: async () => {
      held.done();
      await file.close();
    },
  };
}

/** A read transaction over the current state: while it is held, LMDB does not reuse the pages of that state. */
function holdSnapshot(root: RootDatabase): { done(): void } {
  root.resetReadTxn();
  return root.useReadTransaction();
}

/** lmdb-js has `sync` on its stores but leaves it out of its types. */
function sync(root: RootDatabase): Promise<void> {
  const { sync: syncStore } = root as unknown as { sync(done: (error?: Error | null) => void): void };
  return new Promise((resolve, reject) => {
    syncStore.call(root, (error) => (error ? reject(error) : resolve()));
  });
}
