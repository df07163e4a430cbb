import { Agent } from 'node:http';
import { join } from 'node:path';
import { bringVersion } from '../../chaos/upgrade/bring-version.ts';
import type { Stack, startStack } from '../../stack/start-stack.ts';
import { Bench, brokers } from '../bench-stack.ts';
import { percentile, timed } from '../figures.ts';
import { type CpuTimes, cpuBetween, stackUsage, totalOf } from '../processes.ts';
import { askService } from './ask-service.ts';
import { startBenchOrigin } from './bench-origin.ts';

/** Scrapes of a round, by how many run at once. */
const LOADS = { 32: 1000, 1: 200 } as const;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 3;
/** A page of about 5 KB. */
const RECORDS = 15;
/** Commits, tags, or folders of installed versions, to compare with, separated by commas. */
const OTHERS = (process.env.SCRAPES_AGAINST ?? '').split(',').filter(Boolean);

/** Results of one round. */
interface Round {
  readonly scrapesPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** CPU for a scrape, by process. */
  readonly cpuMs: CpuTimes;
}

/** A measured version, with its rounds by load. */
interface Side {
  readonly name: string;
  readonly stack: Stack;
  readonly rounds: Readonly<Record<keyof typeof LOADS, Round[]>>;
}

/**
 * Measures scrapes of a small page, 32 at once and one at a time: rate, latency and CPU, with the load generator and the site
 * on the same machine (Linux), on each broker. SCRAPES_AGAINST names other versions, which take turns with this one.
 */
export async function benchScrapes(): Promise<void> {
  for (const { name, amqpUrl } of await brokers()) await compareVersions(name, amqpUrl);
}

async function compareVersions(broker: string, amqpUrl: string | undefined): Promise<void> {
  await using bench = await Bench.open();
  const origin = bench.parts.use(await startBenchOrigin(RECORDS));
  const sides: Side[] = [];
  // They share a broker only in turns: the queues of two versions have the same names.
  for (const name of ['this version', ...(amqpUrl === undefined ? OTHERS : [])]) {
    const version = OTHERS.includes(name) ? bench.parts.use(await bringVersion(name)) : undefined;
    const stack = await bench.startStack({
      name: `${sides.length}`,
      amqpUrl,
      originUrl: origin.url,
      ...(version && { start: await stackStarterOf(version.folder) }),
    });
    sides.push({ name, stack, rounds: { 32: [], 1: [] } });
  }
  // They alternate within one run, so that changes of the machine's speed affect all alike.
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const atOnce of [32, 1] as const) {
      for (const { stack, rounds } of sides) {
        const measured = await measureRound(stack, origin.url, { atOnce, usesRealBroker: !!amqpUrl });
        if (round >= 0) rounds[atOnce].push(measured);
      }
    }
  }
  for (const atOnce of [32, 1] as const) report(broker, atOnce, sides);
}

async function stackStarterOf(folder: string): Promise<typeof startStack> {
  const module = await import(join(folder, 'infra/stack/start-stack.ts'));
  return module.startStack;
}

async function measureRound(
  stack: Stack,
  url: string,
  { atOnce, usesRealBroker }: { readonly atOnce: keyof typeof LOADS; readonly usesRealBroker: boolean },
): Promise<Round> {
  const before = await stackUsage(stack, usesRealBroker);
  const timesMs: number[] = [];
  const tookMs = await timed(() => scrape(stack, url, { atOnce, timesMs }));
  const after = await stackUsage(stack, usesRealBroker);
  return {
    scrapesPerSecond: (timesMs.length / tookMs) * 1000,
    p50: percentile(timesMs, 0.5),
    p95: percentile(timesMs, 0.95),
    cpuMs: cpuBetween(before, after, timesMs.length),
  };
}

async function scrape(
  stack: Stack,
  url: string,
  { atOnce, timesMs }: { readonly atOnce: keyof typeof LOADS; readonly timesMs: number[] },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  let left: number = LOADS[atOnce];
  const caller = async () => {
    while (left-- > 0) timesMs.push(await timed(() => askService(stack, url, agent)));
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  agent.destroy();
}

const FIGURES = {
  'a second': [({ scrapesPerSecond }) => scrapesPerSecond, 0],
  'ms at p50': [({ p50 }) => p50, 2],
  'ms at p95': [({ p95 }) => p95, 2],
  'ms of CPU': [({ cpuMs }) => totalOf(cpuMs), 2],
} as const satisfies Record<string, readonly [(round: Round) => number, number]>;

function report(broker: string, atOnce: keyof typeof LOADS, sides: readonly Side[]): void {
  const ours = sides[0]?.rounds[atOnce] ?? [];
  for (const { name, rounds } of sides) {
    const theirs = rounds[atOnce];
    const label = `scrapes   ${broker.padEnd(9)} ${`${atOnce}`.padStart(2)} at once`;
    const values = Object.entries(FIGURES).map(
      ([unit, [of, digits]]) => `${spread(theirs.map(of), digits)} ${unit}`,
    );
    console.log(`${label}  ${name}: ${values.join(', ')}: ${byProcess(theirs.map(({ cpuMs }) => cpuMs))}`);
    if (theirs === ours) continue;
    const ratios = Object.entries(FIGURES).map(
      ([unit, [of]]) => `${spread(quotients(ours.map(of), theirs.map(of)), 2)} × ${unit}`,
    );
    console.log(`${label}  this version ÷ ${name}: ${ratios.join(', ')}`);
  }
}

/** Shows the median of each process, without the idle ones. */
function byProcess(rounds: readonly CpuTimes[]): string {
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
function quotients(ours: readonly number[], others: readonly number[]): number[] {
  return ours.map((value, round) => value / (others[round] ?? Number.NaN));
}

/** Shows the median, and the range. */
function spread(values: readonly number[], digits: number): string {
  const [least, median, most] = [0, 0.5, 1].map((share) => percentile(values, share).toFixed(digits));
  return `${median} (${least}–${most})`;
}
