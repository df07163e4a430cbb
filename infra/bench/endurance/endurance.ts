import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { htmlPath, type Origin, startOrigin } from '@gleaner/test-kit';
import type { Stack } from '../../stack/start-stack.ts';
import { Bench } from '../bench-stack.ts';
import { mebibytes } from '../figures.ts';
import { sizeOf } from '../files.ts';
import { pagesOf, runJob } from '../jobs/ask-gleaner.ts';
import { processesOf } from '../processes.ts';
import { killStacks, type Leftovers } from './kill-stacks.ts';
import {
  browserGroups,
  lookAtStack,
  profilesIn,
  type StackFolders,
  type StackLook,
} from './look-at-stack.ts';

/** Size of a run. */
export interface EnduranceSize {
  readonly rounds: number;
  readonly pagesPerRound: number;
  /** Time without work after each round, and after the last one. */
  readonly restMs: number;
  readonly idleMs: number;
  /** SIGKILLs of the scraper in the middle of renders. */
  readonly kills: number;
  /** SIGKILLs of `npm start` in the middle of renders. */
  readonly stackKills: number;
  /** Jobs of plain pages that expire, one after the other. */
  readonly cycles: number;
  readonly pagesPerCycle: number;
}

/** Findings of a run. */
export interface EnduranceReport {
  /** After the warm-up, then after each round. */
  readonly rounds: readonly StackLook[];
  /** CPU of each process without work, as a share of one core. */
  readonly idleShares: ReadonlyMap<string, number>;
  /** Processes and folders of a killed scraper that were left when its successor had rendered a page. */
  readonly leftAfterKills: number;
  readonly afterKills: StackLook;
  /** Things left by the kills of `npm start`, in all. */
  readonly leftByStacks: Leftovers;
  /** Bytes of the data after each cycle. */
  readonly dataBytes: readonly number[];
}

const script = (text: string) => htmlPath(`<h1>x</h1><script>${text}</script>`);
/** Pages by which browsers stay, grow or die; endless ones run into their time limit. */
const HOSTILE_PATHS = [
  script('for (;;) {}'),
  script('setTimeout(() => { for (;;) {} }, 50)'),
  script('for (;;) alert(1)'),
  script('setInterval(() => { for (let i = 0; i < 50; i++) open("/") }, 1)'),
  script('document.body.append(document.createComment("x".repeat(5e7)))'),
  script(
    'const a = []; setInterval(() => a.push(new Uint8Array(2e7).fill(1)), 5); fetch("/stall/before-headers")',
  ),
  script('for (let i = 0; i < 9; i++) new Worker(URL.createObjectURL(new Blob(["for (;;) {}"])))'),
  script('setInterval(() => history.pushState(0, 0, "?" + Math.random()), 1)'),
  script('location.href = "/type?as=application/zip&hex=504b0304"'),
  '/endless',
  '/bomb/br',
  '/drip/50',
] as const;
const PLAIN_PATH = htmlPath('<h1>x</h1><p>A page that is as it should be.</p>');
const AT_ONCE = 2;
const HOSTILE_TIMEOUT_MS = 3000;
const TIMEOUT_MS = 120_000;
/** Statuses while a scraper starts, or unpacks its browser on a busy machine. */
const NOT_READY: ReadonlySet<number> = new Set([503, 504]);
/** Time in which a killed scraper is followed by another. */
const STARTING_MS = 60_000;
const RETENTION_MS = 2000;
const SETTINGS = {
  BROWSER_TAB_MAX_MB: '300',
  // Browsers are replaced as in a long run.
  BROWSER_MAX_USES: '50',
  JOB_RETENTION_MS: String(RETENTION_MS),
  DELIVERY_RETENTION_MS: String(RETENTION_MS),
};

/** Renders hostile pages, kills the scraper while it renders, and lets jobs expire; looks at what is left each time (Linux). */
export async function runEndurance(
  size: EnduranceSize,
  tell: (line: string) => void,
): Promise<EnduranceReport> {
  await using bench = await Bench.open();
  const origin = await startOrigin();
  bench.parts.use(origin);
  const folders = {
    data: join(bench.folder, 'stack'),
    temporary: join(bench.folder, 'tmp'),
    browsers: join(bench.folder, 'browsers'),
  };
  await mkdir(folders.temporary);
  const stack = await startIn(bench, origin, folders);
  const run = { stack, origin, folders, tell };
  const rounds = await renderRounds(run, size);
  const idleShares = await measureIdle(run, size.idleMs);
  const leftAfterKills = await killScrapers(run, size.kills);
  await sleep(size.restMs);
  const afterKills = await look(run, 'after the kills');
  const dataBytes = await expireJobs(run, size);
  const leftByStacks = await killOtherStacks(bench, run, size.stackKills);
  return { rounds, idleShares, leftAfterKills, afterKills, dataBytes, leftByStacks };
}

