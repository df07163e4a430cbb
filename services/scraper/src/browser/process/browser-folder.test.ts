import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openBrowserFolder } from './browser-folder.ts';
import { homeOfChromium, noteUse, removeUnusedChromium } from './chromium-versions.ts';
import { createOwnedFolder, sweepOwnedFolders } from './owned-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-folders-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the folder for browsers', () => {
  it('is the configured one, or one in the cache of the user', async () => {
    const configured = join(folder, 'configured');
    expect(await openBrowserFolder(configured, folder)).toBe(configured);
    expect(await openBrowserFolder(undefined, folder)).toBe(join(folder, 'gleaner'));
    expect(await readdir(join(folder, 'gleaner'))).toEqual([]);
    expect((await stat(join(folder, 'gleaner'))).mode & 0o777).toBe(0o700);
  });

  it.each([0o770, 0o707, 0o1777])('is refused where others may write to it (mode %o)', async (mode) => {
    const open = join(folder, 'gleaner');
    await mkdir(open);
    await chmod(open, mode);
    await expect(openBrowserFolder(open)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: `${open} can be written by other users, who could have put a program there.`,
    });
    expect(await openBrowserFolder(undefined, folder)).not.toBe(open);
  });

  it('is another one where a cache is relative, is a file, or leads elsewhere', async () => {
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'gleaner'));
    const places = [join(homedir(), '.cache'), tmpdir()];
    for (const cache of ['relative', join(folder, 'file'), folder]) {
      const opened = await openBrowserFolder(undefined, cache);
      expect(places.some((place) => opened.startsWith(place))).toBe(true);
      expect(opened.startsWith(folder)).toBe(false);
    }
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
  });
});

describe('what a scraper leaves that was killed', () => {
  /** A folder as a process with this id and start time would own it. */
  async function leave(owner: { readonly pid: number; readonly startedAt: string }): Promise<string> {
    const { path } = await createOwnedFolder(folder);
    await writeFile(join(path, 'owner.json'), JSON.stringify({ host: hostname(), scraper: owner }));
    await mkdir(join(path, 'unpacked'));
    await writeFile(join(path, 'unpacked/chromium'), 'half of it');
    return path;
  }

  it('is removed, a half unpacked Chromium included, and nothing that has an owner', async () => {
    await leave({ pid: process.pid, startedAt: 'before this machine started' });
    const own = await createOwnedFolder(folder);
    expect(await sweepOwnedFolders(folder)).toEqual({ removed: 1, errors: [] });
    expect(await readdir(join(folder, 'running'))).toEqual([own.path.split('/').at(-1)]);
  });

  it('is removed also where older versions left it', async () => {
    for (const name of ['unpacking-old', 'unpacking-new']) await mkdir(join(folder, name));
    await utimes(join(folder, 'unpacking-old'), 0, 0);
    expect(await sweepOwnedFolders(folder)).toEqual({ removed: 1, errors: [] });
    expect(await readdir(folder)).toEqual(['unpacking-new']);
  });
});

describe('versions of Chromium', () => {
  const MONTH_MS = 31 * 24 * 3_600_000;
  const left = async () =>
    (await readdir(folder)).filter((name) => name.startsWith('chromium')).map((name) => join(folder, name));

  it('are removed once no scraper has used them for a month, except for the one of this scraper', async () => {
    const current = await homeOfChromium(folder);
    const [old, used, linked] = ['old', 'used', 'linked'].map((name) =>
      join(folder, `chromium-package-${name}`),
    );
    for (const home of [current, old, used]) await mkdir(join(`${home}`, 'al2023'), { recursive: true });
    await symlink(`${old}`, `${linked}`);
    for (const home of [current, old, used]) await utimes(`${home}`, 1, 1);
    expect(await noteUse(`${used}`)).toBe(true);
    expect(await removeUnusedChromium(folder)).toBe(1);
    expect(await noteUse(`${old}`)).toBe(false);
    expect((await left()).toSorted()).toEqual([current, linked, used].toSorted());
    expect(await readdir(join(folder, 'running'))).toEqual([]);
    expect(await removeUnusedChromium(folder, Date.now() + MONTH_MS)).toBe(1);
  });

  it('are kept while a process runs them', async () => {
    const home = join(folder, 'chromium-package-old');
    await mkdir(home);
    await copyFile('/bin/sleep', join(home, 'chromium'));
    await using browser = spawnProgram(join(home, 'chromium'), '600');
    await browser.spawned;
    const later = Date.now() + MONTH_MS;
    expect(await removeUnusedChromium(folder, later)).toBe(0);
    await browser.end();
    expect(await removeUnusedChromium(folder, later)).toBe(1);
  });
});

function spawnProgram(path: string, ...args: string[]) {
  const child = spawn(path, args, { stdio: 'ignore' });
  const closed = once(child, 'close');
  const end = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return { spawned: once(child, 'spawn'), end, [Symbol.asyncDispose]: end };
}
