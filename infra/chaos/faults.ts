import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import type { Random } from '@gleaner/test-kit';
import { findBrowsers } from './check/leftovers.ts';
import { type ClientJob, hasEnded, idOf } from './job-client.ts';
import { isAt, KILL_POINTS, type KillPoint, LOGIN_KILL_POINTS } from './kill-points.ts';
import type { ChaosStack } from './stack/chaos-stack.ts';
import { BACKENDS, type Backend } from './stack/links.ts';
import type { Replica } from './stack/replicas.ts';
import type { TokenOrigin } from './token-origin.ts';
import { waitUntil } from './wait-until.ts';

/** Targets of the faults. */
export interface FaultTarget {
  readonly stack: ChaosStack;
  readonly jobs: readonly ClientJob[];
  readonly random: Random;
  readonly origin: Pick<TokenOrigin, 'urlOf' | 'hits'>;
}

/** Injects the fault and undoes it where that is needed. Returns false when the moment for it did not come. */
export type Fault = (target: FaultTarget) => Promise<boolean>;

const SERVICES = ['scraper', 'job-orchestrator', 'gateway', 'scheduler', 'webhook-notifier'] as const;

/** Every process is killed, alone and at any time. */
export const KILLS: Readonly<Record<string, Fault>> = Object.fromEntries(
  SERVICES.map((service) => [`kill -9 a ${service}`, killReplica(service)]),
);

/** Processes are killed at exact points. */
export const EXACT_KILLS = killsAt(KILL_POINTS);

/** Processes are killed at exact points of a login. */
export const LOGIN_KILLS = killsAt(LOGIN_KILL_POINTS);

/** Broker and database are killed and restarted with their data. */
export const OUTAGES: Readonly<Record<string, Fault>> = {
  'kill -9 the broker': killBackends(['broker'], { atLeastMs: 0, atMostMs: 0 }),
  'kill -9 the database': killBackends(['database'], { atLeastMs: 0, atMostMs: 0 }),
  'kill -9 broker and database at once': killBackends(BACKENDS, { atLeastMs: 0, atMostMs: 0 }),
  'the broker is away for seconds': killBackends(['broker'], { atLeastMs: 3000, atMostMs: 8000 }),
  'the database is away for seconds': killBackends(['database'], { atLeastMs: 3000, atMostMs: 8000 }),
};

/** The database is away for longer than messages may be redelivered. */
export const LONG_OUTAGE: Readonly<Record<string, Fault>> = {
  'the database is away for over a minute': killBackends(['database'], {
    atLeastMs: 75_000,
    atMostMs: 80_000,
  }),
};

/** Connections break, stall or become half-open. */
export const NETWORK_FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries(
  BACKENDS.flatMap((backend) => [
    [`cut every connection to the ${backend}`, each(backend, (link) => link.cut())],
    [`stall every connection to the ${backend}`, stall(backend)],
    [`leave half the connections to the ${backend} half-open`, halfOpen(backend)],
  ]),
);

/** Workers are paused in the middle of their work and continue with outdated claims. */
export const PAUSES: Readonly<Record<string, Fault>> = Object.fromEntries(
  ['scraper', 'job-orchestrator'].map((service) => [`pause a ${service}`, pause(service)]),
);

/** Browsers are killed in the middle of pages, alone and with their scrapers. */
export const BROWSER_FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9 a browser': killBrowser,
  'kill -9 a scraper with its browser': killReplica('scraper'),
  'pause a scraper with its browser': pause('scraper'),
};

/** Messages arrive twice, and queues are full. */
export const MESSAGE_FAULTS: Readonly<Record<string, Fault>> = {
  'deliver pages twice': deliverTwice,
  'fill the queue of pages': fillPages,
  'fill the queue of commands': fillCommands,
};

function killReplica(service: string): Fault {
  return async ({ stack, random }) => {
    const replica = random.pick(stack.replicas.filter((candidate) => candidate.service === service));
    replica.process.kill();
    return true;
  };
}

/** The first page starts the first browser. */
const BROWSER_PATIENCE_MS = 20_000;

async function killBrowser({ stack, random }: FaultTarget): Promise<boolean> {
  let browsers: readonly number[] = [];
  await waitUntil(async () => {
    browsers = await findBrowsers(stack);
    return browsers.length > 0;
  }, BROWSER_PATIENCE_MS);
  if (browsers.length === 0) return false;
  try {
    process.kill(-random.pick(browsers), 'SIGKILL');
    return true;
  } catch {
    // It has just ended.
    return false;
  }
}

const TRAP_PATIENCE_MS = 20_000;
/** Most passes of a frequent point that are let through before the process is killed there. */
const MAX_SKIPPED = 5;
const SKIP_WITHIN_MS = 4000;

function killsAt(points: Readonly<Record<string, KillPoint>>): Readonly<Record<string, Fault>> {
  return Object.fromEntries(
    Object.entries(points).map(([name, point]) => [`kill -9 when ${name}`, killAt(point)]),
  );
}

/** Waits until a process reaches the point and kills it there. */
function killAt(point: KillPoint): Fault {
  return async ({ stack, random }) => {
    if (point.victim && !stack.backends[point.victim]) return false;
    const watched = stack.replicas.filter(({ service }) => service === point.service);
    const caught = Promise.withResolvers<boolean>();
    for (const replica of watched) {
      let left = point.isFrequent ? random.between(0, MAX_SKIPPED) : 0;
      setTimeout(() => (left = 0), SKIP_WITHIN_MS).unref();
      replica.links[point.link].setTrap({
        timing: point.timing,
        matches: (event) => isAt(point, event) && left-- <= 0,
        spring() {
          for (const other of watched) other.links[point.link].setTrap(undefined);
          strike(point, replica, stack);
          caught.resolve(true);
        },
      });
    }
    const late = sleep(TRAP_PATIENCE_MS, false, { ref: false });
    const hasHappened = await Promise.race([caught.promise, late]);
    for (const { links } of watched) links[point.link].setTrap(undefined);
    return hasHappened;
  };
}

