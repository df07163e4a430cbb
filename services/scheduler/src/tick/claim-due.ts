import { createId } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Claim, ClaimedSchedule, DueSchedule, Lease, Stores } from '@gleaner/storage';
import { nextRunOf } from '../cron/next-run-of.ts';
import type { TimeZones } from '../cron/time-zones.ts';

/** Collaborators of claiming. */
export interface ClaimDeps {
  readonly runs: Stores['scheduleRuns'];
  readonly schedules: Pick<Stores['schedules'], 'pauseSchedule'>;
  readonly zones: TimeZones;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Takes due ticks and moves their schedules on to the first time after now: what was missed meanwhile is part of the
 * one run. Gives the schedules whose run is this scheduler's to start.
 */
export async function claimDue(
  due: readonly DueSchedule[],
  lease: Lease,
  deps: ClaimDeps,
): Promise<ClaimedSchedule[]> {
  const now = deps.now();
  const claims: Claim[] = [];
  for (const schedule of due) {
    const nextRunAt = await findNextRun(schedule, now, deps);
    if (nextRunAt) claims.push({ ...schedule, nextRunAt, jobId: createId('job') });
  }
  return await deps.runs.claim(claims, lease);
}

/** Timing was checked when it was stored; only other time zone data can break it, and then for this schedule alone. */
async function findNextRun(
  schedule: DueSchedule,
  now: Date,
  { zones, schedules, logger }: ClaimDeps,
): Promise<Date | undefined> {
  try {
    return nextRunOf(schedule, now, zones);
  } catch (err) {
    const { id: scheduleId, accountId } = schedule;
    logger.error({ err, scheduleId }, 'The next run of a schedule cannot be found any more; it is paused.');
    await schedules.pauseSchedule({ id: scheduleId, accountId }, now);
    return undefined;
  }
}
