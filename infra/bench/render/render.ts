import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SupervisedProcess } from '../../stack/processes/supervised-process.ts';
import type { Stack } from '../../stack/start-stack.ts';
import { percentile } from '../percentile.ts';
import { postScrape } from '../post-scrape.ts';
import { meterCpu, type TreeProcess } from '../process-tree.ts';
import { pidsOf, runningBrowser } from '../running-browser.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import type { CrawleeOptions, CrawleeOrder, CrawleeReport, RenderedPage } from './crawlee-messages.ts';

const CONCURRENCY = 4;
const ROUNDS = 3;
const PAGES_A_ROUND = 120;
const LATENCY_SAMPLES = 40;
const KINDS = ['small', 'app'] as const;
const SELECTORS = { title: 'title', names: '.row h2::text::all', prices: '.row .price::text::all' };

/** One turn of one side: the data of its pages, its time, and the CPU of all its processes. */
interface Turn {
  readonly pages: readonly RenderedPage[];
  readonly elapsedMs: number;
  /** CPU by kind of process. */
  readonly cpuMs: ReadonlyMap<string, number>;
}

/** A turn before its CPU is known. */
type Done = Pick<Turn, 'pages' | 'elapsedMs'>;

/**
 * Measures rendered pages per second and CPU per page: the whole service over REST, Chromium included, next to Crawlee's
 * PuppeteerCrawler, on the same pages, with the same browser (Linux).
 */