function strike({ victim }: KillPoint, { process, links }: Replica, { backends }: ChaosStack): void {
  if (victim) {
    backends[victim]?.kill();
    return;
  }
  // Bytes that the process still sends before the signal reaches it must not pass.
  for (const backend of BACKENDS) links[backend].bury();
  process.kill();
}

function killBackends(
  which: readonly Backend[],
  { atLeastMs, atMostMs }: { readonly atLeastMs: number; readonly atMostMs: number },
): Fault {
  return async ({ stack: { backends }, random }) => {
    const processes = which.flatMap((backend) => backends[backend] ?? []);
    if (processes.length < which.length) return false;
    const downMs = random.between(atLeastMs, atMostMs);
    for (const process of processes) process.kill(downMs);
    await sleep(downMs + 500);
    await Promise.all(processes.map(({ ready }) => ready));
    return true;
  };
}

function each(backend: Backend, harm: (link: Replica['links'][Backend], random: Random) => void): Fault {
  return async ({ stack, random }) => {
    for (const { links } of stack.replicas) harm(links[backend], random);
    return true;
  };
}

function stall(backend: Backend): Fault {
  return async ({ stack, random }) => {
    const links = stack.replicas.map((replica) => replica.links[backend]);
    for (const link of links) link.stall();
    await sleep(random.between(1000, 4000));
    const isMended = random.next() < 0.5;
    for (const link of links) {
      if (isMended) link.mend();
      else link.cut();
    }
    return true;
  };
}

function halfOpen(backend: Backend): Fault {
  return each(backend, (link, random) => link.deafen(() => random.next() < 0.5));
}

function pause(service: string): Fault {
  return async ({ stack, random }) => {
    const { process } = random.pick(stack.replicas.filter((candidate) => candidate.service === service));
    process.signal('SIGSTOP');
    // Sometimes longer than the deadline of its pages, which are then dispatched to others.
    await sleep(random.between(2000, 10_000));
    process.signal('SIGCONT');
    return true;
  };
}

const PAGES_SENT_AGAIN = 10;

/** Sends first attempts of pages a second time, as happens when a confirm is lost. */
async function deliverTwice({ stack, jobs, random, origin }: FaultTarget): Promise<boolean> {
  // Pages of a finished job must not wait in the broker for longer than scrapers accept them.
  const sent = jobs
    .filter((job) => !hasEnded(job))
    .flatMap((job) => job.tokens.map((token, index) => ({ job, token, index })))
    .filter(({ token }) => origin.hits.has(token));
  if (sent.length === 0) return false;
  const startBeforeMs = Date.now() + 3000;
  const commands = Array.from({ length: PAGES_SENT_AGAIN }, () => random.pick(sent)).map(({ job, index }) =>
    pageCommand(job, index, { origin, startBeforeMs }),
  );
  return (await stack.broker.publishWork('pages.http', commands)).some((fault) => fault === undefined);
}

const PAGES_QUEUE_LENGTH = 20_000;
const CHUNK = 1000;

/** Fills the queue with outdated pages while no consumer takes them; the scrapers drop them later. */
async function fillPages(target: FaultTarget): Promise<boolean> {
  const { stack, jobs, origin } = target;
  const [job] = jobs;
  if (!job) return false;
  return await whilePaused('scraper', stack, async () => {
    let refused = 0;
    for (let sent = 0; sent <= PAGES_QUEUE_LENGTH && refused === 0; sent += CHUNK) {
      const stale = Array.from({ length: CHUNK }, () => pageCommand(job, 0, { origin, startBeforeMs: 0 }));
      const faults = await stack.broker.publishWork('pages.http', stale);
      refused += faults.filter((fault) => fault !== undefined).length;
    }
    return refused > 0;
  });
}

const COMMANDS = 230;

/** Fills the queue of commands, while no consumer takes them, with cancellations of jobs that do not exist. */
async function fillCommands({ stack }: FaultTarget): Promise<boolean> {
  const command = { type: 'cancel', jobId: 'job_none', accountId: DEFAULT_ACCOUNT_ID } as const;
  return await whilePaused('job-orchestrator', stack, async () => {
    const answers = await Promise.all(
      Array.from({ length: COMMANDS }, () =>
        stack.broker.request('jobs.commands', command, { timeoutMs: 3000 }).then(
          () => 'answered',
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    return answers.includes('SERVICE_UNAVAILABLE');
  });
}

async function whilePaused(service: string, { replicas }: ChaosStack, act: () => Promise<boolean>) {
  const paused = replicas.filter((replica) => replica.service === service);
  for (const { process } of paused) process.signal('SIGSTOP');
  try {
    return await act();
  } finally {
    for (const { process } of paused) process.signal('SIGCONT');
  }
}

function pageCommand(
  job: ClientJob,
  index: number,
  { origin, startBeforeMs }: Pick<FaultTarget, 'origin'> & { readonly startBeforeMs: number },
) {
  return {
    jobId: idOf(job),
    pageId: pageIdOf(idOf(job), index),
    attempt: 1,
    accountId: DEFAULT_ACCOUNT_ID,
    timeoutMs: 4000,
    startBeforeMs,
    request: { url: origin.urlOf(job.tokens[index] ?? ''), selectors: { token: 'h1' } },
  };
}
