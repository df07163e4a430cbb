import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process and its descendants (Linux). */
export interface TreeProcess {
  readonly pid: number;
  readonly command: string;
  /** Its own CPU in user and kernel mode. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

const MS_PER_TICK = 10;
const PAGE_BYTES = 4096;

/** Returns the processes with these ids and their descendants, in no particular order, without those that have just ended. */
export async function processTree(roots: readonly number[]): Promise<TreeProcess[]> {
  const all = new Map((await readAll()).map((process) => [process.pid, process]));
  const isBelow = (pid: number): boolean => {
    if (roots.includes(pid)) return true;
    const parent = all.get(pid)?.parent ?? 0;
    return parent > 1 && isBelow(parent);
  };
  const tree = [...all.values()].filter(({ pid }) => isBelow(pid));
  return (await Promise.all(tree.map((process) => withCommand(process).catch(() => [])))).flat();
}

/** A running sum of CPU. */
export interface CpuMeter {
  /** Stops and returns the CPU used since the start, by kind of process, in milliseconds. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

const LOOK_EVERY_MS = 40;

/**
 * Adds up the CPU of processes and their descendants. It samples often enough to miss little of short-lived ones, such as
 * Chromium's renderers; `nameOf` returns the kind of a process.
 */
export async function meterCpu(
  roots: readonly number[],
  nameOf: (process: TreeProcess) => string,
): Promise<CpuMeter> {
  const atStart = new Map((await processTree(roots)).map(({ pid, cpuMs }) => [pid, cpuMs]));
  const lastSeen = new Map<number, TreeProcess>();
  const look = async () => {
    for (const process of await processTree(roots)) lastSeen.set(process.pid, process);
  };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await looking;
      await look();
      const sums = new Map<string, number>();
      for (const process of lastSeen.values()) {
        const name = nameOf(process);
        const usedMs = process.cpuMs - (atStart.get(process.pid) ?? 0);
        sums.set(name, (sums.get(name) ?? 0) + usedMs);
      }
      return sums;
    },
  };
}

/** Reads a process without its command line, since most processes of a machine are unrelated. */
type Stat = Omit<TreeProcess, 'command'> & { readonly parent: number };

async function readAll(): Promise<Stat[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const read = await Promise.all(pids.map((pid) => readStat(pid).catch(() => [])));
  return read.flat();
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 4, 14, 15 and 24; the name before them may contain spaces. */
async function readStat(pid: number): Promise<Stat[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z') return [];
  const ticks = Number(fields[10]) + Number(fields[11]);
  const residentBytes = Number(fields[20]) * PAGE_BYTES;
  return [{ pid, parent: Number(fields[0]), cpuMs: ticks * MS_PER_TICK, residentBytes }];
}

async function withCommand(process: Stat): Promise<TreeProcess[]> {
  const commandLine = await readFile(`/proc/${process.pid}/cmdline`, 'utf8');
  return [{ ...process, command: commandLine.replaceAll('\0', ' ') }];
}
