import { readFile } from 'node:fs/promises';

/** CPU and memory that a process has used so far (Linux). */
export interface ProcessUsage {
  readonly cpuMs: number;
  /** CPU of the main thread. */
  readonly mainThreadCpuMs: number;
  readonly peakBytes: number;
  readonly residentBytes: number;
  /** Resident bytes that only the process itself or swapping can free: heap, buffers, stacks. */
  readonly ownBytes: number;
  /**
   * The remaining resident bytes: mapped pages of files (programs, LMDB's data) in the page cache, each counted as often as it
   * is mapped. The kernel reclaims them when it needs memory.
   */
  readonly mappedBytes: number;
}

const MS_PER_TICK = 10;

/**
 * Reads from /proc the CPU in user and kernel mode, and the present and the highest resident memory
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

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 14 and 15; the name before them may contain spaces. */
function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
