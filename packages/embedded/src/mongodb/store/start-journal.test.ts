import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JournalBuffer, readJournal } from './journal-buffer.ts';
import { type JournalFiles, openJournalFiles } from './journal-files.ts';
import { startJournal } from './start-journal.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-journal-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('startJournal', () => {
  it('makes a checkpoint instead of a journal that could not be written, and continues in a new file', async () => {
    const files = await openJournalFiles(folder);
    const disk = { isFull: false };
    const buffer = new JournalBuffer();
    const saved: number[] = [];
    const checkpoints = {
      begin: () => ({
        save: async (firstJournal: number) => void saved.push(firstJournal),
        saveTwice: async (firstJournal: number) => void saved.push(firstJournal),
        drop: () => undefined,
      }),
      close: async () => undefined,
    };
    const onFlushError = (error: unknown) => {
      throw error;
    };
    const journal = await startJournal({ buffer, files: filling(files, disk), checkpoints, onFlushError });
    expect(saved).toEqual([1]);

    write(buffer, 'lost');
    disk.isFull = true;
    await expect(journal.flush()).rejects.toThrow('no space');
    disk.isFull = false;
    write(buffer, 'covered by the checkpoint');
    await journal.flush();
    expect(saved).toEqual([1, 2]);

    write(buffer, 'journalled');
    await journal.flush();
    const keys = (await files.read(2))
      .flatMap((part) => [...readJournal(part)])
      .flat()
      .map(({ key }) => key.toString());
    expect(keys).toEqual(['journalled']);
    await journal.close();
  });
});

function write(buffer: JournalBuffer, key: string): void {
  buffer.begin();
  buffer.add({ table: 0, key: Buffer.from(key), value: undefined });
  buffer.commit();
}

/** The files of a disk that is full now and then. */
function filling(files: JournalFiles, disk: { readonly isFull: boolean }): JournalFiles {
  return {
    ...files,
    begin: async () => {
      const file = await files.begin();
      return {
        mark: file.mark,
        get bytesWritten() {
          return file.bytesWritten;
        },
        append: async (bytes) => {
          if (disk.isFull) throw new Error('no space left');
          await file.append(bytes);
        },
        close: () => file.close(),
      };
    },
  };
}
