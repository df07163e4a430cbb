import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Announce, LogFile } from '../processes/log-file.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../packages/console/build.mjs');
/** Long enough for a build that a busy machine gives little time. */
const WITHIN_MS = 600_000;
/** A stack that still serves an older console has read its files long before they are this old. */
const KEPT_MS = 86_400_000;

/** A build of the console in the background. */
export interface ConsoleBuild {
  /** Resolves to true when the console is there, to false when it could not be built. Never rejects. */
  readonly done: Promise<boolean>;
  /** Ends a build that is still running. */
  stop(): void;
}

/**
 * Builds the console into a folder unless it is there: by a process of low priority unless told otherwise, into a folder
 * beside it that is renamed when it is complete. The API works without it.
 */
export function buildConsole(
  folder: string,
  logFile: string,
  announce: Announce,
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): ConsoleBuild {
  let child: ChildProcess | undefined;
  let isStopped = false;
  const start = (draft: string) => {
    if (isStopped) throw new Error('The build was stopped.');
    child = fork(PROGRAM, [draft], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      timeout: WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    if (child.pid !== undefined) setPriority(child.pid, priority);
    return child;
  };
  const done = build(folder, new LogFile(logFile, announce), start).catch((error: Error) => {
    if (!isStopped) announce(`could not build the console: ${error.message} See ${logFile}.`);
    return false;
  });
  return {
    done,
    stop() {
      isStopped = true;
      child?.kill('SIGKILL');
    },
  };
}

async function build(folder: string, log: LogFile, start: (draft: string) => ChildProcess): Promise<boolean> {
  if (await exists(folder)) return true;
  await mkdir(dirname(folder), { recursive: true });
  const draft = join(dirname(folder), `.${basename(folder)}-${process.pid}`);
  try {
    const child = start(draft);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => log.write(chunk));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error('The build failed.');
    await rename(draft, folder).catch(async (error: unknown) => {
      // Another stack has built the same console.
      if (!(await exists(folder))) throw error;
    });
    await removeOthers(folder);
    return true;
  } finally {
    await log.close();
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes old consoles of other sources. */
async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(dirname(folder));
  const others = names.filter((name) => !name.startsWith('.') && name !== basename(folder));
  for (const name of others) {
    const path = join(dirname(folder), name);
    if (Date.now() - (await stat(path)).mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
