import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '@gleaner/test-kit';

/** A process as `ps` shows it. */
export interface Process {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

/** Lists all processes of this machine. */
export async function runningProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,pgid=,stat=,args=', '-ww'], {
    maxBuffer: 16 * 1_048_576,
  });
  const lines = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line));
  // Zombies do not run any more.
  return lines.flatMap((match) =>
    match && !match[3]?.startsWith('Z')
      ? [{ pid: Number(match[1]), group: Number(match[2]), command: match[4] ?? '' }]
      : [],
  );
}

/** Lists all processes of the browser whose profile is in this folder; throws when none runs. */
export async function browserIn(folder: string): Promise<Process[]> {
  const processes = await runningProcesses();
  const main = processes.find(({ command }) => command.includes(`--user-data-dir=${folder}`));
  if (main === undefined) throw new Error(`No browser runs in ${folder}.`);
  return processes.filter(({ group }) => group === main.pid);
}

/** Filters the processes that pages run in. */
export function renderersOf(processes: readonly Process[]): Process[] {
  return processes.filter(({ command }) => command.includes('--type=renderer'));
}

/** Returns the process of the only tab of the browser in this folder, once all others are closed. */
export function onlyTabIn(folder: string): Promise<Process> {
  return eventually(async () => {
    const [tab, ...others] = renderersOf(await browserIn(folder));
    if (!tab || others.length > 0) throw new Error(`${folder} has no tab, or ${others.length} others.`);
    return tab;
  });
}
