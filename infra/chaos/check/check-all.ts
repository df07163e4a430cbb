import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import type { ClientJob } from '../job-client.ts';
import { waitUntil } from '../wait-until.ts';
import type { ChaosRun } from '../workload.ts';
import { checkAccount } from './check-account.ts';
import { checkJob } from './check-job.ts';
import { checkSchedule, untilFirstRun, type WatchedSchedule } from './check-schedule.ts';
import { announced, awaitingWebhook, checkWebhooks } from './check-webhooks.ts';

/** Time for the work after the last job: held credits return, and webhooks are sent. */
const AFTERMATH_MS = 300_000;

/**
 * Checks every promise about these finished jobs, the account with its other jobs and scrapes, and the schedule, which is
 * paused, so that the account does not change.
 */
export async function checkAll(
  jobs: readonly ClientJob[],
  run: ChaosRun & { readonly schedule: WatchedSchedule },
  scrapes = 0,
): Promise<void> {
  const { client, stack, schedule, receiver, findings } = run;
  await untilFirstRun(schedule, client);
  await client.insist('POST', `/v1/schedules/${schedule.id}/pause`);
  await waitUntil(async () => {
    const account = await stack.stores.accounts.findAccount(DEFAULT_ACCOUNT_ID).catch(() => undefined);
    return account?.reserved === 0 && awaitingWebhook(jobs.map(announced), receiver).length === 0;
  }, AFTERMATH_MS);
  await Promise.all(jobs.map((job) => client.poll(job)));
  for (const job of jobs) await checkJob(job, run, findings);
  await checkAccount(run.jobs, { stack, client, scrapes }, findings);
  await checkWebhooks(jobs.map(announced), run, findings);
  await checkSchedule(schedule, client, findings);
}
