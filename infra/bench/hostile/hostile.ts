import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedProcess } from '../../stack/processes/supervised-process.ts';
import type { Stack } from '../../stack/start-stack.ts';
import { percentile } from '../percentile.ts';
import { postScrape } from '../post-scrape.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import { HOSTILE_PATHS } from './hostile-origin.ts';
import { laySiege, type Outcomes } from './lay-siege.ts';
import { processUsage } from './process-usage.ts';

const ROUNDS = 6;
const SAMPLES_A_ROUND = 100;
const PAUSE_MS = 20;
const SETTLE_MS = 500;
const MIB = 1024 * 1024;

const HOSTILE_SELECTORS = { deep: 'div:has(b)', chain: 'div div div div b', rows: 'p.row::text::all' };
const WATCHED = ['scraper', 'gateway'];

/** Measures the effect of hostile pages on the scraper's memory and on another caller's latency (Linux). */
export async function benchHostile(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = new SupervisedProcess(
    {
      name: 'origin',
      entry: join(import.meta.dirname, 'origin-process.ts'),
      env: {},
      logFile: join(dataDir, 'origin.log'),
    },
    console.error,
  );
  const port = (await origin.start()).ports.http ?? 0;
  const stack = await startScrapeStack({ dataDir: join(dataDir, 'stack'), originPort: port });
  try {
    await compare(stack, `http://127.0.0.1:${port}`);
  } finally {
    await stack.stop();
    await origin.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Load while latencies are sampled: none, two ordinary callers without a pause, or two hostile ones. */
const CONDITIONS = { quiet: [], crowded: ['/'], besieged: HOSTILE_PATHS } as const;
type Condition = keyof typeof CONDITIONS;

/** Alternates between the conditions, so that changes of the machine's speed affect all alike. */
async function compare(stack: Stack, origin: string): Promise<void> {
  const samples: Record<Condition, number[]> = { quiet: [], crowded: [], besieged: [] };
  const outcomes: Outcomes = {};
  const load = new Map<string, number>();
  await sampleLatencies(stack, origin);
  for (let round = 0; round < ROUNDS; round++) {
    samples.quiet.push(...(await sampleLatencies(stack, origin)));
    samples.crowded.push(...(await sampleUnder('crowded', stack, origin, {})));
    const measured = await measureLoad(stack, load);
    samples.besieged.push(...(await sampleUnder('besieged', stack, origin, outcomes)));
    await measured.end();
  }
  reportLatencies(samples);
  for (const [thread, share] of load) {
    console.log(`hostile   ${thread} under siege ${((share / ROUNDS) * 100).toFixed(0)} % of a core`);
  }
  for (const { name, pid } of pidsOf(stack)) {
    const { peakBytes } = await processUsage(pid);
    console.log(`hostile   ${name}'s peak memory ${(peakBytes / MIB).toFixed(0)} MiB`);
  }
  console.log(`hostile   outcomes ${JSON.stringify(outcomes)}`);
}

async function sampleUnder(
  condition: Condition,
  stack: Stack,
  origin: string,
  outcomes: Outcomes,
): Promise<number[]> {
  const ask = (path: string) => scrape(stack, origin + path, HOSTILE_SELECTORS);
  const siege = laySiege(CONDITIONS[condition], ask, outcomes);
  await sleep(SETTLE_MS);
  const latenciesMs = await sampleLatencies(stack, origin);
  await siege.end();
  await sleep(SETTLE_MS);
  return latenciesMs;
}

async function sampleLatencies(stack: Stack, origin: string): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (let sample = 0; sample < SAMPLES_A_ROUND; sample++) {
    const startedAt = performance.now();
    await scrape(stack, `${origin}/`, { title: 'h1' });
    latenciesMs.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  }
  return latenciesMs;
}

async function scrape(stack: Stack, url: string, selectors: Record<string, string>): Promise<string> {
  const response = await postScrape(stack, { url, selectors });
  // Only the beginning is parsed: parsing large responses would delay the measuring process.
  const body = Buffer.from(await response.arrayBuffer());
  if (response.ok) return 'success';
  return /"code":"([A-Z_]+)"/.exec(body.toString('utf8', 0, 1000))?.[1] ?? 'unknown';
}

function pidsOf(stack: Stack): { name: string; pid: number }[] {
  return stack
    .processes()
    .flatMap(({ name, pid }) => (pid !== undefined && WATCHED.includes(name) ? [{ name, pid }] : []));
}

/** Adds the share of a core that each watched process and its main thread use to `load`, until it is stopped. */
async function measureLoad(stack: Stack, load: Map<string, number>) {
  const startedAt = performance.now();
  const before = await Promise.all(
    pidsOf(stack).map(async (watched) => ({ ...watched, usage: await processUsage(watched.pid) })),
  );
  return {
    async end() {
      const passedMs = performance.now() - startedAt;
      for (const { name, pid, usage } of before) {
        const now = await processUsage(pid);
        const add = (thread: string, cpuMs: number) =>
          load.set(thread, (load.get(thread) ?? 0) + cpuMs / passedMs);
        add(`${name}'s threads`, now.cpuMs - usage.cpuMs);
        add(`${name}'s main thread`, now.mainThreadCpuMs - usage.mainThreadCpuMs);
      }
    },
  };
}

/** Prints the ratios to both quiet and crowded: only the excess over crowded is due to the hostile pages. */
function reportLatencies({ quiet, ...loaded }: Record<Condition, number[]>): void {
  for (const [label, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const quietMs = percentile(quiet, share);
    const others = Object.entries(loaded).map(([condition, samples]) => {
      const ms = percentile(samples, share);
      return `${condition} ${ms.toFixed(1)} ms (ratio ${(ms / quietMs).toFixed(2)})`;
    });
    console.log(`hostile   ${label}  quiet ${quietMs.toFixed(1)} ms  ${others.join('  ')}`);
  }
}
