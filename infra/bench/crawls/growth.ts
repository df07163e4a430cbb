import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { createJob, pagesOf, readJob } from '../jobs/ask-gleaner.ts';
import { type StackUsage, stackUsage } from '../jobs/stack-usage.ts';
import { startBenchStack } from '../jobs/start-bench-stack.ts';
import { startCrawlOrigin } from './start-crawl-origin.ts';

const PAGES = 200_000;
const PARTS = 10;
const POLL_MS = 1000;
const MIB = 1024 * 1024;

/** CPU so far, and the pages done for it. */
interface Sample {
  readonly done: number;
  readonly usage: StackUsage;
}

/** Measures the CPU per page and the memory of each tenth of one large crawl of small pages (Linux). */
export async function benchGrowth(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = await startCrawlOrigin(folder, { pages: PAGES, size: 'small' });
  const stack = await startBenchStack({
    dataDir: join(folder, 'stack'),
    amqpUrl: undefined,
    originUrl: origin.url,
    settings: { MAX_PAGES_PER_CRAWL: String(PAGES) },
  });
  try {
    await measure(stack, origin.url);
  } finally {
    await stack.stop();
    await origin.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(stack: Stack, originUrl: string): Promise<void> {
  const place = await createJob(stack, {
    urls: pagesOf(originUrl, 1),
    selectors: { title: 'title', heading: 'h1' },
    crawl: { limit: PAGES, maxDepth: 100, concurrency: 30, sitemap: 'skip', robots: 'ignore' },
  });
  let last: Sample = { done: 0, usage: await stackUsage(stack, false) };
  const costs: number[] = [];
  console.log(`growth    ${PAGES} small pages, found by their links; CPU a page and resident memory`);
  for (let ended = false; !ended; await sleep(POLL_MS)) {
    const { status, crawl } = await readJob(stack, place);
    ended = isTerminal(status);
    const done = crawl?.fetched ?? 0;
    if (done < last.done + PAGES / PARTS && !ended) continue;
    const next: Sample = { done, usage: await stackUsage(stack, false) };
    if (next.done > last.done) costs.push(report(last, next));
    last = next;
  }
  const [first = 0] = costs;
  console.log(`growth    the last part costs ${((costs.at(-1) ?? 0) / first).toFixed(2)} × the first`);
}

function report(last: Sample, next: Sample): number {
  const pages = next.done - last.done;
  const cells = [...next.usage].map(([name, usage]) => {
    const cpuMs = (usage.cpuMs - (last.usage.get(name)?.cpuMs ?? 0)) / pages;
    return { name, cpuMs, mib: usage.ownBytes / MIB };
  });
  const cpuMs = cells.reduce((sum, cell) => sum + cell.cpuMs, 0);
  const memory = cells.map(({ name, mib }) => `${name} ${mib.toFixed(0)} MiB`).join(', ');
  console.log(`growth    to ${String(next.done).padStart(7)} ${cpuMs.toFixed(2)} ms CPU a page; ${memory}`);
  return cpuMs;
}
