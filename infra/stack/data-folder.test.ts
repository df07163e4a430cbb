import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataFolder } from './data-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gleaner-data-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the data folder', () => {
  it('keeps one key, readable to its owner alone', async () => {
    const folder = await openDataFolder(root);
    const key = await folder.apiKey(undefined);
    expect(key).toMatch(/^gl_\w{43}$/);
    expect(await folder.apiKey(undefined)).toBe(key);
    expect((await stat(join(root, 'api-key'))).mode & 0o777).toBe(0o600);
  });

  it('is taken by one stack at a time, and free again once that is gone', async () => {
    await writeFile(join(root, 'stack.pid'), String(process.ppid));
    await expect(openDataFolder(root)).rejects.toThrow(`process ${process.ppid}`);
    await writeFile(join(root, 'stack.pid'), '999999999');
    const folder = await openDataFolder(root);
    await folder.release();
  });

  it('is made with those above it', async () => {
    const folder = await openDataFolder(join(root, 'a/b/c'));
    expect(await folder.folder('logs')).toBe(join(root, 'a/b/c/logs'));
    await folder.release();
  });

  it.each(['file/inside', 'file'])('says what to do when it cannot be written (%s)', async (path) => {
    await writeFile(join(root, 'file'), '');
    await expect(openDataFolder(join(root, path))).rejects.toMatchObject({
      message: expect.stringContaining("can't be written"),
      remedy: expect.stringContaining('GLEANER_DATA_DIR'),
    });
  });
});
