import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CreateJobRequest } from '@gleaner/contracts';
import { Bench, brokers, startBenchStack } from '../bench-stack.ts';
import { mebibytes, timed } from '../figures.ts';
import { cpuBetween, stackUsage, totalOf } from '../processes.ts';
import { pagesOf, readValues, runJob } from './ask-gleaner.ts';
import { RIVALS } from './rivals/rivals.ts';
import { FIELD_SETS, type FieldSet, type Measured, startPagesOrigin, type Workload } from './workload.ts';

const PAGES = 2000;
const WARM_UP_PAGES = 300;
/** Pages of the host at once, for every contender. */
const AT_ONCE = 30;

/** Pages of a host at once by default settings, and times that a site takes to answer, with pages for some ten seconds. */
const DEFAULT_AT_ONCE = 8;
const ANSWERING = [
  { delayMs: 1, pages: 2000 },
  { delayMs: 100, pages: 800 },
];

/**
 * Measures the CPU per page of a job over all processes of Gleaner, its broker and its database, on each available broker,
 * next to Scrapy and Crawlee doing the same work (Linux).
 */
export async function benchJobs(): Promise<void> {
  await using bench = await Bench.open();
  const origin = await startPagesOrigin(bench);
  for (const [fields, selectors] of Object.entries(FIELD_SETS)) {
    const what = `${Object.keys(selectors).length} ${fields} fields`;
    console.log(`jobs      ${PAGES} pages of ${kibibytes(origin)} KiB on average, ${what}`);
    await compareContenders('jobs', workOf(origin.url, 'listed', fields as FieldSet), bench);
  }
}

/**
 * Measures pages a second by default settings on sites that answer in 1 and in 100 milliseconds, next to Scrapy and Crawlee
 * with as many pages at once (Linux).
 */
export async function benchWaits(): Promise<void> {
  for (const { delayMs, pages } of ANSWERING) {
    await using bench = await Bench.open();
    const origin = await startPagesOrigin(bench, { delayMs });
    const possible = Math.round((DEFAULT_AT_ONCE / delayMs) * 1000);
    console.log(
      `waits     ${DEFAULT_AT_ONCE} pages at once, answered in ${delayMs} ms: at most ${possible} a second`,
    );
    await compareContenders(
      'waits',
      { ...workOf(origin.url, 'listed', 'simple'), pages, atOnce: DEFAULT_AT_ONCE },
      bench,
    );
  }
}

/**
 * Measures a crawl that finds all pages by their links, next to Scrapy and Crawlee following the same links, and next to a
 * job that is given the same URLs (Linux).
 */
export async function benchCrawls(): Promise<void> {
  await using bench = await Bench.open();
  const origin = await startPagesOrigin(bench, { linkedPages: PAGES });
  console.log(`crawls    ${PAGES} pages of ${kibibytes(origin)} KiB on average, found by their links`);
  const contenders = await compareContenders('crawls', workOf(origin.url, 'linked', 'simple'), bench);
  const list = await measureGleaner(workOf(origin.url, 'listed', 'simple'), join(bench.folder, 'listed'));
  const crawl = contenders.get('gleaner embedded');
  if (crawl === undefined) return;
  const more = (totalOf(crawl.cpuMs) - totalOf(list.cpuMs)).toFixed(2);
  const speed = (crawl.pagesPerSecond / list.pagesPerSecond).toFixed(2);
  console.log(`crawls    ${more} ms CPU a page more than a list of the same URLs, at ${speed} × its speed`);
}

function kibibytes({ meanBytes }: { readonly meanBytes: number }): string {
  return (meanBytes / 1024).toFixed(0);
}

function workOf(url: string, urls: Workload['urls'], fields: FieldSet): Workload {
  return { url, urls, fields, pages: PAGES, warmUpPages: WARM_UP_PAGES, atOnce: AT_ONCE };
}

