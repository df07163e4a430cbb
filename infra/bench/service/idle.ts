import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stack, startStack } from '../../stack/start-stack.ts';
import { Bench } from '../bench-stack.ts';
import { mebibytes } from '../figures.ts';

const SETTLE_MS = 5000;

/** Measures the time of a second start and the memory of the idle stack (Linux). */
export async function benchIdle(): Promise<void> {
  await using bench = await Bench.open();
  const start = () => startStack({ dataDir: bench.folder });
  await (await start()).stop();
  const startedAt = performance.now();
  const stack = await start();
  const readyMs = performance.now() - startedAt;
  bench.parts.defer(() => stack.stop());
  await sleep(SETTLE_MS);
  console.log(`idle      second start ready in ${(readyMs / 1000).toFixed(2)} s`);
  await reportMemory(stack);
}

async function reportMemory(stack: Stack): Promise<void> {
  const processes = [...stack.processes(), { name: 'stack', pid: process.pid }];
  let total = 0;
  for (const { name, pid } of processes) {
    const bytes = await residentBytes(pid);
    total += bytes;
    console.log(`idle      ${name.padEnd(18)} ${mebibytes(bytes).padStart(4)} MiB`);
  }
  console.log(`idle      ${'all'.padEnd(18)} ${mebibytes(total).padStart(4)} MiB`);
}

/** Returns the memory of a process with shared pages divided among its users, so that sums over processes are right. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
}
