import type { Run } from '@gleaner/contracts';
import { isTerminal } from '@gleaner/contracts';
import type { JobClient } from '../job-client.ts';
import { waitUntil } from '../wait-until.ts';
import type { Findings } from './findings.ts';

const MINUTE_MS = 60_000;
/** Time for a postponed run to start, and for the last one to finish; it has one page. */
const LAST_RUN_MS = 60_000;

/** A schedule that runs every minute while everything fails. */
export interface WatchedSchedule {
  readonly id: string;
  readonly createdAtMs: number;
}

/** Creates the schedule. */
export async function createSchedule(url: string, client: JobClient): Promise<WatchedSchedule> {
  const body = { name: 'Every minute', url, cron: '* * * * *', selectors: { token: 'h1' } };
  const { json } = await client.insist<{ schedule: { id: string } }>('POST', '/v1/schedules', body);
  return { id: json.schedule.id, createdAtMs: Date.now() };
}

/** Returns the runs so far, newest first. */
export async function readRuns({ id }: WatchedSchedule, client: JobClient): Promise<Run[]> {
  const { json } = await client.insist<{ runs: Run[] }>('GET', `/v1/schedules/${id}/runs?limit=100`);
  return json.runs;
}

/** Checks that each tick started at most one run, that none was lost, and that every run has finished. */
export async function checkSchedule(
  schedule: WatchedSchedule,
  client: JobClient,
  findings: Findings,
): Promise<void> {
  const ticks = Math.floor(Date.now() / MINUTE_MS) - Math.floor(schedule.createdAtMs / MINUTE_MS);
  const isComplete = async () => {
    const runs = await readRuns(schedule, client);
    return (runs.length > 0 || ticks <= 1) && runs.every(({ status }) => isTerminal(status));
  };
  // A run may have been postponed by a fault, or have started after everything else had finished.
  await waitUntil(isComplete, LAST_RUN_MS);
  const runs = await readRuns(schedule, client);
  if (runs.length > ticks) findings.doubled.push(`The schedule ran ${runs.length} times in ${ticks} ticks.`);
  if (runs.length === 0 && ticks > 1) findings.lost.push(`The schedule never ran in ${ticks} ticks.`);
  for (const { id, status } of runs) {
    if (!isTerminal(status)) findings.other.push(`The run ${id} has not ended: it is ${status}.`);
  }
}
