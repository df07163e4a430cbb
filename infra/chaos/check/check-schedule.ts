import { isTerminal, type Run, type Schedule } from '@gleaner/contracts';
import type { JobClient } from '../job-client.ts';
import type { Findings } from '../report.ts';
import { waitUntil } from '../wait-until.ts';

const MINUTE_MS = 60_000;
/** Time for the next tick, and for a second attempt at its run. */
const FIRST_RUN_MS = 120_000;
/** Time for a postponed run to start, and for the last one to finish; it has one page. */
const LAST_RUN_MS = 60_000;

/** A schedule that runs every minute while everything fails. */
export interface WatchedSchedule {
  readonly id: string;
  readonly firstTickMs: number;
}

/** Creates the schedule. */
export async function createSchedule(
  url: string,
  client: JobClient,
  options: object = {},
): Promise<WatchedSchedule> {
  const body = { name: 'Every minute', url, cron: '* * * * *', selectors: { token: 'h1' }, ...options };
  const { json } = await client.insist<{ schedule: Schedule }>('POST', '/v1/schedules', body);
  return { id: json.schedule.id, firstTickMs: Date.parse(json.schedule.nextRunAt ?? '') };
}

/** Returns the runs so far, newest first. */
export async function readRuns({ id }: WatchedSchedule, client: JobClient): Promise<Run[]> {
  const { json } = await client.insist<{ runs: Run[] }>('GET', `/v1/schedules/${id}/runs?limit=100`);
  return json.runs;
}

/** Waits for the first run after two ticks: once it is paused, a schedule starts none, and drops one that was postponed. */
export async function untilFirstRun(schedule: WatchedSchedule, client: JobClient): Promise<void> {
  if (countTicks(schedule) <= 1) return;
  await waitUntil(async () => (await readRuns(schedule, client)).length > 0, FIRST_RUN_MS);
}

/** Checks that each tick started at most one run, no tick was lost, and every run has finished. */
export async function checkSchedule(
  schedule: WatchedSchedule,
  client: JobClient,
  findings: Findings,
): Promise<void> {
  const due = countTicks(schedule);
  const isComplete = async () => {
    const runs = await readRuns(schedule, client);
    return (runs.length > 0 || due <= 1) && runs.every(({ status }) => isTerminal(status));
  };
  // A run may have been postponed by a fault, or have started after everything else had finished.
  await waitUntil(isComplete, LAST_RUN_MS);
  const runs = await readRuns(schedule, client);
  // A tick may have passed while the runs were awaited.
  const passed = countTicks(schedule);
  if (runs.length > passed) {
    findings.doubled.push(`The schedule ran ${runs.length} times in ${passed} ticks.`);
  }
  if (runs.length === 0 && due > 1) findings.lost.push(`The schedule never ran in ${due} ticks.`);
  for (const { id, status } of runs) {
    if (!isTerminal(status)) findings.other.push(`The run ${id} has not ended: it is ${status}.`);
  }
}

/** Returns the number of its ticks until now. */
function countTicks({ firstTickMs }: WatchedSchedule): number {
  return Math.max(0, Math.floor((Date.now() - firstTickMs) / MINUTE_MS) + 1);
}
