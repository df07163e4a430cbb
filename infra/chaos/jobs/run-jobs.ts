import { setTimeout as sleep } from 'node:timers/promises';
import { checkAll } from '../check/check-all.ts';
import { createSchedule, type WatchedSchedule } from '../check/check-schedule.ts';
import { findOrphans } from '../check/leftovers.ts';
import { injectFaults } from '../inject-faults.ts';
import { type ClientJob, hasEnded } from '../job-client.ts';
import { addFindings, countFindings, type Findings, noFindings, type Row } from '../report.ts';
import { waitUntil } from '../wait-until.ts';
import { watchProgress } from '../watch-progress.ts';
import type { ChaosRun, Workload } from '../workload.ts';
import { type PlannedJob, planJobs } from './plan-jobs.ts';
import { divide, SCENARIOS, type Scenario } from './scenarios.ts';

const HEALING_MS = 1_200_000;
const ORPHANS_END_WITHIN_MS = 30_000;
const JOBS_PER_FAULT = 1.3;
const MIN_JOBS = 3;
/** Longest recovery that the promises allow. */
const MAX_RECOVERY_MS = 30_000;

/** Prepares jobs of many sizes, in one scenario after the other. */
export async function prepareJobs(): Promise<Workload> {
  return {
    stack: {},
    async run(run) {
      const schedule = await createSchedule(run.origin.urlOf(`${run.seed}-schedule`), run.client);
      const rows: Row[] = [];
      for (const size of await sizesOf(run)) {
        const findings = noFindings();
        rows.push(await runScenario(size, { ...run, schedule, findings }));
        addFindings(run.findings, findings);
      }
      return rows;
    },
  };
}

/** A scenario with its size. */
interface SizedScenario extends Scenario {
  readonly name: string;
  readonly count: number;
  readonly urls: number;
  /** Prefix of the tokens of its URLs. */
  readonly prefix: string;
  /** Further options of its pages. */
  readonly options?: object;
  /** Longest time without progress after a fault that the promises allow. */
  readonly maxRecoveryMs?: number;
}

export interface ScenarioRun extends ChaosRun {
  readonly schedule: WatchedSchedule;
  /** Findings of this scenario alone. */
  readonly findings: Findings;
}

async function sizesOf({
  seed,
  faults,
  urls,
  scenarios: asked,
  stack,
  print,
}: ChaosRun): Promise<SizedScenario[]> {
  // Scrapers that cannot start browsers on this machine say why in their logs.
  const isRendering = (await stack.broker.consumerCount('scrape.browser')) > 0;
  if (!isRendering) print('No scraper has a browser on this machine: nothing is rendered.');
  const scenarios = asked.filter((name) => isRendering || SCENARIOS[name].pages === 'plain');
  const shares = scenarios.map((name) => SCENARIOS[name].share);
  const [faultsOf, urlsOf] = [divide(faults, shares), divide(urls, shares)];
  return scenarios.map((name, number) => ({
    ...SCENARIOS[name],
    name,
    count: faultsOf[number] ?? 0,
    urls: urlsOf[number] ?? 0,
    prefix: `${seed}-${number}`,
  }));
}

/** Injects faults while jobs run, waits for recovery, and checks the promises about the jobs and the account. */
export async function runScenario(
  { name, prefix, urls, pages, options, maxRecoveryMs = MAX_RECOVERY_MS, ...plan }: SizedScenario,
  run: ScenarioRun,
): Promise<Row> {
  const { client, findings, random, print } = run;
  const { count } = plan;
  print(`\n${name}: ${count} faults, ${urls} URLs`);
  const own: ClientJob[] = [];
  const watch = watchProgress(own, client);
  let faults = 0;
  try {
    const jobs = Math.max(MIN_JOBS, Math.ceil(count * JOBS_PER_FAULT));
    const planned = planJobs({ prefix, urls, pages, jobs, ...(options && { options }) }, random);
    const creating = createJobs(planned, run, own);
    const before = (number: number) => creating.allow(((number + 1) * planned.length) / count);
    faults = await injectFaults({ ...plan, jobs: own, before }, run, watch);
    creating.allow(planned.length);
    await creating.done;
    await waitUntil(() => own.every(hasEnded), HEALING_MS);
    await check(own, run);
  } finally {
    await watch.stop();
  }
  const longestRecoveryMs = watch.longestRecoveryMs();
  if (longestRecoveryMs > maxRecoveryMs)
    findings.late.push(`Nothing got on for ${longestRecoveryMs} ms after a fault was over.`);
  const recovery = `${(longestRecoveryMs / 1000).toFixed(1)} s`;
  return { scenario: name, faults, jobs: own.length, URLs: urls, ...countFindings(findings), recovery };
}

/** Creates the planned jobs as the gate opens, and cancels those planned to be cancelled. */
function createJobs(plan: readonly PlannedJob[], { client, jobs, random }: ScenarioRun, own: ClientJob[]) {
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

/** Checks the jobs, and that killed processes have left none behind. */
async function check(own: readonly ClientJob[], run: ScenarioRun): Promise<void> {
  const { client, stack, schedule, findings } = run;
  await checkAll(own, run);
  const pids = () => stack.replicas.map(({ process }) => process.pid);
  await waitUntil(async () => (await findOrphans(stack, pids())).length === 0, ORPHANS_END_WITHIN_MS);
  for (const pid of await findOrphans(stack, pids())) findings.other.push(`The process ${pid} is left over.`);
  await client.insist('POST', `/v1/schedules/${schedule.id}/resume`);
}
