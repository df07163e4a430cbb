import { isTerminal, type Schedule } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';

/** Where the jobs of runs are read from. */
type JobReader = Pick<Stores['jobs'], 'findJobs'>;

/**
 * The schedules with `lastStatus` as their last jobs stand at this moment: the scheduler's own note of it follows a
 * little later.
 */
export async function showLastStatus(schedules: readonly Schedule[], jobs: JobReader): Promise<Schedule[]> {
  const open = schedules.flatMap(({ lastJobId, lastStatus }) =>
    lastJobId !== null && lastStatus !== null && lastStatus !== 'refused' && !isTerminal(lastStatus)
      ? [lastJobId]
      : [],
  );
  if (open.length === 0) return [...schedules];
  const found = await jobs.findJobs(open);
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  return schedules.map((schedule) => ({
    ...schedule,
    lastStatus: statuses.get(schedule.lastJobId ?? '') ?? schedule.lastStatus,
  }));
}
