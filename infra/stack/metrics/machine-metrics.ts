import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Values that only the launcher of a stack knows. */
export interface MachineReadings {
  readonly processes: readonly {
    readonly name: string;
    readonly pid: number | undefined;
    readonly isReady: boolean;
    readonly restarts: number;
  }[];
  readonly dataDir: string;
}

interface Sample {
  readonly labels?: string;
  readonly value: number;
}

/** Renders what one machine has of its processes and its disk, in the text format of Prometheus. */
export async function renderMachineMetrics({ processes, dataDir }: MachineReadings): Promise<string> {
  const labels = (name: string) => `{process="${name}"}`;
  const memory = await Promise.all(
    processes.map(async ({ name, pid }) => ({ labels: labels(name), value: await residentBytes(pid) })),
  );
  const { bavail, bsize } = await statfs(dataDir);
  return [
    metric(
      'process_ready',
      'gauge',
      'Processes of npm start: ready (1), or ended, starting or not ready (0).',
      [...processes.map(({ name, isReady }) => ({ labels: labels(name), value: Number(isReady) }))],
    ),
    metric('process_restarts_total', 'counter', 'Times that npm start has started a process again.', [
      ...processes.map(({ name, restarts }) => ({ labels: labels(name), value: restarts })),
    ]),
    metric(
      'process_resident_bytes',
      'gauge',
      'Resident memory of each process of npm start; 0 if unknown.',
      memory,
    ),
    metric('data_bytes', 'gauge', 'Size of all files in the data folder of npm start.', [
      { value: await bytesIn(dataDir) },
    ]),
    metric('data_free_bytes', 'gauge', 'Free space on the disk of the data folder of npm start.', [
      { value: bavail * bsize },
    ]),
  ].join('');
}

function metric(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const fullName = `gleaner_${name}`;
  const lines = samples.map(({ labels = '', value }) => `${fullName}${labels} ${value}`);
  return [`# HELP ${fullName} ${help}`, `# TYPE ${fullName} ${type}`, ...lines, ''].join('\n');
}

/** Reads VmRSS of /proc/pid/status (proc(5)); 0 where it is missing. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      // Logs rotate and journals are removed while they are counted.
      .map(({ parentPath, name }) =>
        stat(join(parentPath, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
