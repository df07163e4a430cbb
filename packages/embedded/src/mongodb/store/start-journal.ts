import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import type { JournalBuffer } from './journal-buffer.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';

/** Changes since the last checkpoint, on disk. */
export interface Journal {
  /** Resolves when everything in the buffer is on disk; to be called once at a time. */
  flush(): Promise<void>;
  /** Makes a last checkpoint. */
  close(): Promise<void>;
}

interface JournalDeps {
  readonly buffer: JournalBuffer;
  readonly files: JournalFiles;
  readonly checkpoints: Checkpoints;
  /** Called when a checkpoint in the background fails; the journal continues without it. */
  readonly onFlushError: (error: unknown) => void;
  /** Size of a journal file at which a checkpoint replaces it. */
  readonly maxJournalBytes?: number;
}

const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;
/** LMDB reuses no page that changed since the checkpoints that are kept, so its file grows by the writes of this time. */
const CHECKPOINT_INTERVAL_MS = 1000;

/**
 * Begins an empty journal at a checkpoint of the present state, and maintains both: a flush costs one append and one
 * sync of the disk, and checkpoints are made in the background.
 */
export async function startJournal(deps: JournalDeps): Promise<Journal> {
  const { buffer, files, checkpoints, onFlushError, maxJournalBytes = MAX_JOURNAL_BYTES } = deps;
  let file: JournalFile | undefined;
  let checkpointing: Promise<void> | undefined;
  let checkpointedAtMs = 0;
  /** The first file that the older of the two checkpoints needs. */
  let oldestNeeded = 0;

  async function save(checkpoint: Checkpoint, firstJournal: number): Promise<void> {
    await checkpoint.save(firstJournal);
    checkpointedAtMs = performance.now();
    await files.removeBelow(oldestNeeded);
    oldestNeeded = firstJournal;
  }

  async function begin(): Promise<void> {
    const older = file;
    file = undefined;
    await older?.close();
    file = await files.begin();
  }

  /** LMDB holds what the buffer holds, so the checkpoint replaces both journal and buffer. */
  async function checkpointNow(): Promise<void> {
    await checkpointing;
    buffer.clear();
    const checkpoint = checkpoints.begin();
    const firstJournal = files.next();
    await checkpoint.saveTwice(firstJournal);
    checkpointedAtMs = performance.now();
    oldestNeeded = firstJournal;
    await files.removeBelow(firstJournal);
    await begin();
  }

  function isDue({ bytesWritten }: JournalFile): boolean {
    if (checkpointing || bytesWritten === 0) return false;
    return bytesWritten >= maxJournalBytes || performance.now() - checkpointedAtMs >= CHECKPOINT_INTERVAL_MS;
  }

  async function appendTo(journal: JournalFile): Promise<void> {
    const bytes = buffer.take(journal);
    const checkpoint = isDue(journal) ? checkpoints.begin() : undefined;
    try {
      if (bytes.length > 0) await journal.append(bytes);
      if (checkpoint) await begin();
    } catch (error) {
      checkpoint?.drop();
      // A journal with a gap must not be continued: the next flush makes a checkpoint instead.
      file = undefined;
      await journal.close().catch(() => undefined);
      throw error;
    }
    if (checkpoint) checkpointBeside(checkpoint);
  }

  function checkpointBeside(checkpoint: Checkpoint): void {
    checkpointing = save(checkpoint, files.next() - 1)
      .catch(onFlushError)
      .finally(() => {
        checkpointing = undefined;
      });
  }

  await checkpointNow();
  return {
    flush: () => (file ? appendTo(file) : checkpointNow()),
    close: async () => {
      try {
        await checkpointNow();
      } finally {
        await file?.close();
      }
    },
  };
}
