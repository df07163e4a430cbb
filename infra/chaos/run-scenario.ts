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

/** Where scenarios take place. */
export interface World {
  readonly stack: ChaosStack;
  readonly client: JobClient;
  readonly origin: TokenOrigin;
  readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  readonly schedule: WatchedSchedule;
  /** Every job of the run so far. */
  readonly jobs: ClientJob[];
  readonly credits: number;
  readonly random: Random;
  readonly say: (line: string) => void;
}

/** How much of a scenario there is to be. */
export interface Dose {
  readonly name: string;
  readonly faults: number;
  readonly urls: number;
  /** Begins the tokens of its URLs. */
  readonly prefix: string;
}

/** What a scenario came to. */
export interface ScenarioReport {
  readonly name: string;
  readonly faults: Readonly<Record<string, number>>;
  readonly urls: number;
  readonly longestRecoveryMs: number;
  readonly findings: Findings;
}

const MEAN_PAUSE_MS = 900;
const HEALING_MS = 1_200_000;
/** Until the aftermath is over: what was held has come back, every webhook is sent, nothing is left behind. */
const AFTERMATH_MS = 300_000;
const JOBS_PER_FAULT = 1.3;
const MIN_JOBS = 3;
/** A recovery that takes longer breaks a promise. */
const MAX_RECOVERY_MS = 30_000;

/** Does harm while jobs run, lets it heal, and checks what was promised about these jobs and about the account. */
export async function runScenario(scenario: Scenario, dose: Dose, world: World): Promise<ScenarioReport> {
  const { client, say } = world;
  const { name, urls, prefix } = dose;
  const findings = noFindings();
  say(`\n${name}: ${dose.faults} faults, ${urls} URLs`);
  const own: ClientJob[] = [];
  const watch = watchProgress(own, client);
  const faults: Record<string, number> = {};
  try {
    const plan = planJobs(
      {
        ...{ prefix, urls, pages: scenario.pages },
        jobs: Math.max(MIN_JOBS, Math.ceil(dose.faults * JOBS_PER_FAULT)),
      },
      world.random,
    );
    const creating = createJobs(plan, world, own);
    for (let number = 0; number < dose.faults; number++) {
      creating.allow(((number + 1) * plan.length) / dose.faults);
      const fault = await inflict(scenario, number, watch, { ...world, own });
      say(`  ${number + 1}/${dose.faults} ${fault ?? 'none: no moment came'}`);
      if (fault === undefined) continue;
      faults[fault] = (faults[fault] ?? 0) + 1;
      await sleep(world.random.between(MEAN_PAUSE_MS / 3, (MEAN_PAUSE_MS * 5) / 3));
    }
    creating.allow(plan.length);
    await creating.done;
    await waitUntil(() => own.every(hasEnded), HEALING_MS);
    await check(own, world, findings);
  } finally {
    await watch.stop();
  }
  const longestRecoveryMs = watch.longestRecoveryMs();
  if (longestRecoveryMs > MAX_RECOVERY_MS)
    findings.late.push(`Nothing got on for ${longestRecoveryMs} ms after a fault was over.`);
  const { lost, doubled, chargedTwice, other, late } = findings;
  const counts = `${lost.length} lost, ${doubled.length} doubled, ${chargedTwice.length} charged twice`;
  say(`  ${counts}, ${other.length} other, ${late.length} late, longest recovery ${longestRecoveryMs} ms`);
  return { name, faults, urls, longestRecoveryMs, findings };
}

/** Creates the planned jobs as it is allowed to, and cancels those that are to be. */
function createJobs(plan: readonly PlannedJob[], { client, jobs, random }: World, own: ClientJob[]) {
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
    /** Lets so many have been created in all. */
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

/** Inflicts the next fault, or one of those after it where its moment does not come; returns which it was, if any. */
async function inflict(
  { faults, ...scenario }: Scenario,
  number: number,
  watch: ReturnType<typeof watchProgress>,
  { stack, own, random, origin, say }: World & { own: readonly ClientJob[] },
): Promise<string | undefined> {
  const target = { stack, jobs: own, random, origin };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const name = pickFault({ faults, ...scenario }, number + tries, random);
    if (await watch.duringHarm(async () => await faults[name]?.(target))) return name;
    say(`  (no moment came for: ${name})`);
  }
  return undefined;
}

/** The schedule rests meanwhile, so that the account does. */
async function check(own: readonly ClientJob[], world: World, findings: Findings): Promise<void> {
  const { client, stack, schedule, receiver, jobs, credits } = world;
  await client.insist('POST', `/v1/schedules/${schedule.id}/pause`);
  const living = () => [...stack.replicas.map(({ process }) => process.pid)];
  await waitUntil(async () => {
    const account = await stack.stores.accounts.findAccount(DEFAULT_ACCOUNT_ID).catch(() => undefined);
    return account?.reserved === 0 && awaitingWebhook(own, receiver).length === 0;
  }, AFTERMATH_MS);
  await Promise.all(own.map((job) => client.poll(job)));
  for (const job of own) await checkJob(job, world, findings);
  await checkAccount(jobs, { stack, client, creditsBefore: credits }, findings);
  await checkWebhooks(own, world, findings);
  await checkSchedule(schedule, client, findings);
  await waitUntil(async () => (await findOrphans(stack, living())).length === 0, 30_000);
  for (const pid of await findOrphans(stack, living()))
    findings.other.push(`The process ${pid} is left over.`);
  await client.insist('POST', `/v1/schedules/${schedule.id}/resume`);
}
