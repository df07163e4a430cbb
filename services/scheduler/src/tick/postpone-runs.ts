import type { AppError } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { ClaimedSchedule, Stores } from '@gleaner/storage';
import type { SchedulerMetrics } from '../scheduler-metrics.ts';
import { retryDelayMsAfter } from './retry-delay.ts';

/** Collaborators of postponing. */
export interface PostponeDeps {
  readonly runs: Pick<Stores['scheduleRuns'], 'postpone'>;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: SchedulerMetrics;
  readonly retryDelayMs: number;
}

/** A run that could not be started, and the error. */
export interface FailedStart {
  readonly schedule: ClaimedSchedule;
  readonly error: AppError;
}

/** Postpones runs for the next scheduler that ticks then; writes one log line for all of them. */
export async function postponeRuns(failed: readonly FailedStart[], deps: PostponeDeps): Promise<void> {
  const { runs, now, logger, metrics, retryDelayMs } = deps;
  const [first] = failed;
  if (!first) return;
  await runs.postpone(
    failed.map(({ schedule: { id, run } }) => {
      const delayMs = retryDelayMsAfter(run.attempts, retryDelayMs);
      return { id, token: run.token, until: new Date(now().getTime() + delayMs) };
    }),
  );
  metrics.runs.inc({ outcome: 'postponed' }, failed.length);
  logger.warn(
    { err: first.error, scheduleId: first.schedule.id, runs: failed.length },
    'Runs could not be started; they will be attempted again.',
  );
}
