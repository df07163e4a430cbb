import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import type { JournalBuffer } from './journal-buffer.ts';
import type { JournalFile, JournalFiles } from './journal-files.ts';

interface JournalDeps {
  readonly buffer: JournalBuffer;
  readonly files: JournalFiles;
  readonly checkpoints: Checkpoints;
  /** Called when a checkpoint in the background fails; the journal continues without it. */
  readonly onFlushError: (error: unknown) => void;
  /** Size of a journal file at which a checkpoint replaces it. */
  readonly maxJournalBytes?: number;
  /** Milliseconds of a monotonic clock; the process's unless a test says otherwise. */
  readonly nowMs?: () => number;
}

const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;
/** LMDB reuses no page that changed since the stored checkpoints, so its file grows by the writes of this time. */
const CHECKPOINT_INTERVAL_MS = 1000;
/** The writes of an idle service are so few that they need no checkpoint a second: each costs three syncs of the disk. */
const FEW_BYTES = 16 * 1024;
const IDLE_CHECKPOINT_INTERVAL_MS = 15_000;

/**
 * Begins an empty journal at a checkpoint of the present state, and maintains both: a flush costs one append and one
 * sync of the disk, and checkpoints are made in the background.
 */
export async function startJournal(deps: JournalDeps): Promise<Journal> {
  const journal = new Journal(deps);
  await journal.begin();
  return journal;
}

/** Changes since the last checkpoint, on disk. */
export class Journal {
  readonly #deps: JournalDeps;
  readonly #nowMs: () => number;
  #file: JournalFile | undefined;
  #checkpointing: Promise<void> | undefined;
  #checkpointedAtMs = 0;
  /** The first file that the older of the two checkpoints needs. */
  #oldestNeeded = 0;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    this.#nowMs = deps.nowMs ?? (() => performance.now());
  }

  /** Resolves when everything in the buffer is on disk; to be called once at a time. */
  async flush(): Promise<void> {
    await (this.#file ? this.#appendTo(this.#file) : this.begin());
  }

  /** Makes a last checkpoint. */
  async close(): Promise<void> {
    try {
      await this.begin();
    } finally {
      await this.#file?.close();
    }
  }

  async #save(checkpoint: Checkpoint, firstJournal: number): Promise<void> {
    await checkpoint.save(firstJournal);
    this.#checkpointedAtMs = this.#nowMs();
    await this.#deps.files.removeBelow(this.#oldestNeeded);
    this.#oldestNeeded = firstJournal;
  }

  async #beginFile(): Promise<void> {
    const older = this.#file;
    this.#file = undefined;
    await older?.close();
    this.#file = await this.#deps.files.begin();
  }

  /** Begins an empty journal at a checkpoint: LMDB holds what the buffer holds, so it replaces both journal and buffer. */
  async begin(): Promise<void> {
    await this.#checkpointing;
    this.#deps.buffer.clear();
    const checkpoint = this.#deps.checkpoints.begin();
    const firstJournal = this.#deps.files.next();
    await checkpoint.saveTwice(firstJournal);
    this.#checkpointedAtMs = this.#nowMs();
    this.#oldestNeeded = firstJournal;
    await this.#deps.files.removeBelow(firstJournal);
    await this.#beginFile();
  }

  #isDue({ bytesWritten }: JournalFile): boolean {
    if (this.#checkpointing || bytesWritten === 0) return false;
    const { maxJournalBytes = MAX_JOURNAL_BYTES } = this.#deps;
    if (bytesWritten >= maxJournalBytes) return true;
    const intervalMs = bytesWritten < FEW_BYTES ? IDLE_CHECKPOINT_INTERVAL_MS : CHECKPOINT_INTERVAL_MS;
    return this.#nowMs() - this.#checkpointedAtMs >= intervalMs;
  }

  async #appendTo(journal: JournalFile): Promise<void> {
    const bytes = this.#deps.buffer.take(journal);
    const checkpoint = this.#isDue(journal) ? this.#deps.checkpoints.begin() : undefined;
    try {
      if (bytes.length > 0) await journal.append(bytes);
      if (checkpoint) await this.#beginFile();
    } catch (error) {
      checkpoint?.drop();
      // A journal with a gap must not be continued: the next flush makes a checkpoint instead.
      this.#file = undefined;
      await journal.close().catch(() => undefined);
      throw error;
    }
    if (checkpoint) this.#checkpointBeside(checkpoint);
  }

  #checkpointBeside(checkpoint: Checkpoint): void {
    this.#checkpointing = this.#save(checkpoint, this.#deps.files.next() - 1)
      .catch(this.#deps.onFlushError)
      .finally(() => {
        this.#checkpointing = undefined;
      });
  }
}
