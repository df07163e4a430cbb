import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** LMDB's page size here. Its first two pages say which transaction is the last. */
export const PAGE_BYTES = 4096;
const META_BYTES = 2 * PAGE_BYTES;
const BOOT_ID_BYTES = 64;
const JOURNAL_AT = 8 + BOOT_ID_BYTES;
const META_AT = JOURNAL_AT + 8;
const SLOT_BYTES = META_AT + META_BYTES + 32;
const DATA_FILE = 'data.mdb';
const CHECKPOINT_FILE = 'checkpoint';

/**
 * The last state that is known to be whole on disk. LMDB commits without waiting for the disk, so after a power cut its
 * first pages may name a transaction whose pages were never written; they are then put back to the checkpoint's. Its
 * pages are untouched, because a read transaction held over them keeps LMDB from using them again.
 */
export interface CheckpointFile {
  /**
   * Makes meta pages, which were read before a flush that has ended since, the state to return to; what changed
   * afterwards is in the journal's files from this number on.
   */
  save(metaPages: Buffer, firstJournal: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the checkpoint file for writing: two slots in turn, so that one is whole at any moment. */
export async function openCheckpointFile(directory: string, bootId: string): Promise<CheckpointFile> {
  const path = join(directory, CHECKPOINT_FILE);
  let sequence = readNewestSlot(path)?.sequence ?? 0n;
  const file: FileHandle = await open(path, existsSync(path) ? 'r+' : 'w+');
  return {
    save: async (metaPages, firstJournal) => {
      sequence++;
      await file.write(
        encodeSlot({ sequence, bootId, firstJournal, metaPages }),
        0,
        SLOT_BYTES,
        Number(sequence % 2n) * SLOT_BYTES,
      );
      await file.datasync();
    },
    close: () => file.close(),
  };
}

/**
 * Puts the data back to the last checkpoint when the machine has been down since it was made, and gives the number of
 * the first journal file that has to be done again; undefined when LMDB's file is whole. Before LMDB opens.
 */
export function restoreCheckpoint(directory: string, bootId: string): number | undefined {
  const dataPath = join(directory, DATA_FILE);
  const slot = readNewestSlot(join(directory, CHECKPOINT_FILE));
  if (slot === undefined || slot.bootId === bootId || !existsSync(dataPath)) return undefined;
  const data = openSync(dataPath, 'r+');
  try {
    writeSync(data, slot.metaPages, 0, META_BYTES, 0);
    fsyncSync(data);
  } finally {
    closeSync(data);
  }
  return slot.firstJournal;
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

interface Slot {
  readonly sequence: bigint;
  readonly bootId: string;
  readonly firstJournal: number;
  readonly metaPages: Buffer;
}

function encodeSlot({ sequence, bootId, firstJournal, metaPages }: Slot): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.writeBigUInt64BE(sequence, 0);
  slot.write(bootId.slice(0, BOOT_ID_BYTES), 8, 'latin1');
  slot.writeBigUInt64BE(BigInt(firstJournal), JOURNAL_AT);
  metaPages.copy(slot, META_AT);
  digest(slot).copy(slot, SLOT_BYTES - 32);
  return slot;
}

function readNewestSlot(path: string): Slot | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  return [0, SLOT_BYTES]
    .map((at) => decodeSlot(bytes.subarray(at, at + SLOT_BYTES)))
    .filter((slot) => slot !== undefined)
    .reduce<Slot | undefined>((a, b) => (a === undefined || b.sequence > a.sequence ? b : a), undefined);
}

/** A slot that was cut off in mid-write does not fit its digest. */
function decodeSlot(slot: Buffer): Slot | undefined {
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
