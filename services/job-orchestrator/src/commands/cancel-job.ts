import type { Broker } from '@gleaner/broker';
import { AppError, type CancelJobCommand, isTerminal, type Job } from '@gleaner/contracts';
import { describeJob, type StoredJob } from '@gleaner/storage';
import { type FinishDeps, finishJob } from '../finish/finish-job.ts';

/** Collaborators of cancelling a job. */
export interface CancelJobDeps extends FinishDeps {
  readonly broker: Pick<Broker, 'publishEvents' | 'broadcast'>;
}

/** Number of times that pages are cancelled in a row; the reconciler cancels those that are added afterwards. */
const MAX_ROUNDS = 5;

/**
 * Cancels a job: when it returns, no further page of it starts. Cancelling a cancelled job changes nothing. Throws
 * JOB_NOT_FOUND, and JOB_NOT_CANCELLABLE for a job that has finished otherwise.
 */
export async function cancelJob({ jobId, accountId }: CancelJobCommand, deps: CancelJobDeps): Promise<Job> {
  const found = await deps.stores.jobs.requestCancel(accountId, jobId, deps.stores.clock.now());
  if (!found) throw new AppError('JOB_NOT_FOUND');
  const job = isTerminal(found.status) ? found : await completeCancel(found, deps);
  // Its last page may have finished just before, and another process may have finished the job.
  if (!isTerminal(job.status) || job.status === 'cancelled') return describeJob(job);
  throw new AppError('JOB_NOT_CANCELLABLE', {
    message: `The job is ${job.status}; only pending and running jobs can be cancelled.`,
  });
}

/** Carries out a cancellation that was noted; may be repeated by any process that finds it unfinished. */
export async function completeCancel(job: StoredJob, deps: CancelJobDeps): Promise<StoredJob> {
  const { stores, broker, logger } = deps;
  await stores.pages.cancelUnfinished(job.id, stores.clock.now());
  await broker.broadcast('jobCancellations', { jobId: job.id }).catch((err: unknown) => {
    logger.warn(
      { err, jobId: job.id },
      'Scrapers were not told of a cancellation; the reconciler tells them again.',
    );
  });
  return await finishCancelled(job, deps);
}

/**
 * Finishes a job whose pages were cancelled. Links that were being stored at that time may have added pages to a crawl:
 * those are cancelled too. Returns the job as it is then.
 */
async function finishCancelled(job: StoredJob, deps: CancelJobDeps): Promise<StoredJob> {
  const { clock, jobs, pages } = deps.stores;
  for (let round = 1; ; round++) {
    const finished = await finishJob(job, deps);
    if (finished) return finished;
    const [current = job] = await jobs.findJobs([job.id]);
    if (isTerminal(current.status) || round === MAX_ROUNDS) return current;
    await pages.cancelUnfinished(job.id, clock.now());
  }
}
