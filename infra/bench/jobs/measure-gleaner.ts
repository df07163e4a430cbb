import type { CreateJobRequest } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { createJob, pagesOf, readValues, untilEnded } from './ask-gleaner.ts';
import { type StackUsage, stackUsage } from './stack-usage.ts';
import { startBenchStack } from './start-bench-stack.ts';
import { FIELD_SETS, type Measured, type Workload } from './workload.ts';

/** Most pages of a crawl at once on one host. */
const MAX_CONCURRENCY = 30;

/** Data folder and broker of a stack. */
export interface GleanerSetting {
  readonly dataDir: string;
  /** Address of RabbitMQ; undefined for the embedded broker. */
  readonly amqpUrl: string | undefined;
}

/** Measures a whole Gleaner doing the work as one job, without its start and its warm-up. */
export async function measureGleaner(work: Workload, setting: GleanerSetting): Promise<Measured> {
  const usesRealBroker = setting.amqpUrl !== undefined;
  const stack = await startBenchStack({ ...setting, originUrl: work.url });
  try {
    await runJob(stack, work, work.warmUpPages);
    const before = await stackUsage(stack, usesRealBroker);
    const startedAt = performance.now();
    const place = await runJob(stack, work, work.pages);
    const seconds = (performance.now() - startedAt) / 1000;
    const after = await stackUsage(stack, usesRealBroker);
    return {
      ...perPage(before, after, work.pages),
      pagesPerSecond: work.pages / seconds,
      values: await readValues(stack, place),
    };
  } finally {
    await stack.stop();
  }
}

async function runJob(stack: Stack, work: Workload, pages: number): Promise<string> {
  const place = await createJob(stack, requestOf(work, pages));
  const { status, failedUrls } = await untilEnded(stack, place);
  if (status !== 'completed') throw new Error(`The job ended as ${status}: ${failedUrls} pages failed.`);
  return place;
}

function requestOf({ url, urls, fields }: Workload, pages: number): CreateJobRequest {
  const selectors = FIELD_SETS[fields];
  if (urls === 'listed') return { urls: pagesOf(url, pages), selectors };
  const crawl = {
    limit: pages,
    maxDepth: 100,
    concurrency: MAX_CONCURRENCY,
    sitemap: 'skip',
    robots: 'ignore',
  };
  return { urls: pagesOf(url, 1), selectors, crawl } as CreateJobRequest;
}

function perPage(before: StackUsage, after: StackUsage, pages: number) {
  const cpuMs = [...after].map(
    ([name, usage]) => [name, (usage.cpuMs - (before.get(name)?.cpuMs ?? 0)) / pages] as const,
  );
  const peakBytes = [...after].map(([name, usage]) => [name, usage.peakBytes] as const);
  return { cpuMs: new Map(cpuMs), peakBytes: new Map(peakBytes) };
}
