import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ACCOUNT_ID, isTerminal, type Schedule } from '@gleaner/contracts';
import type { JobProgress, StoredSchedule } from '@gleaner/storage';
import { awaitingWebhook, checkWebhooks } from '../check/check-webhooks.ts';
import type { Fault } from '../faults.ts';
import { injectFaults } from '../inject-faults.ts';
import type { Row } from '../report.ts';
import type { ChaosStack } from '../stack/chaos-stack.ts';
import { waitUntil } from '../wait-until.ts';
import type { ChaosOptions, ChaosRun, Workload } from '../workload.ts';
import { awaitingMessage, checkMessages } from './check-messages.ts';
import { checkTicks } from './check-ticks.ts';
import { checkTable, DATASET, DatasetFollowers } from './dataset-followers.ts';
import { type Leap, startTestClock, type TestClock } from './test-clock.ts';

/** Speed of the clock relative to real time. */
const CLOCK_RATE = 10;
const MINUTE_MS = 60_000;
/** Start of the clock, so far ahead that it is never set back behind real time, which the deadlines of requests refer to. */
const AHEAD_MS = 60 * MINUTE_MS;
/** Long enough for an endpoint that is paused after repeated failures. */
const HEALING_MS = 240_000;
const EXIT_IS_NOTICED_MS = 250;
/** Longer than a tick takes to claim what was due when it began. */
const TICK_MS = 3000;

/** Faults that are chosen more often than the others. */
const WEIGHTS = {
  'kill -9 a scheduler': 10,
  'kill -9 a webhook-notifier': 10,
  'kill -9 a job-orchestrator': 5,
  'kill -9 both schedulers': 2,
};

/** Leases of the scheduler follow its fast clock; retries of the notifier take a thousandth of the time. */
const SETTINGS = {
  RATE_LIMIT_CREATE: '1000000',
  RATE_LIMIT_READ: '1000000',
  MAX_PAGES_PER_HOST: '40',
  RUN_LEASE_MS: '60000',
  RETRY_SCALE: '0.001',
  DELIVERY_TIMEOUT_MS: '1000',
  RECONCILE_INTERVAL_MS: '500',
  OVERDUE_AFTER_MS: '2000',
};

/** Prepares schedules on a fast clock, with a misbehaving receiver for their run events. */
export async function prepareSchedules({ dataDir }: ChaosOptions & { dataDir: string }): Promise<Workload> {
  const clock = startTestClock(join(dataDir, 'clock.json'));
  return {
    stack: { settings: SETTINGS, clock, replicas: { scheduler: 2, 'webhook-notifier': 2 } },
    run: async (run) => [await runSchedules(run, clock)],
  };
}

async function runSchedules(run: ChaosRun, clock: TestClock): Promise<Row> {
  const { receiver, random, faults: count, injected } = run;
  receiver.misbehave(random);
  const schedules = await createSchedules(run);
  const followers = new DatasetFollowers(run.client, run.findings);
  followers.start();
  clock.setBy(AHEAD_MS);
  clock.runAt(CLOCK_RATE);
  const absences: Leap[] = [];
  const faults = faultsOf(clock, absences);
  await injectFaults({ count, faults, order: 'at random', weights: WEIGHTS, jobs: [] }, run);
  const untilMs = clock.now();
  const jobs = await heal(untilMs, clock, run);
  const ticks = await checkSchedules(schedules, jobs, { run, clock, absences, untilMs });
  await checkWebhooks(jobs.map(announcedRun), run, run.findings);
  checkMessages(jobs, receiver, run.findings);
  const { table, revisions } = await followers.finish();
  checkTable(table, await readFound(jobs, run), run.findings);
  const known = new Set(jobs.map(({ id }) => id));
  for (const { event } of receiver.deliveries)
    if (!known.has(event.data.job.id)) run.findings.other.push(`${event.id} is of a job that has not ended.`);
  run.findings.other.push(...receiver.strays.map((stray) => `The receiver was asked for ${stray}.`));
  Object.assign(injected, receiver.misdeeds);
  return {
    ...ticks,
    runs: jobs.length,
    deliveries: receiver.deliveries.length,
    messages: receiver.messages.length,
    records: table.size,
    revisions,
  };
}

/** Faults of the schedulers, with the time of their absence as a part of the check, of orchestrators and notifiers. */
function faultsOf(clock: TestClock, absences: Leap[]): Readonly<Record<string, Fault>> {
  const killBothSchedulers: Fault = async ({ stack }) => {
    const fromMs = clock.now();
    for (const { process } of replicasOf(stack, 'scheduler')) process.kill();
    await untilBack(stack, 'scheduler');
    // Ticks without a scheduler share one run, like those skipped by a clock jump.
    absences.push({ fromMs, toMs: clock.now() });
    return true;
  };
  const setClock = (leastMs: number, mostMs: number): Fault => {
    return async ({ random }) => {
      clock.setBy(random.between(leastMs, mostMs));
      return true;
    };
  };
  return {
    'kill -9 a scheduler': killOne('scheduler'),
    'kill -9 a webhook-notifier': killOne('webhook-notifier'),
    'kill -9 a job-orchestrator': killOne('job-orchestrator'),
    'kill -9 both schedulers': killBothSchedulers,
    'set the clock ahead': setClock(6 * MINUTE_MS, 14 * MINUTE_MS),
    'set the clock back': setClock(-2 * MINUTE_MS, -30_000),
  };
}

/** One of the two is killed at any time, while the other runs. */
function killOne(service: string): Fault {
  return async ({ stack, random }) => {
    random.pick(replicasOf(stack, service)).process.kill();
    await untilBack(stack, service);
    return true;
  };
}

