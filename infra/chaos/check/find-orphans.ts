import { readdir, readFile } from 'node:fs/promises';

/**
 * The processes with this mark in their environment that none of the living has started (Linux; elsewhere none is
 * found): what a killed service has left behind.
 */
export async function findOrphans(mark: string, living: readonly (number | undefined)[]): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked: number[] = [];
  for (const pid of pids) if (await isMarked(pid, mark)) marked.push(pid);
  const orphans: number[] = [];
  for (const pid of marked) if (!(await descendsFrom(pid, living))) orphans.push(pid);
  return orphans;
}

async function isMarked(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

async function descendsFrom(pid: number, living: readonly (number | undefined)[]): Promise<boolean> {
  for (let current = pid; current > 1; ) {
    if (living.includes(current)) return true;
    const status = await readFile(`/proc/${current}/status`, 'utf8').catch(() => undefined);
    // It has ended meanwhile.
    if (status === undefined) return true;
    current = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return false;
}
