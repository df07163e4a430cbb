import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ACCOUNT_ID, isTerminal, type Schedule } from '@gleaner/contracts';
import type { JobProgress, StoredSchedule } from '@gleaner/storage';
import { createRandom, type Random } from '../random.ts';
import type { RestartedProcess } from '../stack/restarted-process.ts';
import { startTokenOrigin, type TokenOrigin } from '../token-origin.ts';
import { waitUntil } from '../wait-until.ts';
import { checkEvents, type EventFindings } from '../webhooks/check-events.ts';
import { type HostileReceiver, startHostileReceiver } from '../webhooks/hostile-receiver.ts';
import { checkTicks, PERIOD_MS, type TickFindings } from './check-ticks.ts';
import { type ScheduleStack, startScheduleStack } from './schedule-stack.ts';
import { type Leap, startTestClock, type TestClock } from './test-clock.ts';

/** Options of a run; the same seed chooses the same faults. */
export interface ScheduleChaosOptions {
  readonly seed: number;
  /** Ticks of all schedules together that pass while faults are injected. */
  readonly ticks: number;
  readonly print: (line: string) => void;
}

/** Result of a run. */
export interface ScheduleChaosReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly misdeeds: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly ticks: TickFindings;
  readonly webhooks: EventFindings;
}

const SCHEDULES = 60;
/** Speed of the clock relative to real time. */
const CLOCK_RATE = 10;
const MINUTE_MS = 60_000;
/** Start of the clock, so far ahead that it is never set back behind real time, which the deadlines of requests refer to. */
const AHEAD_MS = 60 * MINUTE_MS;
const POLL_MS = 250;
/** Long enough for an endpoint that is paused after repeated failures. */
const HEALING_MS = 240_000;
const MEAN_PAUSE_MS = 1200;

/** Targets of the faults. */
interface Scene {
  readonly stack: ScheduleStack;
  readonly clock: TestClock;
  readonly random: Random;
  /** Time spans without a scheduler; their ticks share one run, like those skipped by a clock jump. */
  readonly absences: Leap[];
}

interface Fault {
  readonly weight: number;
  readonly inject: (scene: Scene) => void | Promise<void>;
}

/** Faults by name; those listed first are injected most often. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9 a scheduler': { weight: 10, inject: ({ stack, random }) => killOne(stack.schedulers, random) },
  'kill -9 a webhook-notifier': {
    weight: 10,
    inject: ({ stack, random }) => killOne(stack.notifiers, random),
  },
  'kill -9 both schedulers': { weight: 2, inject: killBothSchedulers },
  'set the clock ahead': {
    weight: 1,
    inject: ({ clock, random }) => clock.setBy(random.between(6, 14) * MINUTE_MS),
  },
  'set the clock back': {
    weight: 1,
    inject: ({ clock, random }) => clock.setBy(-random.between(30_000, 2 * MINUTE_MS)),
  },
};

/** One of the two is killed at any time, while the other runs. */
async function killOne(pair: readonly RestartedProcess[], random: Random): Promise<void> {
  await Promise.all(pair.map(({ ready }) => ready));
  random.pick(pair).kill();
  await untilBack(pair);
}

async function killBothSchedulers({ stack: { schedulers }, clock, absences }: Scene): Promise<void> {
  const fromMs = clock.now();
  for (const scheduler of schedulers) scheduler.kill();
  await untilBack(schedulers);
  absences.push({ fromMs, toMs: clock.now() });
}

/** Waits until the killed processes run again. */
async function untilBack(processes: readonly RestartedProcess[]): Promise<void> {
  // Their exit is noticed in a later turn of the event loop.
  await sleep(POLL_MS);
  await Promise.all(processes.map(({ ready }) => ready));
}

