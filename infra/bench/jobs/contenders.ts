import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CreateJobRequest } from '@gleaner/contracts';
import { Bench, brokers, startBenchStack } from '../bench-stack.ts';
import { mebibytes, percentile, timed } from '../figures.ts';
import { cpuBetween, stackUsage, totalOf } from '../processes.ts';
import { pagesOf, readValues, runJob } from './ask-gleaner.ts';
import { RIVALS } from './rivals/rivals.ts';
import { FIELD_SETS, type FieldSet, type Measured, startPagesOrigin, type Workload } from './workload.ts';

const PAGES = 2000;
const WARM_UP_PAGES = 300;
/** Pages of the host at once, for every contender: by default settings, and as many as keep a machine busy. */
const DEFAULT_AT_ONCE = 8;
const AT_ONCE = 30;
const ROUNDS = 3;

/** First word of the names of our contenders. */
const OURS = 'gleaner';

/** Times that a site takes to answer, with pages for some ten seconds. */
const ANSWERING = [
  { delayMs: 1, pages: 2000 },
  { delayMs: 100, pages: 800 },
];

/**
 * Measures the CPU per page of a job over all processes of Gleaner, its broker and its database, on each available broker,
 * next to its rivals doing the same work, by default settings and with more pages at once (Linux).
 */
export async function benchJobs(): Promise<void> {
  await using bench = await Bench.open();
  const origin = await startPagesOrigin(bench);
  for (const [fields, selectors] of Object.entries(FIELD_SETS)) {
    for (const atOnce of [DEFAULT_AT_ONCE, AT_ONCE]) {
      const what = `${Object.keys(selectors).length} ${fields} fields, ${atOnce} at once`;
      console.log(`jobs      ${PAGES} pages of ${kibibytes(origin)} KiB on average, ${what}`);
      const work = { ...workOf(origin.url, fields as FieldSet), atOnce };
      await compareContenders('jobs', work, bench);
    }
  }
}

/**
 * Measures pages a second by default settings on sites that answer in 1 and in 100 milliseconds, next to its rivals
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
      { ...workOf(origin.url, 'simple'), pages, atOnce: DEFAULT_AT_ONCE },
      bench,
    );
  }
}

function kibibytes({ meanBytes }: { readonly meanBytes: number }): string {
  return (meanBytes / 1024).toFixed(0);
}

function workOf(url: string, fields: FieldSet): Workload {
  return { url, fields, pages: PAGES, warmUpPages: WARM_UP_PAGES, atOnce: AT_ONCE };
}

/** Measures Gleaner on each available broker and its rivals in rounds, and prints the medians. */
async function compareContenders(name: string, work: Workload, bench: Bench): Promise<void> {
  const contenders = new Map<string, Measured[]>();
  for (let round = 1; round <= ROUNDS; round++) {
    const folder = await mkdtemp(join(bench.folder, `${work.fields}-`));
    for (const [contender, measure] of await contendersOf(work, folder)) {
      const measured = await measure();
      if (typeof measured !== 'string')
        contenders.set(contender, [...(contenders.get(contender) ?? []), measured]);
      else if (round === 1) console.log(`${name.padEnd(9)} ${contender} ${measured}`);
    }
  }
  const last = new Map(
    [...contenders].flatMap(([contender, all]) => all.slice(-1).map((one) => [contender, one])),
  );
  for (const [contender, measured] of last)
    reportProcesses(`${name.padEnd(9)} ${contender.padEnd(16)}`, measured);
  reportEqualValues(name, last);
  reportTable(contenders);
}

async function contendersOf(
  work: Workload,
  folder: string,
): Promise<ReadonlyMap<string, () => Promise<Measured | string>>> {
  return new Map([
    ...(await brokers()).map(
      (broker) =>
        [
          `${OURS} ${broker.name}`,
          () => measureGleaner(work, join(folder, broker.name), broker.amqpUrl),
        ] as const,
    ),
    ...RIVALS.map((rival) => [rival.name, () => rival.measure(work, folder)] as const),
  ]);
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

function requestOf({ url, fields }: Workload, pages: number): CreateJobRequest {
  return { urls: pagesOf(url, pages), selectors: FIELD_SETS[fields] };
}

function reportProcesses(label: string, measured: Measured): void {
  for (const [process, cpuMs] of measured.cpuMs) {
    const peak = `${mebibytes(measured.peakBytes.get(process) ?? 0).padStart(5)} MiB at most`;
    console.log(`${label} ${process.padEnd(17)} ${cpuMs.toFixed(2).padStart(6)} ms CPU a page ${peak}`);
  }
}

function reportEqualValues(bench: string, contenders: ReadonlyMap<string, Measured>): void {
  const [[first, reference] = ['', undefined], ...others] = contenders;
  for (const [name, measured] of reference === undefined ? [] : others) {
    const equal = describeValues(reference?.values ?? [], measured.values);
    console.log(`${bench.padEnd(9)} ${name.padEnd(16)} ${equal} as ${first}`);
  }
}

/** Prints a row of Markdown for each contender: medians of its rounds with their range, and ratios to each rival. */
function reportTable(contenders: ReadonlyMap<string, readonly Measured[]>): void {
  const cpuOf = (rounds: readonly Measured[]) => rounds.map(({ cpuMs }) => totalOf(cpuMs));
  const speedOf = (rounds: readonly Measured[]) => rounds.map(({ pagesPerSecond }) => pagesPerSecond);
  const rivals = [...contenders].filter(([name]) => !name.startsWith(OURS));
  const heads = rivals.map(([name]) => `CPU ÷ ${name}, speed ÷ ${name}`);
  console.log(`| contender | CPU a page, ms | pages a second | ${heads.join(' | ')} |`);
  console.log(`|${'---|'.repeat(3 + rivals.length)}`);
  for (const [name, rounds] of contenders) {
    const ratios = rivals.map(([, theirs]) => {
      const cpu = median(cpuOf(rounds)) / median(cpuOf(theirs));
      const speed = median(speedOf(rounds)) / median(speedOf(theirs));
      return `${cpu.toFixed(2)}, ${speed.toFixed(2)}`;
    });
    const cells = [name, withRange(cpuOf(rounds), 2), withRange(speedOf(rounds), 0), ...ratios];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function withRange(values: readonly number[], digits: number): string {
  const range = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${median(values).toFixed(digits)} (${range.join('–')})`;
}

/** Tells of how many pages both have extracted the same data. */
function describeValues(ours: readonly unknown[], theirs: readonly unknown[]): string {
  const differing = ours.flatMap((value, page) => (isDeepStrictEqual(value, theirs[page]) ? [] : [page]));
  const equal = `took equal values of ${ours.length - differing.length} of ${ours.length} pages`;
  return differing.length === 0 ? equal : `${equal} (not of ${differing.slice(0, 5).join(', ')} …)`;
}
