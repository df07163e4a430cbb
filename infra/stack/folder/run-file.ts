import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Addresses of a running stack, for commands that run beside it. */
export interface RunFile {
  readonly pid: number;
  readonly url: string;
  readonly mongodbUri: string;
}

/** Writes the addresses of this stack to a file that only its owner can read. */
export async function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  await writeFile(pathIn(dataDir), JSON.stringify(run), { mode: 0o600 });
}

/** Reads the addresses of the stack that runs on this data folder; undefined when none runs there. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  try {
    const run = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as RunFile;
    process.kill(run.pid, 0);
    return run;
  } catch {
    return undefined;
  }
}

/** Removes the file of a stack that stops. */
export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true });
}

function pathIn(dataDir: string): string {
  return join(resolve(dataDir), 'running.json');
}
