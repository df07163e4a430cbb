import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import type { startWebhookReceiver } from '@gleaner/test-kit';
import { checkAccount } from './check/check-account.ts';
import { checkJob } from './check/check-job.ts';
import { checkSchedule, type WatchedSchedule } from './check/check-schedule.ts';
import { awaitingWebhook, checkWebhooks } from './check/check-webhooks.ts';
import { findOrphans } from './check/find-processes.ts';
import { type Findings, noFindings } from './check/findings.ts';
import { type ClientJob, hasEnded, type JobClient } from './job-client.ts';
import { type PlannedJob, planJobs } from './plan-jobs.ts';
import type { Random } from './random.ts';
import { pickFault, type Scenario } from './scenarios.ts';
import type { ChaosStack } from './stack/chaos-stack.ts';
import type { TokenOrigin } from './token-origin.ts';
import { waitUntil } from './wait-until.ts';
import { watchProgress } from './watch-progress.ts';

/** Environment of the scenarios. */
export interface ScenarioContext {
  readonly stack: ChaosStack;
  readonly client: JobClient;
  readonly origin: TokenOrigin;
  readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  readonly schedule: WatchedSchedule;
  /** All jobs of the run so far. */
  readonly jobs: ClientJob[];
  readonly credits: number;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Size of a scenario. */
export interface ScenarioSize {
  readonly name: string;
  readonly faults: number;
  readonly urls: number;
  /** Prefix of the tokens of its URLs. */
  readonly prefix: string;
}

/** Result of a scenario. */
export interface ScenarioReport {
  readonly name: string;
  readonly faults: Readonly<Record<string, number>>;
  readonly urls: number;
  readonly longestRecoveryMs: number;
  readonly findings: Findings;
}

const MEAN_PAUSE_MS = 900;
const HEALING_MS = 1_200_000;
/** Time for the work after the last job: held credits return, webhooks are sent, processes end. */
const AFTERMATH_MS = 300_000;
const JOBS_PER_FAULT = 1.3;
const MIN_JOBS = 3;
/** Longest recovery that the promises allow. */
const MAX_RECOVERY_MS = 30_000;

/** Injects faults while jobs run, waits for recovery, and checks the promises about the jobs and the account. */
export async function runScenario(
  scenario: Scenario,
  size: ScenarioSize,
  context: ScenarioContext,
): Promise<ScenarioReport> {
  const { client, print } = context;
  const { name, urls, prefix } = size;
  const findings = noFindings();
  print(`\n${name}: ${size.faults} faults, ${urls} URLs`);
  const own: ClientJob[] = [];
  const watch = watchProgress(own, client);
  const faults: Record<string, number> = {};
  try {
    const plan = planJobs(
      {
        ...{ prefix, urls, pages: scenario.pages },
        jobs: Math.max(MIN_JOBS, Math.ceil(size.faults * JOBS_PER_FAULT)),
      },
      context.random,
    );
    const creating = createJobs(plan, context, own);
    for (let number = 0; number < size.faults; number++) {
      creating.allow(((number + 1) * plan.length) / size.faults);
      const fault = await inject(scenario, number, watch, { ...context, own });
      print(`  ${number + 1}/${size.faults} ${fault ?? 'none: no moment came'}`);
      if (fault === undefined) continue;
      faults[fault] = (faults[fault] ?? 0) + 1;
      await sleep(context.random.between(MEAN_PAUSE_MS / 3, (MEAN_PAUSE_MS * 5) / 3));
    }
    creating.allow(plan.length);
    await creating.done;
    await waitUntil(() => own.every(hasEnded), HEALING_MS);
    await check(own, context, findings);
  } finally {
    await watch.stop();
  }
  const longestRecoveryMs = watch.longestRecoveryMs();
  if (longestRecoveryMs > MAX_RECOVERY_MS)
    findings.late.push(`Nothing got on for ${longestRecoveryMs} ms after a fault was over.`);
  const { lost, doubled, chargedTwice, other, late } = findings;
  const counts = `${lost.length} lost, ${doubled.length} doubled, ${chargedTwice.length} charged twice`;
  print(`  ${counts}, ${other.length} other, ${late.length} late, longest recovery ${longestRecoveryMs} ms`);
  return { name, faults, urls, longestRecoveryMs, findings };
}

/** Creates the planned jobs as the gate opens, and cancels those planned to be cancelled. */
function createJobs(
  plan: readonly PlannedJob[],
  { client, jobs, random }: ScenarioContext,
  own: ClientJob[],
) {
  const waiting = [...plan];
  const created: Promise<void>[] = [];
  const all = Promise.withResolvers<void>();

  async function create({ timesAtOnce, isCancelled, ...order }: PlannedJob): Promise<void> {
    const delayMs = random.between(200, 3000);
    const job = await client.create(order, timesAtOnce);
    own.push(job);
    jobs.push(job);
    if (!isCancelled) return;
    await sleep(delayMs);
    await client.cancel(job);
  }

  return {
    done: all.promise,
    /** Allows this number of jobs to have been created in all. */
    allow(count: number): void {
      while (plan.length - waiting.length < count) {
        const next = waiting.shift();
        if (!next) break;
        created.push(create(next));
      }
      if (waiting.length === 0) all.resolve(Promise.all(created).then(() => {}));
    },
  };
}

const MAX_TRIES = 2;

/** Injects the next fault, or a later one when its moment does not come. Returns its name, or undefined. */
async function inject(
  { faults, ...scenario }: Scenario,
  number: number,
  watch: ReturnType<typeof watchProgress>,
  { stack, own, random, origin, print }: ScenarioContext & { own: readonly ClientJob[] },
): Promise<string | undefined> {
  const target = { stack, jobs: own, random, origin };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const name = pickFault({ faults, ...scenario }, number + tries, random);
    if (await watch.duringHarm(async () => await faults[name]?.(target))) return name;
    print(`  (no moment came for: ${name})`);
  }
  return undefined;
}

/** Pauses the schedule, so that the account does not change. */
async function check(own: readonly ClientJob[], context: ScenarioContext, findings: Findings): Promise<void> {
  const { client, stack, schedule, receiver, jobs, credits } = context;
  await client.insist('POST', `/v1/schedules/${schedule.id}/pause`);
  const living = () => [...stack.replicas.map(({ process }) => process.pid)];
  await waitUntil(async () => {
    const account = await stack.stores.accounts.findAccount(DEFAULT_ACCOUNT_ID).catch(() => undefined);
    return account?.reserved === 0 && awaitingWebhook(own, receiver).length === 0;
  }, AFTERMATH_MS);
  await Promise.all(own.map((job) => client.poll(job)));
  for (const job of own) await checkJob(job, context, findings);
  await checkAccount(jobs, { stack, client, creditsBefore: credits }, findings);
  await checkWebhooks(own, context, findings);
  await checkSchedule(schedule, client, findings);
  await waitUntil(async () => (await findOrphans(stack, living())).length === 0, 30_000);
  for (const pid of await findOrphans(stack, living()))
    findings.other.push(`The process ${pid} is left over.`);
  await client.insist('POST', `/v1/schedules/${schedule.id}/resume`);
}
