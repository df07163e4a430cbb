import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '../../stack/start-stack.ts';
import { filesIn } from '../files.ts';
import { countZombies, pidsOf, processTree, stackUsage } from '../processes.ts';

/** Folders that a stack of the bench uses. */
export interface StackFolders {
  readonly data: string;
  /** TMPDIR of every process. */
  readonly temporary: string;
  /** BROWSER_DIR of the scraper. */
  readonly browsers: string;
}

/** Processes, memory and files of a stack at a moment. */
export interface StackLook {
  readonly services: number;
  readonly browserProcesses: number;
  /** Ended processes without a parent's wait for them. */
  readonly zombies: number;
  readonly profileFolders: number;
  readonly temporaryFiles: number;
  /** Own memory by the name of the process. */
  readonly ownBytes: ReadonlyMap<string, number>;
  /** CPU so far by the name of the process, and of all running browsers. */
  readonly cpuMs: ReadonlyMap<string, number>;
}

/** Looks at the processes, the memory and the files of a stack (Linux). */
export async function lookAtStack(stack: Stack, folders: StackFolders): Promise<StackLook> {
  const roots = pidsOf(stack);
  const [tree, zombies, usage, profileFolders, temporaryFiles] = await Promise.all([
    processTree(roots),
    countZombies(roots),
    stackUsage(stack, false),
    profilesIn(folders),
    filesIn(folders.temporary),
  ]);
  return {
    services: roots.length,
    browserProcesses: tree.filter(isOfBrowser).length,
    zombies,
    profileFolders: profileFolders.length,
    temporaryFiles: temporaryFiles.length,
    ownBytes: new Map([...usage].map(([name, { ownBytes }]) => [name, ownBytes])),
    cpuMs: new Map([
      ...[...usage].map(([name, { cpuMs }]) => [name, cpuMs] as const),
      ['browsers', tree.filter(isOfBrowser).reduce((sum, { cpuMs }) => sum + cpuMs, 0)],
    ]),
  };
}

/** Returns the process groups of the browsers of a stack; each leads one. */
export async function browserGroups(stack: Pick<Stack, 'processes'>): Promise<number[]> {
  const tree = await processTree(pidsOf(stack));
  const isMain = ({ command }: { readonly command: string }) =>
    command.includes('--user-data-dir=') && !command.includes('--type=');
  return tree.filter(isMain).map(({ pid }) => pid);
}

/** Returns the folders of running browsers. */
export async function profilesIn({ browsers }: Pick<StackFolders, 'browsers'>): Promise<string[]> {
  return await readdir(join(browsers, 'running')).catch(() => []);
}

/** Tells whether a process is one of Chromium's. */
export function isOfBrowser({ command }: { readonly command: string }): boolean {
  return /chrom/i.test(command.split(' ')[0] ?? '');
}
