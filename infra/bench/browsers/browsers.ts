import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOrigin } from '@gleaner/test-kit';
import type { Stack } from '../../stack/start-stack.ts';
import { postScrape } from '../post-scrape.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import { type BrowserFootprint, settledFootprint } from './browser-footprint.ts';
import { HOSTILE_PAGES, type HostilePage } from './hostile-pages.ts';
import { MIXED_RENDERS } from './mixed-renders.ts';

const RENDERS = 500;
const HOSTILE_RENDERS = 200;
const CONCURRENCY = 4;
const HOSTILE_TIMEOUT_MS = 5000;
const RENDER_TIMEOUT_MS = 60_000;

/** Outcome of one scrape. */
interface Ending {
  readonly outcome: string;
  readonly message: string;
  readonly elapsedMs: number;
}

/**
 * Measures the processes, memory and profiles that browsers leave after renders of all kinds and after hostile pages, and
 * lists the outcomes of the hostile pages (Linux).
 */
export async function benchBrowsers(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const browserDir = join(dataDir, 'browsers');
  const origin = await startOrigin();
  const stack = await startScrapeStack({
    dataDir: join(dataDir, 'stack'),
    originPort: origin.port,
    settings: { BROWSER_DIR: browserDir, BROWSER_TAB_MAX_MB: '400' },
  });
  try {
    await endure(stack, origin.url, browserDir);
  } finally {
    await stack.stop();
    await origin.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function endure(stack: Stack, origin: string, browserDir: string): Promise<void> {
  const scraper = stack.processes().find(({ name }) => name === 'scraper')?.pid ?? 0;
  const show = async (moment: string) => say(moment, await settledFootprint(scraper, browserDir));
  await renderMixed(stack, origin, MIXED_RENDERS.length);
  await show('before');
  const mixed = await renderMixed(stack, origin, RENDERS);
  console.log(
    `browsers  ${RENDERS} renders of all kinds: ${JSON.stringify(countBy(mixed, ({ outcome }) => outcome))}`,
  );
  await show(`after ${RENDERS} renders`);
  await besiege(stack, origin);
  await show(`after ${HOSTILE_RENDERS} hostile pages`);
  const last = await renderMixed(stack, origin, MIXED_RENDERS.length);
  console.log(`browsers  one of each kind again: ${JSON.stringify(countBy(last, ({ outcome }) => outcome))}`);
}

function renderMixed(stack: Stack, origin: string, count: number): Promise<Ending[]> {
  const renders = Array.from({ length: count }, (_, index) => MIXED_RENDERS[index % MIXED_RENDERS.length]);
  return inTurns(renders, (render) =>
    scrape(stack, { url: origin + render?.path, timeout: RENDER_TIMEOUT_MS, ...render?.options }),
  );
}

async function besiege(stack: Stack, origin: string): Promise<void> {
  const pages = Array.from(
    { length: HOSTILE_RENDERS },
    (_, index) => HOSTILE_PAGES[index % HOSTILE_PAGES.length],
  );
  const endings = await inTurns(pages as HostilePage[], async (page) => {
    const options = {
      render: true,
      selectors: { heading: 'h1' },
      timeout: HOSTILE_TIMEOUT_MS,
      ...page.options,
    };
    return { page, ...(await scrape(stack, { url: origin + page.path, ...options })) };
  });
  for (const page of HOSTILE_PAGES) {
    const own = endings.filter((ending) => ending.page === page);
    const slowestMs = Math.max(...own.map(({ elapsedMs }) => elapsedMs));
    const isAsExpected = own.every(({ outcome }) => page.outcomes.includes(outcome));
    console.log(
      `browsers  ${isAsExpected ? ' ' : '!'} ${page.name.padEnd(32)} ${JSON.stringify(countBy(own, ({ outcome }) => outcome)).padEnd(28)} ` +
        `slowest ${(slowestMs / 1000).toFixed(1)} s  ${own[0]?.message ?? ''}`,
    );
  }
}

/** Runs a few at a time and returns the outcomes, in no particular order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const left = [...items];
  const results: Result[] = [];
  const worker = async () => {
    while (left.length > 0) results.push(await work(left.shift() as Item));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

async function scrape(stack: Stack, body: object): Promise<Ending> {
  const startedAt = performance.now();
  const response = await postScrape(stack, body);
  const { data, error } = (await response.json()) as {
    data?: { heading?: string };
    error?: { code: string; message: string };
  };
  const elapsedMs = performance.now() - startedAt;
  return { outcome: error?.code ?? 'success', message: error?.message ?? data?.heading ?? '', elapsedMs };
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, keyOf)].map(([key, group]) => [key, group.length]));
}

function say(moment: string, footprint: BrowserFootprint): void {
  const { processes, renderers, chromiumMb, scraperMb, profiles, strays } = footprint;
  console.log(
    `browsers  ${moment.padEnd(24)} Chromium ${processes} processes (${renderers} renderers), ${chromiumMb} MB  ` +
      `scraper ${scraperMb} MB  profiles ${profiles}  strays ${strays}`,
  );
}
