import { isTerminal, type Schedule } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';

/** Store that the jobs of runs are read from. */
type JobReader = Pick<Stores['jobs'], 'findJobs'>;

/**
 * Returns the schedules with the current state of their last jobs in `lastStatus`; the scheduler records it a little
 * later.
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
