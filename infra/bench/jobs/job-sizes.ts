import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { percentile } from '../percentile.ts';
import { createJob, pagesOf, readJob } from './ask-gleaner.ts';
import { judgeMemory, type MemorySample } from './judge-memory.ts';
import { type StackUsage, stackUsage } from './stack-usage.ts';
import { withPagesStack } from './with-pages-stack.ts';
import { FIELD_SETS } from './workload.ts';

const WARM_UP_PAGES = 3000;
const SMALL_JOBS = 5;
const SMALL_PAGES = 1000;
/** As many as the API takes. */
const LARGE_PAGES = 100_000;
const POLL_MS = 500;
const MIB = 1024 * 1024;

/** Compares the CPU per page of small jobs with that of the largest job, and judges the memory of its run (Linux). */
export async function benchJobSizes(): Promise<void> {
  await withPagesStack(async (stack, originUrl) => {
    await runJob(stack, originUrl, WARM_UP_PAGES);
    const small: number[] = [];
    for (let job = 0; job < SMALL_JOBS; job++) {
      small.push(reportCpu(SMALL_PAGES, await runJob(stack, originUrl, SMALL_PAGES)));
    }
    const largeJob = await runJob(stack, originUrl, LARGE_PAGES);
    const large = reportCpu(LARGE_PAGES, largeJob);
    const ratio = (large / percentile(small, 0.5)).toFixed(2);
    console.log(`job-sizes a page of the large job costs ${ratio} × one of the small jobs`);
    reportMemory(LARGE_PAGES, largeJob);
  });
}

/** Cost of a job by process. */
interface JobCost {
  readonly cpuMs: ReadonlyMap<string, number>;
  readonly memory: ReadonlyMap<string, readonly MemorySample[]>;
}

async function runJob(stack: Stack, originUrl: string, pages: number): Promise<JobCost> {
  const memory = new Map<string, MemorySample[]>();
  const before = await stackUsage(stack, false);
  const place = await createJob(stack, { urls: pagesOf(originUrl, pages), selectors: FIELD_SETS.simple });
  for (;;) {
    const { status, completedUrls, failedUrls } = await readJob(stack, place);
    const usage = await stackUsage(stack, false);
    for (const [name, { ownBytes, mappedBytes }] of usage) {
      const sample = { pages: completedUrls, ownBytes, mappedBytes };
      memory.set(name, [...(memory.get(name) ?? []), sample]);
    }
    if (status === 'completed') return { cpuMs: cpuBetween(before, usage), memory };
    if (isTerminal(status)) throw new Error(`The job ended as ${status}: ${failedUrls} pages failed.`);
    await sleep(POLL_MS);
  }
}

function cpuBetween(before: StackUsage, after: StackUsage): ReadonlyMap<string, number> {
  return new Map([...after].map(([name, { cpuMs }]) => [name, cpuMs - (before.get(name)?.cpuMs ?? 0)]));
}

/** Prints the CPU for each page and returns their sum, in milliseconds. */
function reportCpu(pages: number, { cpuMs }: JobCost): number {
  const cells = [...cpuMs].map(([name, ms]) => `${name} ${(ms / pages).toFixed(2)}`);
  const sum = [...cpuMs.values()].reduce((total, ms) => total + ms, 0) / pages;
  console.log(
    `job-sizes ${String(pages).padStart(6)} pages ${sum.toFixed(2)} ms a page: ${cells.join(', ')}`,
  );
  return sum;
}

function reportMemory(pages: number, { memory }: JobCost): void {
  for (const [name, samples] of memory) {
    const { keptBytes, peakBytes, isFlat } = judgeMemory(samples, pages);
    const quarters = keptBytes.map((bytes) => (bytes / MIB).toFixed(0)).join(', ');
    console.log(
      `job-sizes ${name.padEnd(17)} ${isFlat ? 'flat ' : 'GROWS'} ${quarters} MiB by quarter of the large job, ` +
        `${(peakBytes / MIB).toFixed(0)} at most`,
    );
  }
}