/** Kills stacks that are started as `npm start` does, in folders of their own. */
async function killOtherStacks(bench: Bench, { origin, tell }: Run, kills: number): Promise<Leftovers> {
  const folders = {
    data: join(bench.folder, 'killed'),
    temporary: join(bench.folder, 'killed-tmp'),
    browsers: join(bench.folder, 'killed-browsers'),
  };
  const settings = { ...SETTINGS, EGRESS_ALLOW: new URL(origin.url).host };
  let kill = 0;
  const renderEndlessly = async (stack: Target['stack']) => {
    // They end with the stack that is killed; their errors are caught.
    const rendering = await startEndlessRenders({ stack, origin }, kill++);
    return () => Promise.all(rendering);
  };
  const left = await killStacks(kills, { folders, settings, renderEndlessly });
  const { processes, profiles, files, afterMs } = left;
  tell(
    `${kills} kills of npm start left ${processes} processes, ${profiles} profile folders, ${files} temporary files, at most ${afterMs} ms after them`,
  );
  return left;
}

/** A running stack of the bench. */
interface Run {
  readonly stack: Stack;
  readonly origin: Origin;
  readonly folders: StackFolders;
  readonly tell: (line: string) => void;
}

async function startIn(bench: Bench, origin: Origin, folders: StackFolders): Promise<Stack> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folders.temporary;
  try {
    const settings = { ...SETTINGS, BROWSER_DIR: folders.browsers };
    return await bench.startStack({ originUrl: origin.url, settings });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

async function renderRounds(
  run: Run,
  { rounds, pagesPerRound, restMs }: EnduranceSize,
): Promise<StackLook[]> {
  await render(run, PLAIN_PATH);
  await sleep(restMs);
  const looks = [await look(run, 'after a page')];
  for (let round = 1; round <= rounds; round++) {
    const paths = Array.from({ length: pagesPerRound }, (_, page) =>
      // Every second page is an ordinary one.
      page % 2 === 0 ? (HOSTILE_PATHS[(page / 2) % HOSTILE_PATHS.length] ?? PLAIN_PATH) : PLAIN_PATH,
    );
    const renderNext = async () => {
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) await render(run, path);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, renderNext));
    await sleep(restMs);
    looks.push(await look(run, `after round ${round}`));
  }
  return looks;
}

/** A stack by its address, and the pages that it renders. */
interface Target {
  readonly stack: Pick<Stack, 'url' | 'apiKey'>;
  readonly origin: Pick<Origin, 'url' | 'requests'>;
}

