import { readFile } from 'node:fs/promises';

/** What a process has used so far (Linux). */
export interface ProcessUsage {
  readonly cpuMs: number;
  /** Of the thread that answers everybody. */
  readonly mainThreadCpuMs: number;
  readonly peakBytes: number;
  readonly residentBytes: number;
  /** Of the resident bytes, those that only swap or the process itself can free: heap, buffers, stacks. */
  readonly ownBytes: number;
  /**
   * The rest: pages of files (programs, LMDB's data) that are in the page cache and mapped, each as often as it is
   * mapped. The kernel takes them back when it needs the memory.
   */
  readonly mappedBytes: number;
}

const MS_PER_TICK = 10;

/**
 * Reads /proc: CPU in user and kernel mode, and memory that is resident, now and at most
 * (https://man7.org/linux/man-pages/man5/proc_pid_status.5.html).
 */
export async function processUsage(pid: number): Promise<ProcessUsage> {
  const [all, mainThread, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  return {
    cpuMs: cpuMsOf(all),
    mainThreadCpuMs: cpuMsOf(mainThread),
    peakBytes: bytesOf('VmHWM', status),
    residentBytes: bytesOf('VmRSS', status),
    ownBytes: bytesOf('RssAnon', status) + bytesOf('RssShmem', status),
    mappedBytes: bytesOf('RssFile', status),
  };
}

function bytesOf(field: string, status: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 14 and 15; the name before may hold spaces. */
function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
