import type { CreateJobRequest, Job } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { Bench } from '../bench-stack.ts';
import { mebibytes, percentile } from '../figures.ts';
import { sizeOf } from '../files.ts';
import { type CpuTimes, cpuBetween, type StackUsage, stackUsage, totalOf } from '../processes.ts';
import { pagesOf, runJob } from './ask-gleaner.ts';
import { judgeMemory, type MemorySample } from './judge-memory.ts';
import { WEB_DOMAIN } from './web-hosts.ts';
import { FIELD_SETS, startPagesOrigin, startWebStack, withPagesStack } from './workload.ts';

/** Samples of memory by the name of the process, oldest first. */
type Samples = Map<string, MemorySample[]>;

/** A job that is sampled while it runs. */
interface SampledJob {
  readonly request: CreateJobRequest;
  readonly onSample?: (usage: StackUsage, job: Job) => void | Promise<void>;
}

/** Runs a job and adds samples of memory; returns its CPU for each page. */
async function sampleJob(
  stack: Stack,
  { request, onSample }: SampledJob,
  samples: Samples,
): Promise<CpuTimes> {
  const before = await stackUsage(stack, false);
  let after = before;
  let finished = 0;
  await runJob(stack, request, async (job) => {
    after = await stackUsage(stack, false);
    finished = job.completedUrls;
    for (const [name, { ownBytes, mappedBytes }] of after) {
      const ofProcess = samples.get(name) ?? [];
      samples.set(name, ofProcess);
      ofProcess.push({ pages: finished, ownBytes, mappedBytes });
    }
    await onSample?.(after, job);
  });
  const asked = request.crawl?.limit ?? request.urls.length;
  if (finished < asked) throw new Error(`The job ended with ${finished} of ${asked} pages.`);
  return cpuBetween(before, after, finished);
}

/** Prints of each process whether it leaks. */
function reportMemory(bench: string, samples: Samples, pages: number): void {
  for (const [name, ofProcess] of samples) {
    const { keptBytes, mappedBytes, peakBytes, isFlat } = judgeMemory(ofProcess, pages);
    const byQuarter = (bytes: readonly number[]) => bytes.map(mebibytes).join(', ');
    console.log(
      `${bench.padEnd(9)} ${name.padEnd(17)} ${isFlat ? 'flat ' : 'GROWS'}  own by quarter ${byQuarter(keptBytes)} MiB once garbage is collected, ` +
        `${mebibytes(peakBytes)} at most  mapped files, which the kernel takes back, ${byQuarter(mappedBytes)} MiB`,
    );
  }
}

/** The large job has as many pages as the API takes. */
const SIZES = { warmUp: 3000, small: 1000, large: 100_000 };
const SMALL_JOBS = 5;

/** Compares the CPU per page of small jobs with that of the largest job, and judges the memory of its run (Linux). */
export async function benchJobSizes(): Promise<void> {
  await withPagesStack(async (stack, originUrl) => {
    const run = async (pages: number, samples: Samples = new Map()) => {
      const request = { urls: pagesOf(originUrl, pages), selectors: FIELD_SETS.simple };
      return reportCpu(pages, await sampleJob(stack, { request }, samples));
    };
    await run(SIZES.warmUp);
    const small: number[] = [];
    for (let job = 0; job < SMALL_JOBS; job++) small.push(await run(SIZES.small));
    const samples: Samples = new Map();
    const ratio = ((await run(SIZES.large, samples)) / percentile(small, 0.5)).toFixed(2);
    console.log(`job-sizes a page of the large job costs ${ratio} × one of the small jobs`);
    reportMemory('job-sizes', samples, SIZES.large);
  });
}

/** Prints the CPU for each page and returns their sum, in milliseconds. */
function reportCpu(pages: number, cpuMs: CpuTimes): number {
  const cells = [...cpuMs].map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  const sum = totalOf(cpuMs);
  console.log(
    `job-sizes ${String(pages).padStart(6)} pages ${sum.toFixed(2)} ms a page: ${cells.join(', ')}`,
  );
  return sum;
}

/** Pages of the crawl, CRAWL_PAGES, and the hosts of the web that it goes through, CRAWL_HOSTS; one host with all pages by default. */
const { CRAWL_PAGES = '1000000', CRAWL_HOSTS = '0' } = process.env;
const CRAWL = { pages: Number(CRAWL_PAGES), hosts: Number(CRAWL_HOSTS), concurrency: 30, rows: 20 };
/** Most hosts of a crawl, by the API. */
const HOSTS_OF_CRAWL = 1000;

/** Crawls as many small pages as a crawl may have, and tells the memory of each process and the size of all files (Linux). */
export async function benchLargeCrawl(): Promise<void> {
  await using bench = await Bench.open();
  const { pages, hosts, concurrency, rows } = CRAWL;
  const smallPages = hosts > 0 ? Math.ceil(pages / HOSTS_OF_CRAWL) * 2 : pages;
  const { url } = await startPagesOrigin(bench, { smallPages, hosts });
  const settings = { MAX_PAGES_PER_CRAWL: String(pages) };
  const stack = await startWebStack(bench, { originUrl: url, settings, egressAllow: [`*.${WEB_DOMAIN}`] });
  const request: CreateJobRequest = {
    urls: pagesOf(url, 1),
    selectors: FIELD_SETS.simple,
    // All URLs are of one pattern.
    crawl: {
      limit: pages,
      maxPerPattern: pages,
      maxDepth: 100,
      concurrency,
      sitemap: 'skip',
      ...(hosts > 0
        ? { robots: 'obey', scope: 'any', maxHosts: HOSTS_OF_CRAWL }
        : { robots: 'ignore', scope: 'host' }),
    },
  };
  let last = { pages: 0, atMs: performance.now() };
  const onSample = async (usage: StackUsage, { completedUrls, failedUrls }: Job) => {
    if (completedUrls < last.pages + pages / rows) return;
    const now = { pages: completedUrls, atMs: performance.now() };
    const speed = ((now.pages - last.pages) / (now.atMs - last.atMs)) * 1000;
    last = now;
    printRow(usage, { pages: completedUrls, failed: failedUrls });
    const size = mebibytes(await sizeOf(bench.folder));
    console.log(`crawl     ${completedUrls} pages, ${speed.toFixed(0)} a second, ${size} MiB of files`);
  };
  const samples: Samples = new Map();
  const cpuMs = await sampleJob(stack, { request, onSample }, samples);
  reportCpu(pages, cpuMs);
  reportMemory('crawl', samples, pages);
}

function printRow(usage: StackUsage, { pages, failed }: Record<'pages' | 'failed', number>): void {
  const cells = [...usage.values()].map(({ ownBytes, mappedBytes }) =>
    `${mebibytes(ownBytes)} + ${mebibytes(mappedBytes)}`.padStart(17),
  );
  console.log(`crawl     ${String(pages).padStart(6)} pages, ${failed} failed${cells.join('')}`);
}