function replicasOf({ replicas }: ChaosStack, service: string) {
  return replicas.filter((replica) => replica.service === service);
}

/** Waits until the killed processes run again. */
async function untilBack(stack: ChaosStack, service: string): Promise<void> {
  // Their exit is noticed in a later turn of the event loop.
  await sleep(EXIT_IS_NOTICED_MS);
  await Promise.all(replicasOf(stack, service).map(({ process }) => process.ready));
}

/** Creates the schedules, each with a rule and its own page, every third with two; one whose creation was not answered counts too. */
async function createSchedules({ urls: count, client, origin, receiver }: ChaosRun): Promise<Schedule[]> {
  for (let index = 0; index < count; index += 1) {
    const [token = ''] = tokensOf(index);
    const channel = { type: 'webhook', name: `Of ${index}`, url: `${receiver.url}/rules/${index}` };
    const { json } = await client.insist<{ channel: { id: string } }>('POST', '/v1/channels', channel);
    const body = {
      name: String(index),
      urls: tokensOf(index).map(origin.urlOf),
      selectors: { token: 'h1', visit: 'p' },
      // The key is the URL of a page.
      dataset: { name: DATASET },
      cron: `${index % 5}-59/5 * * * *`,
      overlap: 'allow',
      webhook: `${receiver.url}/${index}`,
      // Tells once in each run, of one page.
      notify: [
        {
          name: 'Is there',
          when: { field: 'token', becomes: token },
          every: true,
          initial: true,
          to: [json.channel.id],
        },
      ],
    };
    // A call that is repeated would create another one.
    await client.call('POST', '/v1/schedules', body).catch(() => {});
  }
  const { json } = await client.insist<{ schedules: Schedule[] }>('GET', '/v1/schedules?limit=100');
  return json.schedules;
}

/** Returns the tokens of the pages of a schedule. */
function tokensOf(index: number): string[] {
  return [`schedule-${index}`, ...(index % 3 === 0 ? [`schedule-${index}-second`] : [])];
}

/** Waits until all due runs have finished and been announced; the checker reports those that are missing. */
async function heal(
  untilMs: number,
  clock: TestClock,
  { stack, receiver }: ChaosRun,
): Promise<JobProgress[]> {
  const until = (isSo: () => Promise<boolean>) => waitUntil(() => isSo().catch(() => false), HEALING_MS);
  await until(async () => {
    const schedules = await readSchedules(stack);
    return schedules.every(({ run, nextRunAt }) => !run && Number(nextRunAt) > untilMs);
  });
  // The next runs lie in the future now, so nothing new starts, but for ticks that have read the fast clock.
  clock.setRight();
  await sleep(TICK_MS);
  await until(async () => (await readSchedules(stack)).every(({ run }) => !run));
  await until(async () => {
    const jobs = await readJobs(stack);
    const isOver = jobs.every(({ status }) => isTerminal(status));
    const isTold = awaitingMessage(jobs, receiver).length === 0;
    return isOver && isTold && awaitingWebhook(jobs.map(announcedRun), receiver).length === 0;
  });
  return await readJobs(stack);
}

interface CheckSchedulesDeps {
  readonly run: ChaosRun;
  readonly clock: TestClock;
  readonly absences: readonly Leap[];
  readonly untilMs: number;
}

/** Checks the ticks of all schedules. Returns their numbers. */
async function checkSchedules(
  schedules: readonly Schedule[],
  jobs: readonly JobProgress[],
  { run: { stack, origin, findings }, clock, absences, untilMs }: CheckSchedulesDeps,
): Promise<Row> {
  const byId = new Map((await readSchedules(stack)).map((schedule) => [schedule.id, schedule]));
  const found = schedules.map(({ id, name, nextRunAt }) => {
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
      hits: tokensOf(Number(name)).map((token) => origin.hits.get(token)?.length ?? 0),
    };
    return checkTicks(record, [...clock.leaps, ...absences, ...waits], untilMs);
  });
  findings.lost.push(...found.flatMap(({ lost }) => lost));
  findings.doubled.push(...found.flatMap(({ doubled }) => doubled));
  const sum = (count: 'expected' | 'merged') => found.reduce((total, one) => total + one[count], 0);
  return { schedules: schedules.length, ticks: sum('expected'), 'leapt over': sum('merged') };
}

function announcedRun({ id, status, completedUrls }: JobProgress) {
  return { id, status, completedUrls, hasBatches: false };
}

async function readSchedules({ stores }: ChaosStack): Promise<StoredSchedule[]> {
  return (await stores.schedules.listSchedules(DEFAULT_ACCOUNT_ID, { limit: 1000, offset: 0 })).schedules;
}

async function readJobs({ stores }: ChaosStack): Promise<JobProgress[]> {
  return (await stores.jobs.listJobs(DEFAULT_ACCOUNT_ID, { limit: 100_000, offset: 0 })).jobs;
}

/** Returns the data of the pages of all completed runs, by run and URL. */
async function readFound(
  jobs: readonly JobProgress[],
  { client }: ChaosRun,
): Promise<ReadonlyMap<string, ReadonlyMap<string, object>>> {
  const found = new Map<string, ReadonlyMap<string, object>>();
  for (const { id } of jobs.filter(({ status }) => status === 'completed')) {
    const results = await client.results(id);
    found.set(id, new Map(results.map(({ url, data }) => [url, data ?? {}])));
  }
  return found;
}

/** Reads the tick of a job from its idempotency key, which is the id of the schedule and the tick. */
function tickOf({ scheduleId = '', idempotency }: JobProgress): number {
  return Date.parse(idempotency?.key.slice(scheduleId.length + 1) ?? '');
}
