import { Agent } from 'node:http';
import { join } from 'node:path';
import { bringVersion } from '../../chaos/upgrade/bring-version.ts';
import type { Stack, startStack } from '../../stack/start-stack.ts';
import { Bench, brokers } from '../bench-stack.ts';
import { percentile, timed } from '../figures.ts';
import { type CpuTimes, cpuBetween, stackUsage, totalOf } from '../processes.ts';
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
  readonly cpuMs: CpuTimes[];
}

/**
 * Measures scrapes per second and their CPU with 32 at once, the load generator and the site on the same machine (Linux): on
 * each broker; on the embedded one in turns with another version if SCRAPES_AGAINST names one.
 */
export async function benchScrapes(): Promise<void> {
  const others = SCRAPES_AGAINST === undefined ? [] : [SCRAPES_AGAINST];
  for (const { name, amqpUrl } of await brokers())
    await compareVersions(name, amqpUrl, amqpUrl === undefined ? others : []);
}

async function compareVersions(
  broker: string,
  amqpUrl: string | undefined,
  others: readonly string[],
): Promise<void> {
  await using bench = await Bench.open();
  const origin = bench.parts.use(await startBenchOrigin(RECORDS));
  const sides: Side[] = [];
  for (const name of ['this version', ...others]) {
    const version = others.includes(name) ? bench.parts.use(await bringVersion(name)) : undefined;
    const stack = await bench.startStack({
      ...{ name: `${sides.length}`, amqpUrl, originUrl: origin.url },
      ...(version && { start: await stackStarterOf(version.folder) }),
    });
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
): Promise<{ readonly scrapesPerSecond: number; readonly cpuMs: CpuTimes }> {
  const before = await stackUsage(stack, usesRealBroker);
  const tookMs = await timed(() => scrape(stack, url, SCRAPES_A_ROUND));
  const after = await stackUsage(stack, usesRealBroker);
  return {
    scrapesPerSecond: (SCRAPES_A_ROUND / tookMs) * 1000,
    cpuMs: cpuBetween(before, after, SCRAPES_A_ROUND),
  };
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

function report(broker: string, sides: readonly Side[]): void {
  for (const { name, scrapesPerSecond, cpuMs } of sides) {
    console.log(
      `scrapes   ${broker.padEnd(9)} ${name}  ${AT_ONCE} at once  ${spread(scrapesPerSecond, 0)} a second  ` +
        `CPU of a scrape ${spread(cpuMs.map(totalOf), 2)} ms: ${byProcess(cpuMs)}`,
    );
  }
  const [ours, other] = sides;
  if (!ours || !other) return;
  console.log(
    `scrapes   ${broker.padEnd(9)} this version ÷ ${other.name}  ` +
      `${spread(ratios(ours.scrapesPerSecond, other.scrapesPerSecond), 2)} × in rate  ` +
      `${spread(ratios(ours.cpuMs.map(totalOf), other.cpuMs.map(totalOf)), 2)} × in CPU`,
  );
}

/** Shows the median of each process, without those that do little. */
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
function ratios(ours: readonly number[], others: readonly number[]): number[] {
  return ours.map((value, round) => value / (others[round] ?? Number.NaN));
}

/** Shows the median, and the range. */
function spread(values: readonly number[], digits: number): string {
  const [least, median, most] = [0, 0.5, 1].map((share) => percentile(values, share).toFixed(digits));
  return `${median} (${least}–${most})`;
}
