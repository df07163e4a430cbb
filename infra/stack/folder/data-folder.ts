import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '@gleaner/config';
import { FolderInUseError, type FolderLock, lockFolder } from '@gleaner/embedded/lock-folder';
import type { Announce } from '../processes/log-file.ts';

const MAKE_KEY_WITHIN_MS = 120_000;
/** Leaves files and folders to their owner. */
const PRIVATE_UMASK = 0o077;
/** Codes of a disk or a quota without space. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The folder with everything that Gleaner keeps on this machine. One stack uses it at a time. */
export interface DataFolder {
  readonly path: string;
  /** The file that holds the admin key. */
  readonly keyFile: string;
  /** Returns the path of a folder inside, created when missing. */
  folder(name: string): Promise<string>;
  /** Returns the admin key: the given one, else the kept one, else a new one. The file is readable to its owner only. */
  apiKey(given: string | undefined, announce: Announce): Promise<string>;
  /** Returns the key that encrypts the secrets of accounts: the kept one, else a new one. */
  secretsKey(): Promise<string>;
  /** Returns whether the folder was deleted or moved, or another one is in its place. */
  isGone(): Promise<boolean>;
  /** Resolves once the folder is gone. Keeps no process alive. */
  untilGone(): Promise<void>;
  /** Unlocks the folder. */
  release(): Promise<void>;
}

const LOOK_EVERY_MS = 1000;

/**
 * Creates and locks the folder, and closes it to other users of the machine; so is every file that this process and its
 * children make from now on. Throws a StartupError when it can't be written, is full, can't be closed or is in use.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const root = resolve(path);
  process.umask(PRIVATE_UMASK);
  await makeWritable(root);
  await closeToOthers(root);
  const lock = await whileSpaceIsLeft(root, () => takeLock(root));
  const keyFile = join(root, 'api-key');
  const { dev, ino } = await stat(root);
  const isGone = async () => {
    const found = await stat(root).catch((error: unknown) =>
      codeOf(error) === 'ENOENT' ? undefined : { dev, ino },
    );
    return found?.dev !== dev || found.ino !== ino;
  };
  return {
    path: root,
    keyFile,
    async folder(name) {
      const inner = join(root, name);
      await mkdir(inner, { recursive: true });
      return inner;
    },
    apiKey: async (given, announce) =>
      whileSpaceIsLeft(root, async () =>
        keepApiKey({ file: keyFile, given, isUsed: await isThere(join(root, 'data')), announce }),
      ),
    secretsKey: () => whileSpaceIsLeft(root, () => keepSecretsKey(join(root, 'secrets-key'))),
    isGone,
    async untilGone() {
      while (!(await isGone())) await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    },
    async release() {
      // In its place may be the folder of another stack.
      if (!(await isGone())) await rm(join(root, 'stack.pid'), { force: true });
      lock.release();
    },
  };
}

async function makeWritable(root: string): Promise<void> {
  try {
    await makeFolder(root);
    await access(root, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartupError(`The data folder ${root} can't be written (${codeOf(error)}).`, {
      suggestion: `${remedyFor(codeOf(error), root)}, or choose another folder with GLEANER_DATA_DIR.`,
      cause: error,
    });
  }
}

function remedyFor(code: string, root: string): string {
  const uid = process.getuid?.();
  if (code === 'EROFS') return 'Mount its file system for writing';
  if (code !== 'EACCES' || uid === undefined) return 'Allow this user to write there';
  return `Allow the user ${uid} to write there (as root: chown -R ${uid} ${root})`;
}

/** Writes to the folder. Throws a StartupError when its disk is full. */
async function whileSpaceIsLeft<Result>(root: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!FULL.has(codeOf(error))) throw error;
    throw new StartupError(`The disk of the data folder ${root} is full.`, {
      suggestion: 'Free some space there, or choose another folder with GLEANER_DATA_DIR.',
      cause: error,
    });
  }
}

async function closeToOthers(root: string): Promise<void> {
  const { mode } = await stat(root);
  if ((mode & PRIVATE_UMASK) === 0) return;
  try {
    await chmod(root, 0o700);
  } catch (error) {
    throw new StartupError(`The data folder ${root} is open to other users, and belongs to one of them.`, {
      suggestion: `Run chmod 700 ${root} as its owner, or choose another folder with GLEANER_DATA_DIR: it holds keys and data.`,
      cause: error,
    });
  }
}

/** Creates the folder and its parents. Node's own recursive mkdir never ends in /proc, where no folder can be created. */
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

/** Locks the folder against other stacks, and leaves the number of this process there for the message to them. */
async function takeLock(root: string): Promise<FolderLock> {
  const pidFile = join(root, 'stack.pid');
  try {
    const lock = lockFolder(root);
    await writeFile(pidFile, String(process.pid));
    return lock;
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const pid = await readFile(pidFile, 'utf8').catch(() => '');
    throw new StartupError(
      `The data folder ${root} is in use by another Gleaner${describeProcess(Number(pid))}.`,
      {
        suggestion: 'Stop that one first, or choose another folder with GLEANER_DATA_DIR.',
        cause: error,
      },
    );
  }
}

/** A process number means something only in the namespace of its process. */
function describeProcess(pid: number): string {
  return pid > 0 && isAlive(pid) ? ` (process ${pid})` : ', which may run in another container';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function keepApiKey({ file, given, isUsed, announce }: KeyChoice): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const key = given || kept || (await makeApiKey());
  if (key !== kept) await writeFile(file, `${key}\n`, { mode: 0o600 });
  if (!given && !kept && isUsed) {
    announce(
      `the key file ${file} was missing or empty, so a new admin key was made; earlier keys still work ` +
        '(npm run keys -- list shows them, npm run keys -- revoke ends one)',
    );
  }
  return key;
}

async function keepSecretsKey(file: string): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept) return kept;
  const key = randomBytes(32).toString('base64url');
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

interface KeyChoice {
  readonly file: string;
  readonly given: string | undefined;
  /** True when the folder holds the data of an earlier start. */
  readonly isUsed: boolean;
  readonly announce: Announce;
}

/** Runs in a process of its own, so that the stack does not load the database driver that the storage package brings. */
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
