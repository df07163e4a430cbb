import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StartProblem } from './start-problem.ts';

const MAKE_KEY_WITHIN_MS = 30_000;

/** Everything that Gleaner keeps on this machine, under one folder that one stack uses at a time. */
export interface DataFolder {
  readonly path: string;
  /** The path of a folder inside, made if need be. */
  folder(name: string): Promise<string>;
  /** The admin key of this folder: the given one, else the kept one, else a new one; kept readable to its owner alone. */
  apiKey(given: string | undefined): Promise<string>;
  release(): Promise<void>;
}

/** Makes the folder and takes it for this process. Throws a StartProblem when it can't be written or is in use. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const root = resolve(path);
  await makeWritable(root);
  const lockFile = join(root, 'stack.pid');
  await takeLock(lockFile, root);
  return {
    path: root,
    async folder(name) {
      const inner = join(root, name);
      await mkdir(inner, { recursive: true });
      return inner;
    },
    apiKey: (given) => keepApiKey(join(root, 'api-key'), given),
    release: () => rm(lockFile, { force: true }),
  };
}

async function makeWritable(root: string): Promise<void> {
  try {
    await makeFolder(root);
    await access(root, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartProblem(
      `The data folder ${root} can't be written (${codeOf(error)}).`,
      'Give this user the right to write there, or name another folder with GLEANER_DATA_DIR.',
    );
  }
}

/** Makes the folder and those above it. Node's own recursive mkdir never ends where the system has no folders to make (/proc). */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || (await isThere(parent))) throw error;
    await makeFolder(parent);
    await mkdir(folder);
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function takeLock(lockFile: string, root: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(lockFile, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const owner = Number(await readFile(lockFile, 'utf8').catch(() => ''));
    if (owner && isAlive(owner)) {
      throw new StartProblem(
        `The data folder ${root} is in use by another Gleaner (process ${owner}).`,
        'Stop that one first, or name another folder with GLEANER_DATA_DIR.',
      );
    }
    await rm(lockFile, { force: true });
  }
  throw new StartProblem(
    `The data folder ${root} could not be taken.`,
    `Remove ${lockFile} and start again.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function keepApiKey(file: string, given: string | undefined): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const key = given || kept || (await makeApiKey());
  if (key !== kept) await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** In a process of its own, for a folder's first start alone: the storage package brings the database driver along. */
async function makeApiKey(): Promise<string> {
  const entry = join(import.meta.dirname, 'make-api-key-process.ts');
  const flags = ['--disable-warning=ExperimentalWarning'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry], {
    timeout: MAKE_KEY_WITHIN_MS,
  });
  return stdout.trim();
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
