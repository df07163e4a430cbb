import { readFile, readlink } from 'node:fs/promises';
import type { Stack } from '../stack/start-stack.ts';
import { processTree } from './process-tree.ts';

/** Returns the Chromium of the stack and the variables that it needs. */
export async function runningBrowser(
  stack: Pick<Stack, 'processes'>,
): Promise<{ path: string; env: Record<string, string> }> {
  const tree = await processTree(pidsOf(stack));
  const browser = tree.find(
    ({ command }) => command.includes('--user-data-dir=') && !command.includes('--type='),
  );
  if (!browser) throw new Error('No browser runs.');
  const variables = (await readFile(`/proc/${browser.pid}/environ`, 'utf8')).split('\0');
  const env = variables.map((text) => text.split(/=(.*)/s)).filter(([name]) => NEEDED.includes(name ?? ''));
  return { path: await readlink(`/proc/${browser.pid}/exe`), env: Object.fromEntries(env) };
}

const NEEDED = ['LD_LIBRARY_PATH', 'FONTCONFIG_FILE'];

/** Returns the processes of the services of a stack. */
export function pidsOf(stack: Pick<Stack, 'processes'>): number[] {
  return stack.processes().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
}
