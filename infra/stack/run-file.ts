import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Where a running stack's backends are, for commands that are run beside it. */
export interface RunFile {
  readonly pid: number;
  readonly url: string;
  readonly mongodbUri: string;
}

/** Tells other commands where this stack is; readable to its owner alone. */
export async function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  await writeFile(pathIn(dataDir), JSON.stringify(run), { mode: 0o600 });
}

/** What the stack on this data folder told, or undefined when none is running there. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  try {
    const run = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as RunFile;
    process.kill(run.pid, 0);
    return run;
  } catch {
    return undefined;
  }
}

/** Forgets the stack that is stopping. */
export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true });
}

function pathIn(dataDir: string): string {
  return join(resolve(dataDir), 'running.json');
}
