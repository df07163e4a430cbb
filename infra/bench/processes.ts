import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../stack/start-stack.ts';

/** CPU and memory that a process has used so far (Linux). */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly peakBytes: number;
  /** Resident bytes that only the process itself or swapping can free: heap, buffers, stacks. */
  readonly ownBytes: number;
  /**
   * The remaining resident bytes: mapped pages of files (programs, LMDB's data) in the page cache, each counted as often as it
   * is mapped. The kernel reclaims them when it needs memory.
   */
  readonly mappedBytes: number;
}

/** CPU and memory of each process so far, by its name. */
export type StackUsage = ReadonlyMap<string, ProcessUsage>;

/** CPU by process, in milliseconds. */
export type CpuTimes = ReadonlyMap<string, number>;

/** The name of RabbitMQ's process. */
const BROKER_COMMAND = 'beam.smp';

/** Reads the CPU and memory of all processes of a stack so far, including RabbitMQ when it uses that (Linux). */
export async function stackUsage(stack: Stack, usesRealBroker: boolean): Promise<StackUsage> {
  const own = stack.processes().flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]));
  const all = usesRealBroker ? await readAll() : [];
  const brokers = all.filter(({ name }) => name === BROKER_COMMAND);
  const watched = [...own, ...brokers.map(({ pid }) => ({ name: 'rabbitmq', pid }))];
  return new Map(
    await Promise.all(watched.map(async ({ name, pid }) => [name, await usageOf(pid)] as const)),
  );
}

/** Returns the CPU between two readings for each of a number of items, such as pages. */
export function cpuBetween(before: StackUsage, after: StackUsage, items: number): CpuTimes {
  return new Map(
    [...after].map(([name, { cpuMs }]) => [name, (cpuMs - (before.get(name)?.cpuMs ?? 0)) / items]),
  );
}

/** Returns the CPU of all processes. */
export function totalOf(cpuMs: CpuTimes): number {
  return [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0);
}

/** Returns the processes of the services of a stack. */
export function pidsOf(stack: Pick<Stack, 'processes'>): number[] {
  return stack.processes().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
}

/** A process and its descendants (Linux). */
export interface TreeProcess {
  readonly pid: number;
  readonly command: string;
  /** Its own CPU in user and kernel mode. */
  readonly cpuMs: number;
}

/** Returns the processes with these ids and their descendants, in no particular order, without those that have just ended. */
export async function processTree(roots: readonly number[]): Promise<TreeProcess[]> {
  const tree = (await readBelow(roots)).filter(({ isEnded }) => !isEnded);
  const read = tree.map(async ({ pid, cpuMs }) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
    return command === undefined ? [] : [{ pid, cpuMs, command: command.replaceAll('\0', ' ') }];
  });
  return (await Promise.all(read)).flat();
}

/** Time in which an ended child is reaped by its parent; the zygote of Chromium reaps every two seconds. */
const REAPED_WITHIN_MS = 5000;

/** Returns the number of processes below these ids that have ended without being reaped (zombies). */
export async function countZombies(roots: readonly number[]): Promise<number> {
  const ended = async () => (await readBelow(roots)).filter(({ isEnded }) => isEnded).map(({ pid }) => pid);
  const before = await ended();
  if (before.length === 0) return 0;
  await sleep(REAPED_WITHIN_MS);
  const after = new Set(await ended());
  return before.filter((pid) => after.has(pid)).length;
}

/** Returns the processes of these groups, zombies included. */
export async function processesOf(groups: readonly number[]): Promise<number[]> {
  return (await readAll()).filter(({ group }) => groups.includes(group)).map(({ pid }) => pid);
}

async function readBelow(roots: readonly number[]) {
  const all = new Map((await readAll()).map((process) => [process.pid, process]));
  const isBelow = (pid: number): boolean => {
    if (roots.includes(pid)) return true;
    const parent = all.get(pid)?.parent ?? 0;
    return parent > 1 && isBelow(parent);
  };
  return [...all.values()].filter(({ pid }) => isBelow(pid));
}

/** A runnable Chromium with the environment variables it needs. */
export interface RunningBrowser {
  readonly path: string;
  readonly env: Record<string, string>;
}

/** Finds the Chromium of the stack. */
export async function runningBrowser(stack: Pick<Stack, 'processes'>): Promise<RunningBrowser> {
  const browser = (await processTree(pidsOf(stack))).find(
    ({ command }) => command.includes('--user-data-dir=') && !command.includes('--type='),
  );
  if (!browser) throw new Error('No browser runs.');
  const variables = (await readFile(`/proc/${browser.pid}/environ`, 'utf8')).split('\0');
  const needed = variables.filter((text) => /^(?:LD_LIBRARY_PATH|FONTCONFIG_FILE)=/.test(text));
  const env = Object.fromEntries(needed.map((text) => text.split(/=(.*)/s)));
  return { path: await readlink(`/proc/${browser.pid}/exe`), env };
}

const LOOK_EVERY_MS = 40;

/**
 * Adds up the CPU of processes and their descendants until it is stopped, by kind of process, which `nameOf` returns. It
 * samples often enough to miss little of short-lived ones, such as Chromium's renderers.
 */
export async function meterCpu(
  roots: readonly number[],
  nameOf: (process: TreeProcess) => string,
): Promise<{ stop(): Promise<CpuTimes> }> {
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
        const usedMs = process.cpuMs - (atStart.get(process.pid) ?? 0);
        sums.set(nameOf(process), (sums.get(nameOf(process)) ?? 0) + usedMs);
      }
      return sums;
    },
  };
}

/** Reads the memory of a process (https://man7.org/linux/man-pages/man5/proc_pid_status.5.html) and its CPU. */
async function usageOf(pid: number): Promise<ProcessUsage> {
  const [{ cpuMs }, status] = await Promise.all([readStat(pid), readFile(`/proc/${pid}/status`, 'utf8')]);
  const bytesOf = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return {
    cpuMs,
    peakBytes: bytesOf('VmHWM'),
    ownBytes: bytesOf('RssAnon') + bytesOf('RssShmem'),
    mappedBytes: bytesOf('RssFile'),
  };
}

async function readAll() {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  return (await Promise.all(pids.map((pid) => readStat(pid).catch(() => [])))).flat();
}

const MS_PER_TICK = 10;

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 2 to 5, 14 and 15; the name may contain spaces. */
async function readStat(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    isEnded: state === 'Z',
    parent: Number(fields[0]),
    group: Number(fields[1]),
    cpuMs: (Number(fields[10]) + Number(fields[11])) * MS_PER_TICK,
  };
}
