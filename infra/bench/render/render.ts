import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Stack } from '../../stack/start-stack.ts';
import { Bench } from '../bench-stack.ts';
import { percentile, SHARES, timed } from '../figures.ts';
import { scrape } from '../jobs/ask-gleaner.ts';
import {
  type CpuTimes,
  meterCpu,
  pidsOf,
  type RunningBrowser,
  runningBrowser,
  type TreeProcess,
} from '../processes.ts';
import type { CrawleeOptions, CrawleeOrder, Rendered } from './crawlee-process.ts';

const CONCURRENCY = 4;
const ROUNDS = 3;
const PAGES_A_ROUND = 120;
const LATENCY_SAMPLES = 40;
const KINDS = ['small', 'app'] as const;
const SELECTORS = { title: 'title', names: '.row h2::text::all', prices: '.row .price::text::all' };

/** One turn of one side: its pages, and the CPU of all its processes by kind. */
interface Turn extends Rendered {
  readonly cpuMs: CpuTimes;
}

/**
 * Measures rendered pages per second and CPU per page: the whole service over REST, Chromium included, next to Crawlee's
 * PuppeteerCrawler, on the same pages, with the same browser (Linux).
 */
export async function benchRender(): Promise<void> {
  await using bench = await Bench.open();
  const { http: port = 0 } = await bench.startOrigin(join(import.meta.dirname, 'render-origin-process.ts'));
  const stack = await bench.startStack({
    originUrl: `http://127.0.0.1:${port}`,
    settings: { BROWSER_SCRAPE_CONCURRENCY: String(CONCURRENCY) },
  });
  await renderAll(stack, urlsOf(port, 'small', 'warm-up', CONCURRENCY));
  const crawlee = await startCrawlee(await runningBrowser(stack));
  bench.parts.defer(() => crawlee.disconnect());
  for (const kind of KINDS) await compare(kind, port, stack, crawlee);
  await reportLatency(port, stack);
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

async function measure(pids: readonly number[], work: () => Promise<Rendered>): Promise<Turn> {
  const meter = await meterCpu(pids, kindOf);
  const done = await work();
  return { ...done, cpuMs: await meter.stop() };
}

/** Checks that every side has seen the content built by scripts; otherwise the comparison means nothing. */
function requireComplete(urls: readonly string[], pages: Rendered['pages']): void {
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

async function renderAll(stack: Stack, urls: readonly string[]): Promise<Rendered> {
  const pages: { url: string; data: unknown }[] = [];
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

function render(stack: Stack, url: string): Promise<unknown> {
  return scrape(stack, { url, render: true, selectors: SELECTORS });
}

async function crawl(
  crawlee: ChildProcess,
  urls: readonly string[],
  options: CrawleeOptions,
): Promise<Rendered> {
  const order: CrawleeOrder = { urls, concurrency: CONCURRENCY, ...options };
  crawlee.send(order);
  const [crawled] = (await once(crawlee, 'message')) as [Rendered];
  return crawled;
}

async function startCrawlee({ path, env }: RunningBrowser): Promise<ChildProcess> {
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
    for (const url of urlsOf(port, kind, 'alone', LATENCY_SAMPLES))
      samplesMs.push(await timed(() => render(stack, url)));
    const cells = Object.entries(SHARES).map(
      ([label, share]) => `${label} ${percentile(samplesMs, share).toFixed(0)} ms`,
    );
    console.log(`render    ${kind.padEnd(6)} one at a time  ${cells.join('  ')}`);
  }
}
