import { access, chmod, constants, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { AppError } from '@gleaner/contracts';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Opens the folder that holds the unpacked Chromium and the profiles of this user's running browsers: the configured one, or
 * the first that can hold programs of `gleaner` in the cache's home (`$XDG_CACHE_HOME`), `~/.cache/gleaner` and one in the folder for temporary files. Throws
 * SERVICE_UNAVAILABLE when another user owns it or may write to it, who could have put anything into it.
 */
export async function openBrowserFolder(configured: string | undefined, cacheHome = ''): Promise<string> {
  if (configured !== undefined) return await openFolder(configured);
  for (const folder of cacheFolders(cacheHome)) {
    const opened = await openFolder(folder).catch(() => undefined);
    if (opened !== undefined && (await canHoldPrograms(opened))) return opened;
  }
  return await openFolder(join(tmpdir(), `gleaner-browser-${uid()}`));
}

/** Returns the folders for a cache, best first. A relative one is invalid (https://specifications.freedesktop.org/basedir/latest/). */
function cacheFolders(cacheHome: string): readonly string[] {
  const parents = [cacheHome, join(homedir(), '.cache')].filter((path) => isAbsolute(path));
  return parents.map((parent) => join(parent, 'gleaner'));
}

async function openFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== uid()))
    throw notOwn(`${folder} does not belong to the user that the scraper runs as.`);
  if ((found.mode & WRITABLE_BY_OTHERS) !== 0)
    throw notOwn(`${folder} can be written by other users, who could have put a program there.`);
  await chmod(folder, 0o700);
  return folder;
}

function notOwn(message: string): AppError {
  const suggestion = 'Remove it, or set BROWSER_DIR to another folder.';
  return new AppError('SERVICE_UNAVAILABLE', { message, suggestion });
}

/** Returns the id of this user, who need not have a name: containers run as any number. */
function uid(): number {
  return process.getuid?.() ?? -1;
}

/** Returns true if files can be written there and run: some systems mount home folders without that (`noexec`). */
async function canHoldPrograms(folder: string): Promise<boolean> {
  const probe = join(folder, `probe-${process.pid}`);
  try {
    await writeFile(probe, '', { mode: 0o700 });
    await access(probe, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}
