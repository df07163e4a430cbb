import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ACCOUNT_ID, isTerminal, type Schedule } from '@gleaner/contracts';
import type { StoredJob, StoredSchedule } from '@gleaner/storage';
import { createRandom, type Random } from '../random.ts';
import type { RestartedProcess } from '../stack/restarted-process.ts';
import { startTokenOrigin, type TokenOrigin } from '../token-origin.ts';
import { waitUntil } from '../wait-until.ts';
import { checkEvents, type EventFindings } from '../webhooks/check-events.ts';
import { type HostileReceiver, startHostileReceiver } from '../webhooks/hostile-receiver.ts';
import { checkTicks, PERIOD_MS, type TickFindings } from './check-ticks.ts';
import { type ScheduleStack, startScheduleStack } from './schedule-stack.ts';
import { type Leap, startTestClock, type TestClock } from './test-clock.ts';

/** What a run is made of; the same seed chooses the same faults. */
export interface ScheduleChaosOptions {
  readonly seed: number;
  /** So many ticks of all schedules together pass while things fail. */
  readonly ticks: number;
  readonly say: (line: string) => void;
}

/** What a run came to. */
export interface ScheduleChaosReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly misdeeds: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly ticks: TickFindings;
  readonly webhooks: EventFindings;
}

const SCHEDULES = 60;
/** Seconds of the clock in one second: a period takes thirty. */
const CLOCK_RATE = 10;
const MINUTE_MS = 60_000;
/** So far ahead of the real clock that it is never set back behind it: what is asked for has a deadline that others read. */
const AHEAD_MS = 60 * MINUTE_MS;
const POLL_MS = 250;
/** Long enough for an endpoint that was left alone because it failed again and again. */
const HEALING_MS = 240_000;
const MEAN_PAUSE_MS = 1200;

/** What the faults are done to. */
interface Scene {
  readonly stack: ScheduleStack;
  readonly clock: TestClock;
  readonly random: Random;
  /** Spans without any scheduler: what they hold is run as one, like what the clock leaps over. */
  readonly absences: Leap[];
}

interface Fault {
  readonly weight: number;
  readonly inflict: (scene: Scene) => void | Promise<void>;
}

/** Every fault by its name; those that are named first come most often. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9 a scheduler': { weight: 10, inflict: ({ stack, random }) => killOne(stack.schedulers, random) },
  'kill -9 a webhook-notifier': {
    weight: 10,
    inflict: ({ stack, random }) => killOne(stack.notifiers, random),
  },
  'kill -9 both schedulers': { weight: 2, inflict: killBothSchedulers },
  'set the clock ahead': {
    weight: 1,
    inflict: ({ clock, random }) => clock.setBy(random.between(6, 14) * MINUTE_MS),
  },
  'set the clock back': {
    weight: 1,
    inflict: ({ clock, random }) => clock.setBy(-random.between(30_000, 2 * MINUTE_MS)),
  },
};

/** One of them, at any moment of its work; the other is there. */
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

/** Until whoever was killed is there again. */
async function untilBack(processes: readonly RestartedProcess[]): Promise<void> {
  // Their ends are noticed in a later turn.
  await sleep(POLL_MS);
  await Promise.all(processes.map(({ ready }) => ready));
}

/** Lets schedules run while schedulers and notifiers die and the receiver misbehaves; then counts. */
export async function runScheduleChaos(options: ScheduleChaosOptions): Promise<ScheduleChaosReport> {
  const { seed, say } = options;
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
    else say(`The logs and the data are kept in ${dataDir}`);
  }
  return report;
}

/** Whether every tick ran once, and every event arrived as it was. */
export function isClean({ ticks, webhooks }: ScheduleChaosReport): boolean {
  const found = [ticks.lost, ticks.doubled, webhooks.lost, webhooks.altered, webhooks.other];
  return found.every((list) => list.length === 0);
}

async function play(
  { ticks, say }: ScheduleChaosOptions,
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
  // As many as there would be if nobody set the clock.
  const passed = () => Math.floor((((performance.now() - startedMs) * CLOCK_RATE) / PERIOD_MS) * SCHEDULES);
  while (passed() < ticks) {
    const name = pickFault(scene.random);
    say(`${passed()}/${ticks} ticks · ${name}`);
    faults[name] = (faults[name] ?? 0) + 1;
    await FAULTS[name]?.inflict(scene);
    await sleep(scene.random.between(MEAN_PAUSE_MS / 3, (MEAN_PAUSE_MS * 5) / 3));
  }
  const untilMs = clock.now();
  say('healing');
  const jobs = await heal(untilMs, scene, receiver);
  const byId = new Map((await readSchedules(stack)).map((schedule) => [schedule.id, schedule]));
  const findings = schedules.map(({ id, nextRunAt, name }) => {
    const own = jobs.filter(({ scheduleId }) => scheduleId === id);
    // Ticks that pass while a run waits to be started become part of it.
    const waits = own.map((job) => ({
      fromMs: tickOf(job),
      toMs: clock.shownWhen(job.createdAt.getTime()),
    }));
    const record = {
      id,
      firstTickMs: Date.parse(nextRunAt ?? ''),
      ranMs: own.map(tickOf),
      runCount: byId.get(id)?.runCount ?? 0,
      hits: origin.hits.get(name)?.length ?? 0,
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

/** Makes them, each with a page of its own; one that was made by a call that was not answered counts as well. */
async function createSchedules(
  stack: ScheduleStack,
  origin: TokenOrigin,
  receiver: HostileReceiver,
): Promise<Schedule[]> {
  const create = async (index: number) => {
    const name = `schedule-${index}`;
    const body = {
      name,
      url: origin.urlOf(name),
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

/** Waits until what was due has run and been told, and everything rests; what is missing then is for the checker. */
async function heal(
  untilMs: number,
  { stack, clock }: Scene,
  receiver: HostileReceiver,
): Promise<StoredJob[]> {
  await until(async () => {
    const schedules = await readSchedules(stack);
    return schedules.every(({ run, nextRunAt }) => !run && Number(nextRunAt) > untilMs);
  });
  // What runs next lies ahead now: nothing new begins.
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

async function readJobs({ stores }: ScheduleStack): Promise<StoredJob[]> {
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

/** The tick that a job was made for stands in its key, behind the id of its schedule. */
function tickOf({ scheduleId = '', idempotency }: StoredJob): number {
  return Date.parse(idempotency?.key.slice(scheduleId.length + 1) ?? '');
}
