import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedFileError } from '../../lmdb-file.ts';

/** LMDB's page size here. Its first two pages name the last transaction. */
export const PAGE_BYTES = 4096;
const META_BYTES = 2 * PAGE_BYTES;
const BOOT_ID_BYTES = 64;
const JOURNAL_AT = 8 + BOOT_ID_BYTES;
const META_AT = JOURNAL_AT + 8;
const SLOT_BYTES = META_AT + META_BYTES + 32;
const DATA_FILE = 'data.mdb';
const CHECKPOINT_FILE = 'checkpoint';

/**
 * The last two states that are known to be whole on disk. LMDB commits without waiting for the disk, so after a power
 * cut its first pages may name a transaction whose pages were never written; they are then put back to the newest
 * checkpoint that is readable. The pages of both states are untouched, because read transactions held over them keep
 * LMDB from using them again.
 */
export interface CheckpointFile {
  /**
   * Saves meta pages, read before a flush that has ended since, as the state to return to. Later changes are
   * in the journal's files from this number on.
   */
  save(metaPages: Buffer, firstJournal: number): Promise<void>;
  close(): Promise<void>;
}

/** One saved state. */
export interface CheckpointSlot {
  readonly sequence: bigint;
  readonly bootId: string;
  readonly firstJournal: number;
  readonly metaPages: Buffer;
}

/** Opens the checkpoint file for writing. Its two slots are written alternately, so that one is whole at any moment. */
export async function openCheckpointFile(directory: string, bootId: string): Promise<CheckpointFile> {
  const path = join(directory, CHECKPOINT_FILE);
  let sequence = readCheckpoint(directory)?.sequence ?? 0n;
  const file: FileHandle = await open(path, existsSync(path) ? 'r+' : 'w+');
  return {
    save: async (metaPages, firstJournal) => {
      sequence++;
      const slot = encodeSlot({ sequence, bootId, firstJournal, metaPages });
      await file.write(slot, 0, SLOT_BYTES, Number(sequence % 2n) * SLOT_BYTES);
      await file.datasync();
    },
    close: () => file.close(),
  };
}

/**
 * Reads the newest checkpoint that is whole; undefined when none was ever saved. Throws a `DamagedFileError` when the
 * file holds something else.
 */
export function readCheckpoint(directory: string): CheckpointSlot | undefined {
  const path = join(directory, CHECKPOINT_FILE);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const slots = [0, SLOT_BYTES]
    .map((at) => decodeSlot(bytes.subarray(at, at + SLOT_BYTES)))
    .filter((slot) => slot !== undefined);
  const [first, second] = slots;
  if (first !== undefined) return second !== undefined && second.sequence > first.sequence ? second : first;
  if (bytes.every((byte) => byte === 0)) return undefined;
  throw new DamagedFileError(
    path,
    'neither of its two checkpoints is readable',
    `Restore the folder ${directory} from a backup. If the machine has not lost power since the database last ran, ` +
      'delete this file instead to use the data as it is.',
  );
}

/** Puts LMDB's file back to a checkpoint, before LMDB opens it. */
export function restoreCheckpoint(directory: string, { metaPages }: CheckpointSlot): void {
  const data = openSync(join(directory, DATA_FILE), 'r+');
  try {
    writeSync(data, metaPages, 0, META_BYTES, 0);
    fsyncSync(data);
  } finally {
    closeSync(data);
  }
}

/** Reads the pages of LMDB's file that name its last transaction. */
export function readMetaPages(directory: string): Buffer {
  const data = openSync(join(directory, DATA_FILE), 'r');
  try {
    const pages = Buffer.alloc(META_BYTES);
    readSync(data, pages, 0, META_BYTES, 0);
    return pages;
  } finally {
    closeSync(data);
  }
}

function encodeSlot({ sequence, bootId, firstJournal, metaPages }: CheckpointSlot): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.writeBigUInt64BE(sequence, 0);
  slot.write(bootId.slice(0, BOOT_ID_BYTES), 8, 'latin1');
  slot.writeBigUInt64BE(BigInt(firstJournal), JOURNAL_AT);
  metaPages.copy(slot, META_AT);
  digest(slot).copy(slot, SLOT_BYTES - 32);
  return slot;
}

/** A slot that was cut off in mid-write does not fit its digest. */
function decodeSlot(slot: Buffer): CheckpointSlot | undefined {
  if (slot.length < SLOT_BYTES || !digest(slot).equals(slot.subarray(SLOT_BYTES - 32))) return undefined;
  return {
    sequence: slot.readBigUInt64BE(0),
    bootId: slot.toString('latin1', 8, 8 + BOOT_ID_BYTES).replaceAll('\0', ''),
    firstJournal: Number(slot.readBigUInt64BE(JOURNAL_AT)),
    metaPages: Buffer.from(slot.subarray(META_AT, META_AT + META_BYTES)),
  };
}

function digest(slot: Buffer): Buffer {
  return createHash('sha256')
    .update(slot.subarray(0, SLOT_BYTES - 32))
    .digest();
}
