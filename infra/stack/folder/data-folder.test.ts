import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
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
  it('keeps one key, readable only to its owner', async () => {
    const folder = await openDataFolder(root);
    const key = await folder.apiKey(undefined, () => {});
    expect(key).toMatch(/^gl_\w{43}$/);
    expect(await folder.apiKey(undefined, () => {})).toBe(key);
    expect((await stat(join(root, 'api-key'))).mode & 0o777).toBe(0o600);
  });

  it('is closed to other users of the machine, with everything made in it later', async () => {
    await chmod(root, 0o755);
    const folder = await openDataFolder(root);
    const inner = await folder.folder('data/inside');
    await writeFile(join(inner, 'file'), '');
    const modes = await Promise.all([root, inner, join(inner, 'file')].map((path) => stat(path)));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600']);
    await folder.release();
  });

  it('reports a lost key file when the folder holds data of an earlier start', async () => {
    const folder = await openDataFolder(root);
    const messages: string[] = [];
    const first = await folder.apiKey(undefined, (message) => messages.push(message));
    await folder.folder('data');
    expect(messages).toEqual([]);
    await rm(join(root, 'api-key'));
    const second = await folder.apiKey(undefined, (message) => messages.push(message));
    expect(second).not.toBe(first);
    expect(messages).toEqual([expect.stringMatching(/api-key was missing or empty.*npm run keys -- list/)]);
    await folder.release();
  });

  it('is locked by one stack at a time, and unlocked once that has ended', async () => {
    const first = await openDataFolder(root);
    await writeFile(join(root, 'stack.pid'), String(process.ppid));
    await expect(openDataFolder(root)).rejects.toThrow(`by another Gleaner (process ${process.ppid}).`);
    await first.release();
    const second = await openDataFolder(root);
    await second.release();
  });

  it('says once it was deleted', async () => {
    const folder = await openDataFolder(root);
    expect(await folder.isGone()).toBe(false);
    const gone = folder.untilGone();
    await rm(root, { recursive: true });
    await gone;
    await folder.release();
  });

  it('says once another one is in its place, and leaves that alone', async () => {
    const folder = await openDataFolder(root);
    const gone = folder.untilGone();
    await rename(root, `${root}-moved`);
    await mkdir(root);
    await writeFile(join(root, 'stack.pid'), '1');
    await gone;
    await folder.release();
    expect(await readFile(join(root, 'stack.pid'), 'utf8')).toBe('1');
    await rm(`${root}-moved`, { recursive: true });
  });

  it('is locked for a stack in another container, whose process numbers mean nothing here', async () => {
    const first = await openDataFolder(root);
    await writeFile(join(root, 'stack.pid'), '999999999');
    await expect(openDataFolder(root)).rejects.toMatchObject({
      message: `The data folder ${root} is in use by another Gleaner, which may run in another container.`,
      suggestion: expect.stringContaining('GLEANER_DATA_DIR'),
    });
    await first.release();
  });

  it('is not locked by what an ended stack left behind', async () => {
    await writeFile(join(root, 'stack.pid'), String(process.ppid));
    await (await openDataFolder(root)).release();
  });

  it('is created with its parents', async () => {
    const folder = await openDataFolder(join(root, 'a/b/c'));
    expect(await folder.folder('logs')).toBe(join(root, 'a/b/c/logs'));
    await folder.release();
  });

  it.each(['file/inside', 'file'])('suggests a remedy when it cannot be written (%s)', async (path) => {
    await writeFile(join(root, 'file'), '');
    await expect(openDataFolder(join(root, path))).rejects.toMatchObject({
      message: expect.stringContaining("can't be written"),
      suggestion: expect.stringContaining('GLEANER_DATA_DIR'),
    });
  });
});
