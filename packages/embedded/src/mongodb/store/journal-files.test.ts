import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JournalBuffer, readJournal } from './journal-buffer.ts';
import { type JournalFile, type JournalFiles, openJournalFiles } from './journal-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-journal-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function append(file: JournalFile, ...keys: string[]): Promise<void> {
  const buffer = new JournalBuffer();
  for (const key of keys) {
    buffer.begin();
    buffer.add({ table: 0, key: Buffer.from(key), value: undefined });
    buffer.commit();
  }
  await file.append(buffer.take(file));
}

async function keysIn(files: JournalFiles, from: number): Promise<string[]> {
  const parts = await files.read(from);
  return parts.flatMap((part) => [...readJournal(part)].flat().map(({ key }) => key.toString()));
}

describe('journal files', () => {
  it('are read in their order, from a number on, also after they were reopened', async () => {
    const files = await openJournalFiles(folder);
    for (const [first, second] of [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]) {
      const file = await files.begin();
      await append(file, first ?? '');
      await append(file, second ?? '');
      await file.close();
    }
    expect(await keysIn(files, 2)).toEqual(['c', 'd', 'e', 'f']);
    const again = await openJournalFiles(folder);
    expect(await keysIn(again, 1)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(again.next()).toBe(4);
  });

  it('take over the space of those that are given up, and nothing of what was in it', async () => {
    const files = await openJournalFiles(folder);
    const first = await files.begin();
    await append(first, 'old 1', 'old 2', 'old 3');
    await first.close();
    const second = await files.begin();
    await files.removeBelow(2);
    expect(await readdir(folder)).toHaveLength(2);
    await second.close();
    const third = await files.begin();
    expect((await readdir(folder)).sort()).toEqual(['journal-2', 'journal-3']);
    expect((await readFile(join(folder, 'journal-3'))).includes('old 2')).toBe(true);
    expect(await keysIn(files, 3)).toEqual([]);
    await append(third, 'new 1');
    expect(await keysIn(files, 3)).toEqual(['new 1']);
    await third.close();
  });

  it('do not count as what they were when the power cut kept the name and nothing else', async () => {
    const files = await openJournalFiles(folder);
    const first = await files.begin();
    await append(first, 'old 1', 'old 2');
    await first.close();
    const asItWas = await readFile(join(folder, 'journal-1'));
    await (await files.begin()).close();
    await files.removeBelow(2);
    await (await files.begin()).close();
    await writeFile(join(folder, 'journal-3'), asItWas);
    expect(await keysIn(await openJournalFiles(folder), 3)).toEqual([]);
  });

  it('are never more than one beside those that are wanted', async () => {
    const files = await openJournalFiles(folder);
    for (let count = 0; count < 5; count += 1) await (await files.begin()).close();
    await files.removeBelow(5);
    expect(await readdir(folder)).toHaveLength(2);
    await (await files.begin()).close();
    await files.removeBelow(6);
    expect(await readdir(folder)).toHaveLength(2);
  });
});
