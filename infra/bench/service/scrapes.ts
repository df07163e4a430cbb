import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringVersion } from '../../chaos/upgrade/bring-version.ts';
import type { Stack, startStack } from '../../stack/start-stack.ts';
import { stackUsage } from '../jobs/stack-usage.ts';
import { percentile } from '../percentile.ts';
import { realBroker } from '../real-broker.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import { askService } from './ask-service.ts';
import { startBenchOrigin } from './bench-origin.ts';

const AT_ONCE = 32;
const SCRAPES_A_ROUND = 3000;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 5;
/** A page of about 5 KB. */
const RECORDS = 15;
/** A commit, a tag, or the folder of an installed version, to compare with. */
const { SCRAPES_AGAINST } = process.env;

/** A version that is measured, and what it took in each round. */
interface Side {
  readonly name: string;
  readonly stack: Stack;
  readonly scrapesPerSecond: number[];
  /** CPU for a scrape, by process. */
  readonly cpuMs: ReadonlyMap<string, number>[];
}

/**
 * Measures scrapes per second and their CPU with 32 at once, the load generator and the site on the same machine (Linux): on
 * each broker; on the embedded one in turns with another version if SCRAPES_AGAINST names one.
 */
export async function benchScrapes(): Promise<void> {
  const others = SCRAPES_AGAINST === undefined ? [] : [SCRAPES_AGAINST];
  await compareVersions('embedded', undefined, others);
  for (const { name, amqpUrl } of await realBroker()) await compareVersions(name, amqpUrl, []);
}

async function compareVersions(
  broker: string,
  amqpUrl: string | undefined,
  others: readonly string[],
): Promise<void> {
  await using cleanups = new AsyncDisposableStack();
  const origin = await startBenchOrigin(RECORDS);
  cleanups.defer(() => origin.close());
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  cleanups.defer(() => rm(dataDir, { recursive: true, force: true }));
  const sides: Side[] = [];
  for (const name of ['this version', ...others]) {
    const version = others.includes(name) ? await bringVersion(name) : undefined;
    if (version) cleanups.use(version);
    const options = { dataDir: join(dataDir, `${sides.length}`), amqpUrl, originPort: origin.port };
    const stack = await startScrapeStack(options, version && (await stackStarterOf(version.folder)));
    cleanups.defer(() => stack.stop());
    sides.push({ name, stack, scrapesPerSecond: [], cpuMs: [] });
  }
  // They alternate within one run, so that changes of the machine's speed affect all alike.
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const side of sides) {
      const { scrapesPerSecond, cpuMs } = await measureRound(side.stack, origin.url, amqpUrl !== undefined);
      if (round < 0) continue;
      side.scrapesPerSecond.push(scrapesPerSecond);
      side.cpuMs.push(cpuMs);
    }
  }
  report(broker, sides);
}

async function stackStarterOf(folder: string): Promise<typeof startStack> {
  const module = await import(join(folder, 'infra/stack/start-stack.ts'));
  return module.startStack;
}

async function measureRound(
  stack: Stack,
  url: string,
  usesRealBroker: boolean,
): Promise<{ readonly scrapesPerSecond: number; readonly cpuMs: ReadonlyMap<string, number> }> {
  const before = await stackUsage(stack, usesRealBroker);
  const startedAt = performance.now();
  await scrape(stack, url, SCRAPES_A_ROUND);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await stackUsage(stack, usesRealBroker);
  const cpuMs = [...after].map(([name, usage]) => {
    const usedMs = usage.cpuMs - (before.get(name)?.cpuMs ?? 0);
    return [name, usedMs / SCRAPES_A_ROUND] as const;
  });
  return { scrapesPerSecond: SCRAPES_A_ROUND / seconds, cpuMs: new Map(cpuMs) };
}

async function scrape(stack: Stack, url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let left = count;
  const caller = async () => {
    while (left-- > 0) await askService(stack, url, agent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  agent.destroy();
}

function sums(rounds: readonly ReadonlyMap<string, number>[]): number[] {
  return rounds.map((cpuMs) => [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0));
}

function report(broker: string, sides: readonly Side[]): void {
  for (const { name, scrapesPerSecond, cpuMs } of sides) {
    console.log(
      `scrapes   ${broker.padEnd(9)} ${name}  ${AT_ONCE} at once  ${spread(scrapesPerSecond, 0)} a second  ` +
        `CPU of a scrape ${spread(sums(cpuMs), 2)} ms: ${byProcess(cpuMs)}`,
    );
  }
  const [ours, other] = sides;
  if (!ours || !other) return;
  console.log(
    `scrapes   ${broker.padEnd(9)} this version ÷ ${other.name}  ` +
      `${spread(ratios(ours.scrapesPerSecond, other.scrapesPerSecond), 2)} × in rate  ` +
      `${spread(ratios(sums(ours.cpuMs), sums(other.cpuMs)), 2)} × in CPU`,
  );
}

/** Shows the median of each process, without those that do little. */
function byProcess(rounds: readonly ReadonlyMap<string, number>[]): string {
  const names = [...(rounds[0]?.keys() ?? [])];
  const medians = names.map((name) => ({
    name,
    ms: percentile(
      rounds.map((cpuMs) => cpuMs.get(name) ?? 0),
      0.5,
    ),
  }));
  return medians
    .filter(({ ms }) => ms >= 0.05)
    .map(({ name, ms }) => `${name} ${ms.toFixed(2)}`)
    .join(', ');
}

/** Divides each of our rounds by the round beside it. */
function ratios(ours: readonly number[], others: readonly number[]): number[] {
  return ours.map((value, round) => value / (others[round] ?? Number.NaN));
}

/** Shows the median, and the range. */
function spread(values: readonly number[], digits: number): string {
  const [least, median, most] = [0, 0.5, 1].map((share) => percentile(values, share).toFixed(digits));
  return `${median} (${least}–${most})`;
}
