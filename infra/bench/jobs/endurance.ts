import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { createJob, pagesOf, readJob } from './ask-gleaner.ts';
import { stackUsage } from './stack-usage.ts';
import { startBenchStack } from './start-bench-stack.ts';
import { startPagesOrigin } from './workload.ts';

const JOBS = 2;
const PAGES_A_JOB = 10_000;
const SAMPLE_EVERY_PAGES = 2000;
const POLL_MS = 500;
const MIB = 1024 * 1024;

/** How much memory each process has resident while 20,000 pages pass through (Linux): a row for every 2000 of them. */
export async function benchEndurance(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = await startPagesOrigin(folder);
  const stack = await startBenchStack({
    dataDir: join(folder, 'stack'),
    amqpUrl: undefined,
    originUrl: origin.url,
  });
  try {
    const names = stack.processes().map(({ name }) => name);
    console.log(`endurance resident MiB after ${names.map((name) => name.padStart(17)).join('')}`);
    for (let job = 0; job < JOBS; job++) await watchJob(stack, origin.url, job * PAGES_A_JOB);
  } finally {
    await stack.stop();
    await origin.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function watchJob(stack: Stack, originUrl: string, pagesBefore: number): Promise<void> {
  const place = await createJob(stack, pagesOf(originUrl, PAGES_A_JOB));
  let nextSampleAt = SAMPLE_EVERY_PAGES;
  for (;;) {
    const { status, completedUrls, failedUrls } = await readJob(stack, place);
    if (completedUrls >= nextSampleAt) {
      await printMemory(stack, pagesBefore + completedUrls, failedUrls);
      nextSampleAt = completedUrls - (completedUrls % SAMPLE_EVERY_PAGES) + SAMPLE_EVERY_PAGES;
    }
    if (isTerminal(status)) return;
    await sleep(POLL_MS);
  }
}

async function printMemory(stack: Stack, pages: number, failedUrls: number): Promise<void> {
  const usage = await stackUsage(stack, false);
  const cells = [...usage.values()].map(({ residentBytes }) => (residentBytes / MIB).toFixed(0).padStart(17));
  console.log(`endurance ${String(pages).padStart(6)} pages, ${failedUrls} failed${cells.join('')}`);
}
