import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stack, startStack } from '../../stack/start-stack.ts';

const SETTLE_MS = 5000;
const MIB = 1024 * 1024;

/** Measures the time of a second start and the memory of the idle stack (Linux). */
export async function benchIdle(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  try {
    await (await start(dataDir)).stop();
    const startedAt = performance.now();
    const stack = await start(dataDir);
    const readyMs = performance.now() - startedAt;
    await sleep(SETTLE_MS);
    console.log(`idle      second start ready in ${(readyMs / 1000).toFixed(2)} s`);
    await reportMemory(stack);
    await stack.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function start(dataDir: string): Promise<Stack> {
  return startStack({
    dataDir,
  });
}

async function reportMemory(stack: Stack): Promise<void> {
  const processes = [...stack.processes(), { name: 'stack', pid: process.pid }];
  let total = 0;
  for (const { name, pid } of processes) {
    const bytes = await residentBytes(pid);
    total += bytes;
    console.log(`idle      ${name.padEnd(18)} ${(bytes / MIB).toFixed(0).padStart(4)} MiB`);
  }
  console.log(`idle      ${'all'.padEnd(18)} ${(total / MIB).toFixed(0).padStart(4)} MiB`);
}

/** Returns the memory of a process with shared pages divided among its users, so that sums over processes are right. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
}
