import { setTimeout as sleep } from 'node:timers/promises';
import { checkAll } from '../check/check-all.ts';
import { createSchedule } from '../check/check-schedule.ts';
import { hasEnded } from '../job-client.ts';
import type { Replica } from '../stack/replicas.ts';
import { waitUntil } from '../wait-until.ts';
import type { ChaosOptions, ChaosRun, Workload } from '../workload.ts';
import { bringVersion } from './bring-version.ts';
import { startTraffic } from './traffic.ts';

/** Services in the order of an upgrade, as docs/operations.md gives it. */
export const UPGRADE_ORDER = [
  'job-orchestrator',
  'scheduler',
  'webhook-notifier',
  'scraper',
  'gateway',
] as const;

/** Time before each service is replaced, in which old and new ones work side by side. */
const SIDE_BY_SIDE_MS = 5000;
const FINISH_WITHIN_MS = 600_000;

/** Prepares the upgrade of every service from an older version while jobs and scrapes run. */
export async function prepareUpgrade(
  { from, print }: ChaosOptions,
  scope: AsyncDisposableStack,
): Promise<Workload> {
  print(`Bringing ${from} …`);
  const { folder } = scope.use(await bringVersion(from));
  return {
    stack: { folder, replicas: Object.fromEntries(UPGRADE_ORDER.map((service) => [service, 2])) },
    async run(run) {
      const { client, origin, jobs } = run;
      const schedule = await createSchedule(origin.urlOf('schedule'), client);
      const traffic = startTraffic(run);
      await replaceAll(run);
      const scrapes = await traffic.stop();
      await finish(run);
      await checkAll(jobs, { ...run, schedule }, scrapes);
      noteCrashes(run.stack.replicas, run);
      run.findings.other.push(...client.answers.broken);
      return [{ upgraded: UPGRADE_ORDER.length, jobs: jobs.length, scrapes }];
    },
  };
}

/** Replaces the old replicas by new ones, one after the other. */
async function replaceAll(run: ChaosRun): Promise<void> {
  const { stack, print } = run;
  for (const service of UPGRADE_ORDER) {
    await sleep(SIDE_BY_SIDE_MS);
    const startedAtMs = performance.now();
    const replaced = stack.replicas.filter((replica) => replica.service === service);
    for (const old of replaced) {
      await stack.start(service);
      await stack.end(old);
    }
    noteCrashes(replaced, run);
    print(`  ${service} replaced in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  }
  await sleep(SIDE_BY_SIDE_MS);
}

/** Waits until every job has finished, one with the events of the new version included. */
async function finish({ client, jobs, print }: ChaosRun): Promise<void> {
  const tokens = Array.from({ length: 150 }, (_, index) => `after-${index}`);
  jobs.push(await client.create({ tokens, idempotencyKey: 'after', pages: 'plain' }));
  print(`Waiting for ${jobs.length} jobs …`);
  await waitUntil(async () => {
    await Promise.all(jobs.filter((job) => !hasEnded(job)).map((job) => client.poll(job)));
    return jobs.every(hasEnded);
  }, FINISH_WITHIN_MS);
}

/** Notes the processes that ended by themselves. */
function noteCrashes(replicas: readonly Replica[], { findings }: ChaosRun): void {
  for (const { process } of replicas)
    if (process.restarts > 0) findings.other.push(`${process.name} ended by itself.`);
}
