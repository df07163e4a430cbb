import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { realBroker } from '../real-broker.ts';
import { COSTS, type Cost } from './cost/cost-categories.ts';
import { readProfiles } from './cost/read-profiles.ts';
import { type GleanerSetting, measureGleaner } from './measure-gleaner.ts';
import { RIVALS } from './rivals/rivals.ts';
import { type Measured, totalMs, type Workload } from './workload.ts';

/**
 * Measures Gleaner on each available broker and its rivals doing the same work, prints their figures, and divides Gleaner's
 * CPU among categories. The folder is made; it takes the data.
 */
export async function compareContenders(
  bench: string,
  work: Workload,
  folder: string,
): Promise<ReadonlyMap<string, Measured>> {
  await mkdir(folder);
  const contenders = await measureAll(bench, work, folder);
  reportContenders(bench, contenders);
  for (const setting of await gleanerSettings(join(folder, 'profiled'))) {
    const measured = contenders.get(nameOf(setting));
    if (measured) await attributeCost(bench, work, setting, measured);
  }
  return contenders;
}

async function measureAll(bench: string, work: Workload, folder: string): Promise<Map<string, Measured>> {
  const contenders = new Map<string, Measured>();
  for (const setting of await gleanerSettings(folder)) {
    contenders.set(nameOf(setting), await measureGleaner(work, setting));
  }
  for (const rival of RIVALS) {
    const measured = await rival.measure(work, folder);
    if (typeof measured === 'string') console.log(`${bench.padEnd(9)} ${rival.name} ${measured}`);
    else contenders.set(rival.name, measured);
  }
  return contenders;
}

/** The embedded broker, and RabbitMQ when it answers. */
async function gleanerSettings(folder: string): Promise<GleanerSetting[]> {
  const brokers = [{ name: 'embedded', amqpUrl: undefined }, ...(await realBroker())];
  return brokers.map(({ name, amqpUrl }) => ({ amqpUrl, dataDir: join(folder, name) }));
}

function nameOf({ amqpUrl }: GleanerSetting): string {
  return `gleaner ${amqpUrl === undefined ? 'embedded' : 'rabbitmq'}`;
}

/**
 * Repeats the work under a profiler, which slows everything alike, and prints for each process how the CPU measured without
 * the profiler divides among fetching, parsing and the rest.
 */
async function attributeCost(
  bench: string,
  work: Workload,
  setting: GleanerSetting,
  measured: Measured,
): Promise<void> {
  const profiles = join(setting.dataDir, 'profiles');
  await mkdir(profiles, { recursive: true });
  const given = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = [given, '--cpu-prof', `--cpu-prof-dir=${profiles}`].filter(Boolean).join(' ');
  const profiled = await measureGleaner(work, setting).finally(() => {
    if (given === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = given;
  });
  const shares = await readProfiles(profiles, profiled);
  const totals = new Map<Cost, number>();
  const printRow = (name: string, cells: readonly string[]) =>
    console.log(`${bench.padEnd(9)} ${name.padEnd(17)} ${cells.map((cell) => cell.padStart(13)).join('')}`);
  printRow('ms a page', COSTS);
  for (const [name, cpuMs] of measured.cpuMs) {
    const own = shares.get(profiled.pids.get(name) ?? 0);
    if (!own) continue;
    for (const cost of COSTS) totals.set(cost, (totals.get(cost) ?? 0) + own[cost] * cpuMs);
    printRow(
      name,
      COSTS.map((cost) => (own[cost] * cpuMs).toFixed(2)),
    );
  }
  printRow(
    'in all',
    COSTS.map((cost) => (totals.get(cost) ?? 0).toFixed(2)),
  );
}

const MIB = 1024 * 1024;
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
      const ratio = (totalMs(own) / totalMs(theirs)).toFixed(2);
      console.log(`${label(ours)} ${ratio} × the CPU of ${rival}`);
    }
  }
}

function reportOne(label: string, measured: Measured): void {
  for (const [process, cpuMs] of measured.cpuMs) {
    const peak = `${((measured.peakBytes.get(process) ?? 0) / MIB).toFixed(0).padStart(5)} MiB at most`;
    console.log(`${label} ${process.padEnd(17)} ${inMs(cpuMs)} ms CPU a page ${peak}`);
  }
  const speed = `${measured.pagesPerSecond.toFixed(0).padStart(5)} pages a second`;
  console.log(`${label} ${'in all'.padEnd(17)} ${inMs(totalMs(measured))} ms CPU a page ${speed}`);
}

/** Returns true when both have extracted the same data. */
function describeValues(ours: readonly unknown[], theirs: readonly unknown[]): string {
  const differing = ours.flatMap((value, page) => (isDeepStrictEqual(value, theirs[page]) ? [] : [page]));
  const equal = `took equal values of ${ours.length - differing.length} of ${ours.length} pages`;
  return differing.length === 0 ? equal : `${equal} (not of ${differing.slice(0, 5).join(', ')} …)`;
}

function inMs(ms: number): string {
  return ms.toFixed(2).padStart(6);
}
