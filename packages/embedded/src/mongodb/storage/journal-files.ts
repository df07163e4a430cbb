import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of the journal, open for appending. */
export interface JournalFile {
  readonly bytesWritten: number;
  /** Resolves when the bytes are on disk. */
  append(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** The journal of a directory: numbered files, of which the newest is written. */
export interface JournalFiles {
  /** The number that no file has had yet. */
  next(): number;
  /** What the files from a number on hold, the oldest first. */
  read(from: number): Promise<Buffer>;
  /** Begins the file with the next number, whose name is on disk when this resolves. */
  begin(): Promise<JournalFile>;
  /** Removes the files below a number. */
  removeBelow(number: number): Promise<void>;
}

const NAME = /^journal-(\d+)$/;

/** Finds the journal of a directory. */
export async function openJournalFiles(directory: string): Promise<JournalFiles> {
  const list = async () =>
    (await readdir(directory))
      .map((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN))
      .filter((number) => !Number.isNaN(number))
      .sort((a, b) => a - b);
  const pathOf = (number: number) => join(directory, `journal-${number}`);
  let newest = (await list()).at(-1) ?? 0;
  return {
    next: () => newest + 1,
    read: async (from) => {
      const numbers = (await list()).filter((number) => number >= from);
      return Buffer.concat(await Promise.all(numbers.map((number) => readFile(pathOf(number)))));
    },
    begin: async () => {
      newest++;
      const file = await open(pathOf(newest), 'wx');
      await syncNames(directory);
      return journalFile(file);
    },
    removeBelow: async (bound) => {
      for (const number of await list()) if (number < bound) await rm(pathOf(number), { force: true });
    },
  };
}

function journalFile(file: FileHandle): JournalFile {
  let bytesWritten = 0;
  return {
    get bytesWritten() {
      return bytesWritten;
    },
    append: async (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        at += (await file.write(bytes, at, bytes.length - at, bytesWritten + at)).bytesWritten;
      }
      await file.datasync();
      bytesWritten += bytes.length;
    },
    close: () => file.close(),
  };
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
