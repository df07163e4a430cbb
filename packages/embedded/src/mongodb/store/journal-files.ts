import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** One file of the journal, open for appending. */
export interface JournalFile extends JournalMark {
  readonly bytesWritten: number;
  /** Resolves when the bytes are on disk. */
  append(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Distinguishes the transactions of a file from earlier contents of its disk space. */
export interface JournalMark {
  readonly mark: number;
}

/** Content of a journal file, followed by whatever its disk space held before. */
export interface JournalPart extends JournalMark {
  readonly bytes: Buffer;
}

/** The journal of a directory: numbered files, of which the newest is written. */
export interface JournalFiles {
  /** The number that no file has had yet. */
  next(): number;
  /** Reads the files from a number on, the oldest first. */
  read(from: number): Promise<JournalPart[]>;
  /** Begins the file with the next number, whose name is on disk when this resolves. */
  begin(): Promise<JournalFile>;
  /** Removes the files below a number, but keeps the space of one for the next file. */
  removeBelow(number: number): Promise<void>;
}

const NAME = /^journal-(\d+)$/;
/** Each file begins with a random number. */
const SALT_BYTES = 4;
/** Overwriting what is on disk takes half of the time of making a file longer. */
const RESERVED_BYTES = 1024 * 1024;
/** Least bytes of a file without its salt. */
export const PART_BYTES = RESERVED_BYTES - SALT_BYTES;
/** A write that ends on disk saves the call for it. macOS would leave it in the cache of the disk. */
const WRITES_TO_DISK = process.platform === 'linux';
const APPENDING = constants.O_RDWR | (WRITES_TO_DISK ? constants.O_DSYNC : 0);

/** Finds the journal of a directory. */
export async function openJournalFiles(directory: string): Promise<JournalFiles> {
  const list = async () =>
    (await readdir(directory))
      .map((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN))
      .filter((number) => !Number.isNaN(number))
      .sort((a, b) => a - b);
  const pathOf = (number: number) => join(directory, `journal-${number}`);
  let newest = (await list()).at(-1) ?? 0;
  /** A file that is no longer needed. */
  let spare: number | undefined;

  /** A file whose space is on disk already. */
  async function reserve(path: string): Promise<FileHandle> {
    const used = spare;
    // Where the renaming fails, the next file gets space of its own.
    spare = undefined;
    if (used === undefined) await makeSpace(path);
    else await rename(pathOf(used), path);
    return await open(path, APPENDING);
  }

  return {
    next: () => newest + 1,
    read: async (from) => {
      const numbers = (await list()).filter((number) => number >= from);
      return await Promise.all(numbers.map(async (number) => partOf(await readFile(pathOf(number)), number)));
    },
    begin: async () => {
      newest++;
      const file = await reserve(pathOf(newest));
      const salt = randomBytes(SALT_BYTES);
      await file.write(salt, 0, SALT_BYTES, 0);
      await syncNames(directory);
      return journalFile(file, markOf(salt, newest));
    },
    removeBelow: async (bound) => {
      const unwanted = (await list()).filter((number) => number < bound && number !== spare);
      spare ??= unwanted.pop();
      for (const number of unwanted) await rm(pathOf(number), { force: true });
    },
  };
}

function partOf(bytes: Buffer, number: number): JournalPart {
  return { bytes: bytes.subarray(SALT_BYTES), mark: markOf(bytes.subarray(0, SALT_BYTES), number) };
}

/** With the number in it, a file that kept its last salt in a power cut does not count as the one that it was before. */
function markOf(salt: Buffer, number: number): number {
  return crc32(`${salt.toString('hex')} ${number}`);
}

function journalFile(file: FileHandle, mark: number): JournalFile {
  let bytesWritten = 0;
  return {
    mark,
    get bytesWritten() {
      return bytesWritten;
    },
    append: async (bytes) => {
      const start = SALT_BYTES + bytesWritten;
      for (let at = 0; at < bytes.length; ) {
        at += (await file.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
      }
      if (!WRITES_TO_DISK) await file.datasync();
      bytesWritten += bytes.length;
    },
    close: () => file.close(),
  };
}

async function makeSpace(path: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(Buffer.alloc(RESERVED_BYTES));
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A new file survives a power cut only when its directory has been written too. */
async function syncNames(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