/** Runs schedules while schedulers and notifiers are killed and the receiver misbehaves, then compares the counts. */
export async function runScheduleChaos(options: ScheduleChaosOptions): Promise<ScheduleChaosReport> {
  const { seed, print } = options;
  const random = createRandom(seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-chaos-schedules-'));
  const clock = startTestClock(join(dataDir, 'clock.json'));
  const [origin, receiver] = await Promise.all([startTokenOrigin(), startHostileReceiver(random)]);
  const egressAllow = `127.0.0.1:${origin.port},${receiver.host}`;
  const stack = await startScheduleStack({ dataDir, clock, egressAllow });
  let report: ScheduleChaosReport | undefined;
  try {
    report = await play(options, { stack, clock, random, absences: [] }, origin, receiver);
  } finally {
    await stack.stop();
    await Promise.all([origin.close(), receiver.close()]);
    if (report && isClean(report)) await rm(dataDir, { recursive: true, force: true });
    else print(`The logs and the data are kept in ${dataDir}`);
  }
  return report;
}

/** Returns true when every tick ran once and every event arrived unaltered. */
export function isClean({ ticks, webhooks }: ScheduleChaosReport): boolean {
  const found = [ticks.lost, ticks.doubled, webhooks.lost, webhooks.altered, webhooks.other];
  return found.every((list) => list.length === 0);
}

async function play(
  { ticks, print }: ScheduleChaosOptions,
  scene: Scene,
  origin: TokenOrigin,
  receiver: HostileReceiver,
): Promise<ScheduleChaosReport> {
  const { stack, clock } = scene;
  const { secret } = await call<{ secret: string }>(stack, 'GET', '/v1/webhooks/secret');
  receiver.trust(secret);
  const schedules = await createSchedules(stack, origin, receiver);
  clock.setBy(AHEAD_MS);
  clock.runAt(CLOCK_RATE);
  const startedMs = performance.now();
  const faults: Record<string, number> = {};
  // The number of ticks without clock jumps.
  const passed = () => Math.floor((((performance.now() - startedMs) * CLOCK_RATE) / PERIOD_MS) * SCHEDULES);
  while (passed() < ticks) {
    const name = pickFault(scene.random);
    print(`${passed()}/${ticks} ticks · ${name}`);
    faults[name] = (faults[name] ?? 0) + 1;
    await FAULTS[name]?.inject(scene);
    await sleep(scene.random.between(MEAN_PAUSE_MS / 3, (MEAN_PAUSE_MS * 5) / 3));
  }
  const untilMs = clock.now();
  print('healing');
  const jobs = await heal(untilMs, scene, receiver);
  const byId = new Map((await readSchedules(stack)).map((schedule) => [schedule.id, schedule]));
  const findings = schedules.map(({ id, nextRunAt, name, urls }) => {
    const own = jobs.filter(({ scheduleId }) => scheduleId === id);
    // Ticks that pass while a run waits to start are merged into it.
    const waits = own.map((job) => ({
      fromMs: tickOf(job),
      toMs: clock.shownWhen(job.createdAt.getTime()),
    }));
    const record = {
      id,
      firstTickMs: Date.parse(nextRunAt ?? ''),
      ranMs: own.map(tickOf),
      runCount: byId.get(id)?.runCount ?? 0,
      hits: (urls ? [name, secondPageOf(name)] : [name]).map((token) => origin.hits.get(token)?.length ?? 0),
    };
    return checkTicks(record, [...clock.leaps, ...scene.absences, ...waits], untilMs);
  });
  const sum: TickFindings = {
    expected: findings.reduce((total, { expected }) => total + expected, 0),
    merged: findings.reduce((total, { merged }) => total + merged, 0),
    lost: findings.flatMap(({ lost }) => lost),
    doubled: findings.flatMap(({ doubled }) => doubled),
  };
  const webhooks = checkEvents(
    jobs.map(({ id }) => id),
    receiver,
  );
  return { faults, misdeeds: receiver.misdeeds, runs: jobs.length, ticks: sum, webhooks };
}

/** Creates the schedules, each with its own page and every third with two; one created by a call without a response counts too. */
async function createSchedules(
  stack: ScheduleStack,
  origin: TokenOrigin,
  receiver: HostileReceiver,
): Promise<Schedule[]> {
  const create = async (index: number) => {
    const name = `schedule-${index}`;
    const body = {
      name,
      ...(index % 3 === 0
        ? { urls: [origin.urlOf(name), origin.urlOf(secondPageOf(name))] }
        : { url: origin.urlOf(name) }),
      selectors: { token: 'h1' },
      cron: `${index % 5}-59/5 * * * *`,
      overlap: 'allow',
      webhook: `${receiver.url}/${index}`,
    };
    await call(stack, 'POST', '/v1/schedules', body).catch(() => {});
  };
  const list = async () =>
    (await call<{ schedules: Schedule[] }>(stack, 'GET', '/v1/schedules?limit=100')).schedules;
  for (let index = 0; index < SCHEDULES; index += 1) await create(index);
  return await list();
}

function secondPageOf(name: string): string {
  return `${name}-second`;
}

/** Waits until all due runs have finished and been announced; the checker reports those that are missing. */
async function heal(
  untilMs: number,
  { stack, clock }: Scene,
  receiver: HostileReceiver,
): Promise<JobProgress[]> {
  await until(async () => {
    const schedules = await readSchedules(stack);
    return schedules.every(({ run, nextRunAt }) => !run && Number(nextRunAt) > untilMs);
  });
  // The next runs lie in the future now, so nothing new starts.
  clock.setRight();
  await until(async () => (await readSchedules(stack)).every(({ run }) => !run));
  await until(async () => {
    const jobs = await readJobs(stack);
    const ids = jobs.map(({ id }) => id);
    return jobs.every(({ status }) => isTerminal(status)) && checkEvents(ids, receiver).lost.length === 0;
  });
  return await readJobs(stack);
}

function until(isSo: () => Promise<boolean>): Promise<boolean> {
  return waitUntil(() => isSo().catch(() => false), HEALING_MS);
}

async function readSchedules({ stores }: ScheduleStack): Promise<StoredSchedule[]> {
  return (await stores.schedules.listSchedules(DEFAULT_ACCOUNT_ID, { limit: 1000, offset: 0 })).schedules;
}

async function readJobs({ stores }: ScheduleStack): Promise<JobProgress[]> {
  return (await stores.jobs.listJobs(DEFAULT_ACCOUNT_ID, { limit: 100_000, offset: 0 })).jobs;
}

async function call<Answer>(
  { url, apiKey }: ScheduleStack,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${await response.text()}`);
  return (await response.json()) as Answer;
}

function pickFault(random: Random): string {
  const names = Object.entries(FAULTS).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));
  return random.pick(names);
}

/** Reads the tick of a job from its idempotency key, which is the id of the schedule and the tick. */
function tickOf({ scheduleId = '', idempotency }: JobProgress): number {
  return Date.parse(idempotency?.key.slice(scheduleId.length + 1) ?? '');
}
