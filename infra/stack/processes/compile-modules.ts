import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Announce } from './log-file.ts';
import { memorySettings, nodeArguments } from './memory-settings.ts';

const WITHIN_MS = 180_000;

/**
 * Fills the compile cache before the first start, so that seven processes do not compile the same modules side by
 * side and keep the compiler in memory. When the cache can't be filled, the start is only slower.
 */
export async function compileModules(announce: Announce): Promise<void> {
  const settings = memorySettings(process.env.NODE_OPTIONS);
  if (await hasFiles(settings.NODE_COMPILE_CACHE)) return;
  announce('compiling the modules (once)');
  const child = fork(join(import.meta.dirname, 'compile-modules-process.ts'), {
    env: { ...process.env, ...settings },
    execArgv: nodeArguments(),
    stdio: 'ignore',
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) announce('could not compile the modules; this start takes longer and more memory');
}

async function hasFiles(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
