import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A Gleaner that `npm start` runs, found by its folder. */
export interface NearbyStack {
  readonly folder: string;
  /** Undefined while it is not running. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/**
 * Looks for the folder `.gleaner` in these folders and above, or for the one that GLEANER_DATA_DIR names. One that was found
 * must belong to the user, and no one else may write to it: it says where requests go. `onLeftOut` is told of the others.
 */
export function findStack(
  folders: readonly string[],
  dataDir: string | undefined,
  onLeftOut: (folder: string) => void = () => {},
): NearbyStack | undefined {
  if (dataDir) return readStack(resolve(folders[0] ?? '.', dataDir), () => true);
  for (const folder of folders) {
    const stack = findUpwards(resolve(folder), onLeftOut);
    if (stack) return stack;
  }
  return undefined;
}

function findUpwards(start: string, onLeftOut: (folder: string) => void): NearbyStack | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, '.gleaner');
    const stats = statSync(found, { throwIfNoEntry: false });
    const stack = stats && isOwn(stats) ? readStack(found, isOwn) : undefined;
    if (stack) return stack;
    if (stats && !isOwn(stats)) onLeftOut(found);
    if (folder === dirname(folder)) return undefined;
  }
}

interface Owned {
  readonly uid: number;
  readonly mode: number;
}

/** Returns whether a file belongs to the user, and no one else may write to it. Windows has other rights. */
function isOwn({ uid, mode }: Owned): boolean {
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}

function readStack(folder: string, isTrusted: (stats: Owned) => boolean): NearbyStack | undefined {
  const apiKey = read(join(folder, 'api-key'), isTrusted)?.trim();
  const url = readUrl(read(join(folder, 'running.json'), isTrusted));
  return apiKey || url ? { folder, url, apiKey } : undefined;
}

/** Returns the address of the stack if its process is alive: a stack that was killed leaves its file behind. */
function readUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    const { pid, url } = JSON.parse(text) as { pid: number; url: string };
    process.kill(pid, 0);
    return url;
  } catch (error) {
    // The process of another user is alive as well.
    const isForeign = error instanceof Error && 'code' in error && error.code === 'EPERM';
    return isForeign ? (JSON.parse(text) as { url: string }).url : undefined;
  }
}

function read(file: string, isTrusted: (stats: Owned) => boolean): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    return isTrusted(fstatSync(descriptor)) ? readFileSync(descriptor, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