/** Measures Gleaner on each available broker and its rivals doing the same work, and prints their figures. */
async function compareContenders(
  name: string,
  work: Workload,
  bench: Bench,
): Promise<ReadonlyMap<string, Measured>> {
  const folder = join(bench.folder, `${work.urls}-${work.fields}`);
  await mkdir(folder);
  const contenders = new Map<string, Measured>();
  for (const broker of await brokers()) {
    const measured = await measureGleaner(work, join(folder, broker.name), broker.amqpUrl);
    contenders.set(`${OURS} ${broker.name}`, measured);
  }
  for (const rival of RIVALS) {
    const measured = await rival.measure(work, folder);
    if (typeof measured === 'string') console.log(`${name.padEnd(9)} ${rival.name} ${measured}`);
    else contenders.set(rival.name, measured);
  }
  reportContenders(name, contenders);
  return contenders;
}

/** Measures a whole Gleaner doing the work as one job, without its start and its warm-up. */
async function measureGleaner(work: Workload, folder: string, amqpUrl?: string): Promise<Measured> {
  const settings = { MAX_PAGES_PER_HOST: String(work.atOnce) };
  const stack = await startBenchStack(folder, { amqpUrl, originUrl: work.url, settings });
  const usage = () => stackUsage(stack, amqpUrl !== undefined);
  try {
    await runJob(stack, requestOf(work, work.warmUpPages));
    const before = await usage();
    let place = '';
    const tookMs = await timed(async () => {
      place = await runJob(stack, requestOf(work, work.pages));
    });
    const after = await usage();
    return {
      cpuMs: cpuBetween(before, after, work.pages),
      peakBytes: new Map([...after].map(([name, { peakBytes }]) => [name, peakBytes])),
      pagesPerSecond: (work.pages / tookMs) * 1000,
      values: await readValues(stack, place),
    };
  } finally {
    await stack.stop();
  }
}

function requestOf({ url, urls, fields, atOnce }: Workload, pages: number): CreateJobRequest {
  const selectors = FIELD_SETS[fields];
  if (urls === 'listed') return { urls: pagesOf(url, pages), selectors };
  const crawl = { limit: pages, maxDepth: 100, concurrency: atOnce };
  return { urls: pagesOf(url, 1), selectors, crawl: { ...crawl, sitemap: 'skip', robots: 'ignore' } };
}

const OURS = 'gleaner';

/** Prints the processes, the total and the speed of every contender, and our ratios to the others. */
function reportContenders(bench: string, contenders: ReadonlyMap<string, Measured>): void {
  const label = (name: string) => `${bench.padEnd(9)} ${name.padEnd(16)}`;
  for (const [name, measured] of contenders) reportOne(label(name), measured);
  const [[first, reference] = ['', undefined]] = contenders;
  for (const [name, measured] of contenders) {
    if (reference === undefined || name === first) continue;
    console.log(`${label(name)} ${describeValues(reference.values, measured.values)} as ${first}`);
  }
  for (const [ours, own] of contenders) {
    if (!ours.startsWith(OURS)) continue;
    for (const [rival, theirs] of contenders) {
      if (rival.startsWith(OURS)) continue;
      const ratio = (totalOf(own.cpuMs) / totalOf(theirs.cpuMs)).toFixed(2);
      console.log(`${label(ours)} ${ratio} × the CPU of ${rival}`);
    }
  }
}

function reportOne(label: string, measured: Measured): void {
  for (const [process, cpuMs] of measured.cpuMs) {
    const peak = `${mebibytes(measured.peakBytes.get(process) ?? 0).padStart(5)} MiB at most`;
    console.log(`${label} ${process.padEnd(17)} ${inMs(cpuMs)} ms CPU a page ${peak}`);
  }
  const speed = `${measured.pagesPerSecond.toFixed(0).padStart(5)} pages a second`;
  console.log(`${label} ${'in all'.padEnd(17)} ${inMs(totalOf(measured.cpuMs))} ms CPU a page ${speed}`);
}

/** Tells of how many pages both have extracted the same data. */
function describeValues(ours: readonly unknown[], theirs: readonly unknown[]): string {
  const differing = ours.flatMap((value, page) => (isDeepStrictEqual(value, theirs[page]) ? [] : [page]));
  const equal = `took equal values of ${ours.length - differing.length} of ${ours.length} pages`;
  return differing.length === 0 ? equal : `${equal} (not of ${differing.slice(0, 5).join(', ')} …)`;
}

function inMs(ms: number): string {
  return ms.toFixed(2).padStart(6);
}
