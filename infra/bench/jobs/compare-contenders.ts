import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { realBroker } from '../real-broker.ts';
import { type GleanerSetting, measureGleaner } from './measure-gleaner.ts';
import { RIVALS } from './rivals/rivals.ts';
import { type Measured, totalMs, type Workload } from './workload.ts';

/**
 * Measures Gleaner on each available broker and its rivals doing the same work, and prints their figures.
 * The folder is made; it takes the data.
 */
export async function compareContenders(
  bench: string,
  work: Workload,
  folder: string,
): Promise<ReadonlyMap<string, Measured>> {
  await mkdir(folder);
  const contenders = await measureAll(bench, work, folder);
  reportContenders(bench, contenders);
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
