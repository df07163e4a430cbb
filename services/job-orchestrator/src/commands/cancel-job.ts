import type { Broker } from '@gleaner/broker';
import { AppError, type CancelJobCommand, isTerminal, type Job } from '@gleaner/contracts';
import { inBackground, type Logger } from '@gleaner/service-kit';
import { describeJob, type StoredJob, type Stores } from '@gleaner/storage';
import { type Finisher, MAX_SMALL_JOB } from '../finish/finisher.ts';
import { atOnce } from '../steps.ts';

/** Collaborators of cancelling a job. */
export interface CancelJobDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'>;
  readonly broker: Pick<Broker, 'broadcast'>;
  readonly logger: Logger;
  readonly finisher: Pick<Finisher, 'add' | 'advance'>;
}

/** More than the pages of one job that are at work. */
const MAX_RUNNING = 10_000;

/**
 * Cancels a job: when it returns, no further page of it starts, and outcomes of pages at work do not count any more. The
 * pages of a large job that wait are cancelled afterwards; then its counters are exact, and its event is sent. Cancelling a
 * cancelled job changes nothing. Throws JOB_NOT_FOUND, and JOB_NOT_CANCELLABLE for a job that has finished otherwise.
 */
export async function cancelJob({ jobId, accountId }: CancelJobCommand, deps: CancelJobDeps): Promise<Job> {
  const { stores, finisher } = deps;
  const job = await stores.jobs.cancel(accountId, jobId, stores.clock.now());
  if (!job) throw new AppError('JOB_NOT_FOUND');
  // Its last page may have finished just before, and another process may have finished the job.
  if (job.status !== 'cancelled') throw notCancellable(job);
  if (job.completedAt) return describeJob(job);
  await stores.pages.cancelRunning(jobId, MAX_RUNNING, stores.clock.now());
  inBackground(deps.broker.broadcast('jobCancellations', { jobId }), deps.logger, UNTOLD);
  if (job.totalUrls > MAX_SMALL_JOB) {
    finisher.add(job);
    return describeJob(job);
  }
  await finisher.advance(jobId, atOnce);
  const [current = job] = await stores.jobs.findJobs([jobId]);
  return describeJob(current);
}

const UNTOLD = 'Scrapers were not told of a cancellation; the reconciler tells them again.';

function notCancellable({ status }: StoredJob): AppError {
  return new AppError('JOB_NOT_CANCELLABLE', {
    message: `The job is ${status}; only pending and running jobs can be cancelled.`,
  });
}

/** Tells scrapers the active and the finished jobs; they ask after a possibly missed cancellation. */
export async function tellWhichAreOver(
  jobIds: readonly string[],
  { stores, broker, logger }: Pick<CancelJobDeps, 'stores' | 'broker' | 'logger'>,
): Promise<void> {
  if (jobIds.length === 0) return;
  try {
    const jobs = await stores.jobs.findJobs(jobIds);
    const over = jobs.filter(({ status }) => isTerminal(status)).map(({ id }) => id);
    const going = jobs.filter(({ status }) => !isTerminal(status)).map(({ id }) => id);
    await broker.broadcast('pageClaims', { asked: [], held: [], going, over });
  } catch (err) {
    logger.debug({ err }, 'Scrapers were not told which jobs are over; they work on their pages.');
  }
}
