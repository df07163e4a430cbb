import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Stack } from '../start-stack.ts';

/** The program of the command line. */
export const GLEANER = resolve(import.meta.dirname, '../../../packages/cli/src/main.ts');

/** Runs a command of the command line in a folder, with the key of a stack; returns its exit code and what it wrote. */
export function runGleaner(
  { url, apiKey }: Pick<Stack, 'url' | 'apiKey'>,
  folder: string,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, GLEANER_URL: url, GLEANER_API_KEY: apiKey, XDG_CONFIG_HOME: folder };
  const flags = ['--disable-warning=ExperimentalWarning', GLEANER];
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [...flags, ...args],
      { cwd: folder, env },
      (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
