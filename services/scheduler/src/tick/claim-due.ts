import { createId } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Claim, ClaimedSchedule, DueSchedule, Lease, Stores } from '@gleaner/storage';
import type { NextRuns } from '../cron/next-run.ts';

/** Collaborators of claiming. */
export interface ClaimDeps {
  readonly runs: Stores['scheduleRuns'];
  readonly schedules: Pick<Stores['schedules'], 'pauseSchedule'>;
  readonly nextRuns: NextRuns;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Claims due ticks and moves their schedules on to the first time after now: all missed ticks become one run. Returns the
 * schedules whose run this scheduler has to start.
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

/**
 * Timing was checked when it was stored. Only time zone data without its zone can break it; then this schedule alone is
 * paused. node-cron's opinion is not asked for again.
 */
async function findNextRun(
  schedule: DueSchedule,
  now: Date,
  { nextRuns, schedules, logger }: ClaimDeps,
): Promise<Date | undefined> {
  try {
    return nextRuns.find(schedule, now);
  } catch (err) {
    const { id: scheduleId, accountId } = schedule;
    logger.error(
      { err, scheduleId },
      'The next run of a schedule cannot be computed; the schedule is paused.',
    );
    await schedules.pauseSchedule({ id: scheduleId, accountId }, now);
    return undefined;
  }
}
