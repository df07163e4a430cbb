import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { createJob, pagesOf, readJob } from './ask-gleaner.ts';
import { judgeMemory, type MemorySample, type MemoryVerdict } from './judge-memory.ts';
import type { ProcessUsage } from './process-usage.ts';
import { type StackUsage, stackUsage } from './stack-usage.ts';
import { withPagesStack } from './with-pages-stack.ts';
import { FIELD_SETS } from './workload.ts';

const JOBS = 2;
const PAGES_A_JOB = 10_000;
const ROW_EVERY_PAGES = 2000;
const POLL_MS = 500;
const MIB = 1024 * 1024;

/**
 * Measures the resident memory of each process during a long series of pages (Linux), with its own memory and mapped files
 * shown separately: one row per sample, then a verdict on whether the process leaks.
 */
export async function benchEndurance(): Promise<void> {
  await withPagesStack(async (stack, originUrl) => {
    const names = stack.processes().map(({ name }) => name);
    console.log(`endurance MiB, own + mapped   ${names.map((name) => name.padStart(17)).join('')}`);
    const samples: Samples = new Map(names.map((name) => [name, []]));
    for (let job = 0; job < JOBS; job++) await watchJob(stack, originUrl, job * PAGES_A_JOB, samples);
    for (const [name, ofProcess] of samples) report(name, judgeMemory(ofProcess, JOBS * PAGES_A_JOB));
  });
}

/** Samples by the name of the process, oldest first. */
type Samples = ReadonlyMap<string, MemorySample[]>;

async function watchJob(
  stack: Stack,
  originUrl: string,
  pagesBefore: number,
  samples: Samples,
): Promise<void> {
  const place = await createJob(stack, {
    urls: pagesOf(originUrl, PAGES_A_JOB),
    selectors: FIELD_SETS.lists,
  });
  let nextRowAt = ROW_EVERY_PAGES;
  for (;;) {
    const { status, completedUrls, failedUrls } = await readJob(stack, place);
    const pages = pagesBefore + completedUrls;
    const usage = await stackUsage(stack, false);
    for (const [name, { ownBytes, mappedBytes }] of usage) {
      samples.get(name)?.push({ pages, ownBytes, mappedBytes });
    }
    if (completedUrls >= nextRowAt) {
      printRow(usage, pages, failedUrls);
      nextRowAt = completedUrls - (completedUrls % ROW_EVERY_PAGES) + ROW_EVERY_PAGES;
    }
    if (isTerminal(status)) return;
    await sleep(POLL_MS);
  }
}

function printRow(usage: StackUsage, pages: number, failedUrls: number): void {
  const cells = [...usage.values()].map((memory) => ownAndMapped(memory).padStart(17));
  console.log(`endurance ${String(pages).padStart(6)} pages, ${failedUrls} failed${cells.join('')}`);
}

function report(name: string, { keptBytes, mappedBytes, peakBytes, isFlat }: MemoryVerdict): void {
  const byQuarter = (bytes: readonly number[]) => bytes.map(mebibytes).join(', ');
  console.log(
    `endurance ${name.padEnd(17)} ${isFlat ? 'flat ' : 'GROWS'}  own by quarter ${byQuarter(keptBytes)} MiB once garbage is collected, ` +
      `${mebibytes(peakBytes)} at most  mapped files, which the kernel takes back, ${byQuarter(mappedBytes)} MiB`,
  );
}

function ownAndMapped({ ownBytes, mappedBytes }: ProcessUsage): string {
  return `${mebibytes(ownBytes)} + ${mebibytes(mappedBytes)}`;
}

function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}