/** Renders a hostile page, whatever comes of it, or an ordinary one, which must succeed once a scraper is there. */
async function render({ stack, origin }: Target, path: string): Promise<void> {
  const isOrdinary = path === PLAIN_PATH;
  const timeout = isOrdinary ? TIMEOUT_MS : HOSTILE_TIMEOUT_MS;
  for (let left = STARTING_MS; ; left -= 1000) {
    const response = await fetch(`${stack.url}/v1/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: new URL(path, origin.url).href,
        render: true,
        timeout,
        selectors: { h: 'h1' },
      }),
    });
    const text = await response.text();
    if (!isOrdinary || response.ok) return;
    if (!NOT_READY.has(response.status) || left <= 0)
      throw new Error(`An ordinary page was not rendered: ${text}`);
    await sleep(1000);
  }
}

/** Returns the CPU of each process while there is no work, as a share of one core. */
async function measureIdle(
  { stack, folders, tell }: Run,
  idleMs: number,
): Promise<ReadonlyMap<string, number>> {
  const before = await lookAtStack(stack, folders);
  await sleep(idleMs);
  const after = await lookAtStack(stack, folders);
  const shares = [...after.cpuMs].map(
    ([name, cpuMs]) => [name, (cpuMs - (before.cpuMs.get(name) ?? 0)) / idleMs] as const,
  );
  const cells = shares.map(([name, share]) => `${name} ${(share * 100).toFixed(2)}`);
  tell(`without work, % of a core: ${cells.join(', ')}`);
  return new Map(shares);
}

/** Kills the scraper while it renders pages that never end; returns the number of processes and folders that were left. */
async function killScrapers(run: Run, kills: number): Promise<number> {
  let left = 0;
  for (let kill = 0; kill < kills; kill++) {
    const rendering = await startEndlessRenders(run, kill);
    const groups = await browserGroups(run.stack);
    const profiles = await profilesIn(run.folders);
    const scraper = run.stack.processes().find(({ name }) => name === 'scraper');
    if (scraper?.pid !== undefined) process.kill(scraper.pid, 'SIGKILL');
    await Promise.all(rendering);
    // The next scraper has started when it renders, and has removed what it found.
    await render(run, PLAIN_PATH);
    const after = new Set(await profilesIn(run.folders));
    left += (await processesOf(groups)).length + profiles.filter((name) => after.has(name)).length;
  }
  return left;
}

/** Renders an ordinary page, then returns the renders of pages that never end, once they are at work. */
async function startEndlessRenders(target: Target, kill: number): Promise<Promise<void>[]> {
  await render(target, PLAIN_PATH);
  const path = HOSTILE_PATHS[kill % 2] ?? PLAIN_PATH;
  const { length } = target.origin.requests;
  const rendering = [0, 1].map(() => render(target, path).catch(() => {}));
  while (target.origin.requests.length === length) await sleep(20);
  await sleep(KILL_AFTER_MS);
  return rendering;
}

const KILL_AFTER_MS = 300;

/** Runs jobs, each after the one before has expired; returns the size of the data after each. */
async function expireJobs(run: Run, { cycles, pagesPerCycle, restMs }: EnduranceSize): Promise<number[]> {
  const { stack, origin, folders, tell } = run;
  const sizes: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const urls = pagesOf(
      new URL('/type?as=text/html&hex=3c68313e783c2f68313e&n=', origin.url).href,
      pagesPerCycle,
    );
    const place = await runJob(stack, { urls, selectors: { h: 'h1' } });
    const isThere = async () => {
      const response = await fetch(stack.url + place, {
        headers: { authorization: `Bearer ${stack.apiKey}` },
      });
      return response.status !== 404;
    };
    while (await isThere()) await sleep(1000);
    await sleep(restMs);
    const bytes = await sizeOf(folders.data);
    sizes.push(bytes);
    tell(`cycle ${cycle + 1}: ${mebibytes(bytes)} MiB of data`);
  }
  return sizes;
}

async function look({ stack, folders, tell }: Run, when: string): Promise<StackLook> {
  const seen = await lookAtStack(stack, folders);
  const memory = [...seen.ownBytes].map(([name, bytes]) => `${name} ${mebibytes(bytes)}`);
  const counts = [
    `${seen.services} services`,
    `${seen.browserProcesses} processes of browsers`,
    `${seen.zombies} zombies`,
    `${seen.profileFolders} profile folders`,
    `${seen.temporaryFiles} temporary files`,
  ];
  tell(`${when}: ${counts.join(', ')}; MiB: ${memory.join(', ')}`);
  return seen;
}

/** A night's run, one of some hours, and one of some minutes. */
export const SIZES = {
  long: {
    rounds: 20,
    pagesPerRound: 1000,
    restMs: 60_000,
    idleMs: 600_000,
    kills: 100,
    stackKills: 100,
    cycles: 10,
    pagesPerCycle: 10_000,
  },
  middle: {
    rounds: 6,
    pagesPerRound: 500,
    restMs: 30_000,
    idleMs: 120_000,
    kills: 20,
    stackKills: 20,
    cycles: 10,
    pagesPerCycle: 1000,
  },
  short: {
    rounds: 3,
    pagesPerRound: 24,
    restMs: 5_000,
    idleMs: 15_000,
    kills: 2,
    stackKills: 1,
    cycles: 3,
    pagesPerCycle: 300,
  },
} as const satisfies Readonly<Record<string, EnduranceSize>>;

/** Prints what a run leaves behind; ENDURANCE=long asks for a night's run, ENDURANCE=middle for one of some hours. */
export async function benchEndurance(): Promise<void> {
  const size = Object.entries(SIZES).find(([name]) => name === process.env.ENDURANCE)?.[1] ?? SIZES.short;
  const { leftAfterKills } = await runEndurance(size, (line) => console.log(`endurance ${line}`));
  console.log(`endurance ${size.kills} kills of the scraper left ${leftAfterKills} processes and folders`);
}
