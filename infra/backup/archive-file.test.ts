import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type ArchiveBounds, readArchiveFile, writeArchive } from './archive-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-archive-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps lines as they are, in a file for its owner alone', async () => {
  const file = join(folder, 'a.gz');
  const lines = ['{"a":1}', 'é'.repeat(100_000), '', '{"b":"\u2028\u2029\r"}'];
  await writeArchive(file, each(lines));
  expect(await linesOf(file)).toEqual(lines);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('does not replace a file, and leaves none behind when the source fails', async () => {
  const file = join(folder, 'a.gz');
  const failing = (async function* () {
    yield 'one';
    throw new Error('The database is gone.');
  })();
  await expect(writeArchive(file, failing)).rejects.toThrow('The database is gone.');
  await expect(stat(file)).rejects.toThrow('ENOENT');
  await expect(stat(`${file}.part`)).rejects.toThrow('ENOENT');
  await writeFile(file, 'kept');
  await expect(writeArchive(file, each(['one']))).rejects.toThrow('exists');
  expect(await readFile(file, 'utf8')).toBe('kept');
});

it('tells a file that is missing, is not compressed, or was cut', async () => {
  const file = join(folder, 'a.gz');
  await expect(linesOf(file)).rejects.toThrow('cannot be read');
  await writeFile(file, 'plain text');
  await expect(linesOf(file)).rejects.toThrow('cannot be read');
  await rm(file);
  await writeArchive(file, each(Array.from({ length: 1000 }, (_, line) => `${line} ${Math.random()}`)));
  await writeFile(file, (await readFile(file)).subarray(0, 3000));
  await expect(linesOf(file)).rejects.toThrow('cannot be read');
});

it('reads long lines in one pass, and ends one that no document can have', async () => {
  const file = join(folder, 'a.gz');
  const long = 'x'.repeat(8_000_000);
  await writeArchive(file, each([long, 'short', long]));
  expect((await linesOf(file)).map((line) => line.length)).toEqual([8_000_000, 5, 8_000_000]);
  const bounds = { maxLine: 1_000_000, maxRatio: 1e9, unchecked: 0 };
  await expect(linesOf(file, bounds)).rejects.toThrow('a line is longer than any document');
});

it('ends a file that decompresses to far more than an archive of its size', async () => {
  const file = join(folder, 'a.gz');
  await writeArchive(file, each(Array.from({ length: 200_000 }, () => '{"_id":1}')));
  expect(await linesOf(file)).toHaveLength(200_000);
  const bounds = { maxLine: 1_000_000, maxRatio: 20, unchecked: 100_000 };
  await expect(linesOf(file, bounds)).rejects.toThrow('far more than an archive of its size');
});

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function linesOf(file: string, bounds?: ArchiveBounds): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readArchiveFile(file, bounds)) lines.push(line);
  return lines;
}
