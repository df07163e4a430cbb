import { lstat, readdir, readFile, readlink, rename, utimes } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOwnedFolder } from './owned-folder.ts';

const PREFIX = 'chromium-package-';
/** Time without a use after which a version is removed. */
const UNUSED_MS = 30 * 24 * 3_600_000;

/** Folder of the installed package. */
export const PACKAGE_DIR = resolve(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '../..');

/** Returns the folder for the Chromium of the installed package within the folder for browsers. */
export async function homeOfChromium(browserFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE_DIR, 'package.json'), 'utf8'));
  return join(browserFolder, PREFIX + version);
}

/** Notes that the Chromium in a folder is used; returns false if it is not there any more. */
export async function noteUse(home: string): Promise<boolean> {
  const now = new Date();
  return await utimes(home, now, now).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

/**
 * Removes Chromium's other versions from the folder for browsers if no scraper has used them for a month and no process runs
 * them. Each is moved away first, so that none is ever there in part. Returns their number.
 */
export async function removeUnusedChromium(browserFolder: string, nowMs = Date.now()): Promise<number> {
  const current = await homeOfChromium(browserFolder);
  let removed = 0;
  for (const name of await readdir(browserFolder)) {
    const home = join(browserFolder, name);
    if (!name.startsWith(PREFIX) || home === current) continue;
    const found = await lstat(home);
    if (!found.isDirectory() || nowMs - found.mtimeMs < UNUSED_MS || (await isRun(home))) continue;
    const owned = await createOwnedFolder(browserFolder);
    try {
      await rename(home, join(owned.path, name));
      removed += 1;
    } finally {
      await owned.remove();
    }
  }
  return removed;
}

/** Returns whether a process runs a program of a folder. */
async function isRun(folder: string): Promise<boolean> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/exe`).catch(() => '')));
  return programs.some((program) => program.startsWith(folder + sep));
}
