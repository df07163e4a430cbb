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
    const { saved, ...deps } = recording();
    const journal = await startJournal({ buffer, files: filling(files, disk), ...deps });
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

  it.each([
    { written: 'few bytes', bytes: 100, intervalMs: 15_000 },
    { written: 'more', bytes: 20_000, intervalMs: 1000 },
    { written: 'as much as a journal may have', bytes: 100_000, intervalMs: 0 },
  ])(
    'makes a checkpoint after $intervalMs ms in which $written were written',
    async ({ bytes, intervalMs }) => {
      const { saved, ...deps } = recording();
      let nowMs = 0;
      const settings = {
        files: await openJournalFiles(folder),
        maxJournalBytes: 100_000,
        nowMs: () => nowMs,
      };
      const buffer = new JournalBuffer();
      const journal = await startJournal({ buffer, ...settings, ...deps });
      write(buffer, 'x'.repeat(bytes));
      await journal.flush();
      const flushAt = async (atMs: number) => {
        nowMs = atMs;
        write(buffer, 'y');
        await journal.flush();
        return saved.length;
      };
      if (intervalMs > 0) expect(await flushAt(intervalMs - 1)).toBe(1);
      expect(await flushAt(intervalMs)).toBe(2);
      await journal.close();
    },
  );
});

/** Checkpoints of nothing, with the numbers of the journal files that they were saved with. */
function recording() {
  const saved: number[] = [];
  const save = async (firstJournal: number) => void saved.push(firstJournal);
  const checkpoint = { save, saveTwice: save, drop: () => undefined };
  const onFlushError = (error: unknown) => {
    throw error;
  };
  return { saved, checkpoints: { begin: () => checkpoint, close: async () => undefined }, onFlushError };
}

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