export async function benchRender(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const logFile = join(dataDir, 'origin.log');
  const entry = join(import.meta.dirname, 'render-origin-process.ts');
  const origin = new SupervisedProcess({ name: 'origin', entry, env: {}, logFile }, console.error);
  const { http: port = 0 } = (await origin.start()).ports;
  const stack = await startScrapeStack({
    dataDir: join(dataDir, 'stack'),
    originPort: port,
    settings: { BROWSER_SCRAPE_CONCURRENCY: String(CONCURRENCY) },
  });
  let crawlee: ChildProcess | undefined;
  try {
    await renderAll(stack, urlsOf(port, 'small', 'warm-up', CONCURRENCY));
    crawlee = await startCrawlee(await runningBrowser(stack));
    for (const kind of KINDS) await compare(kind, port, stack, crawlee);
    await reportLatency(port, stack);
  } finally {
    crawlee?.disconnect();
    await stack.stop();
    await origin.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Crawlee with a context per page, as ours has for each account; without its additions to rendering; and with its defaults. */
const CRAWLEES: Readonly<Record<string, CrawleeOptions>> = {
  'crawlee, a context per page': { useFingerprints: true, useIncognitoPages: true },
  'the same without fingerprints': { useFingerprints: false, useIncognitoPages: true },
  'crawlee, one context for all': { useFingerprints: true, useIncognitoPages: false },
};
const OURS = 'gleaner';

/** Alternates between the sides, so that changes of the machine's speed affect all alike. */
async function compare(kind: string, port: number, stack: Stack, crawlee: ChildProcess): Promise<void> {
  const turns = new Map<string, Turn[]>([OURS, ...Object.keys(CRAWLEES)].map((side) => [side, []]));
  for (let round = -1; round < ROUNDS; round++) {
    const urls = urlsOf(port, kind, `${round}`, PAGES_A_ROUND);
    for (const [side, done] of turns) {
      const options = CRAWLEES[side];
      const turn = options
        ? await measure([crawlee.pid ?? 0], () => crawl(crawlee, urls, options))
        : await measure(pidsOf(stack), () => renderAll(stack, urls));
      requireComplete(urls, turn.pages);
      // The first round is the warm-up.
      if (round >= 0) done.push(turn);
    }
  }
  report(kind, turns);
}

async function measure(pids: readonly number[], work: () => Promise<Done>): Promise<Turn> {
  const meter = await meterCpu(pids, kindOf);
  const done = await work();
  return { ...done, cpuMs: await meter.stop() };
}

/** Checks that every side has seen the content that scripts build; otherwise the comparison means nothing. */
function requireComplete(urls: readonly string[], pages: readonly RenderedPage[]): void {
  const data = new Map(pages.map((page) => [page.url, page.data]));
  const isRight = urls.every((url) => isDeepStrictEqual(data.get(url), expectedOf(url)));
  if (!isRight) throw new Error('Something else was taken from the pages than what is in them.');
}

/** Content of the pages of render-origin-process.ts. */
function expectedOf(url: string): object {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const rows = Array.from({ length: 40 }, (_, row) => row);
  return {
    title: '40 rows',
    names: rows.map((row) => `Row ${row} of ${name}`),
    prices: rows.map((row) => `${row}.90`),
  };
}

async function renderAll(stack: Stack, urls: readonly string[]): Promise<Done> {
  const pages: RenderedPage[] = [];
  const left = [...urls];
  const startedAt = performance.now();
  const caller = async () => {
    for (let url = left.pop(); url !== undefined; url = left.pop()) {
      pages.push({ url, data: await render(stack, url) });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  return { pages, elapsedMs: performance.now() - startedAt };
}

async function render(stack: Stack, url: string): Promise<unknown> {
  const response = await postScrape(stack, { url, render: true, selectors: SELECTORS });
  const body = (await response.json()) as { data: unknown; error?: unknown };
  if (!response.ok) throw new Error(JSON.stringify(body.error));
  return body.data;
}

async function crawl(
  crawlee: ChildProcess,
  urls: readonly string[],
  options: CrawleeOptions,
): Promise<CrawleeReport> {
  const order: CrawleeOrder = { urls, concurrency: CONCURRENCY, ...options };
  crawlee.send(order);
  const [crawled] = (await once(crawlee, 'message')) as [CrawleeReport];
  return crawled;
}

async function startCrawlee({
  path,
  env,
}: {
  path: string;
  env: Record<string, string>;
}): Promise<ChildProcess> {
  const crawlee = fork(join(import.meta.dirname, 'crawlee-process.ts'), {
    env: { ...process.env, ...env, CHROMIUM_PATH: path },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(crawlee, 'message');
  return crawlee;
}

function urlsOf(port: number, kind: string, name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `http://127.0.0.1:${port}/${kind}/${name}-${index}`);
}

/** Rendering is the scraper or the crawler with its Chromium; Crawlee has no counterpart of the other services. */
function kindOf({ command }: TreeProcess): 'chromium' | 'engine' | 'service' {
  if (command.includes('/chromium')) return 'chromium';
  return /services\/scraper|crawlee-process/.test(command) ? 'engine' : 'service';
}

function report(kind: string, turns: ReadonlyMap<string, readonly Turn[]>): void {
  const ours = sum(turns.get(OURS) ?? []);
  for (const [side, done] of turns) {
    const { rate, engineMs, chromiumMs, totalMs } = sum(done);
    const ratios = [ours.rate / rate, engineMs / ours.engineMs, totalMs / ours.totalMs];
    const [inRate, inEngine, inTotal] = ratios.map((ratio) => ratio.toFixed(2));
    console.log(
      `render    ${kind.padEnd(6)} ${side.padEnd(29)} ${rate.toFixed(1)} pages/s  CPU a page ${totalMs.toFixed(0)} ms, ` +
        `${engineMs.toFixed(0)} of the engine, ${chromiumMs.toFixed(0)} of its Chromium  ` +
        `ratio ${inRate} in rate, ${inTotal} in CPU, ${inEngine} of the engine`,
    );
  }
}

/** Means over pages. */
interface Sum {
  readonly rate: number;
  readonly totalMs: number;
  readonly engineMs: number;
  readonly chromiumMs: number;
}

function sum(turns: readonly Turn[]): Sum {
  const total = (of: (turn: Turn) => number) => turns.reduce((sum, turn) => sum + of(turn), 0);
  const pages = total((turn) => turn.pages.length);
  const cpuMs = (name: string) => total((turn) => turn.cpuMs.get(name) ?? 0) / pages;
  const chromiumMs = cpuMs('chromium');
  const engineMs = chromiumMs + cpuMs('engine');
  const elapsedSeconds = total((turn) => turn.elapsedMs) / 1000;
  return { rate: pages / elapsedSeconds, totalMs: engineMs + cpuMs('service'), engineMs, chromiumMs };
}

async function reportLatency(port: number, stack: Stack): Promise<void> {
  for (const kind of KINDS) {
    const samplesMs: number[] = [];
    for (const url of urlsOf(port, kind, 'alone', LATENCY_SAMPLES)) {
      const startedAt = performance.now();
      await render(stack, url);
      samplesMs.push(performance.now() - startedAt);
    }
    const [p50, p95] = [percentile(samplesMs, 0.5), percentile(samplesMs, 0.95)];
    console.log(
      `render    ${kind.padEnd(6)} one at a time  p50 ${p50.toFixed(0)} ms  p95 ${p95.toFixed(0)} ms`,
    );
  }
}
