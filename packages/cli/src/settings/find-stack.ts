import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A Gleaner that `npm start` runs, found by its folder. */
export interface NearbyStack {
  readonly folder: string;
  /** Undefined while it is not running. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/** Looks for the folder `.gleaner` in these folders and above, or for the one that GLEANER_DATA_DIR names. */
export function findStack(folders: readonly string[], dataDir: string | undefined): NearbyStack | undefined {
  if (dataDir) return readStack(resolve(folders[0] ?? '.', dataDir));
  for (const folder of folders) {
    const stack = findUpwards(resolve(folder));
    if (stack) return stack;
  }
  return undefined;
}

function findUpwards(start: string): NearbyStack | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const stack = readStack(join(folder, '.gleaner'));
    if (stack) return stack;
    if (folder === dirname(folder)) return undefined;
  }
}

function readStack(folder: string): NearbyStack | undefined {
  const apiKey = read(join(folder, 'api-key'))?.trim();
  const url = readUrl(read(join(folder, 'running.json')));
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

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
