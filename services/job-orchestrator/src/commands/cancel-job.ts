import type { Broker } from '@gleaner/broker';
import { AppError, type CancelJobCommand, isTerminal, type Job } from '@gleaner/contracts';
import { describeJob, type StoredJob } from '@gleaner/storage';
import { type FinishDeps, finishJob } from '../finish/finish-job.ts';

/** What cancelling takes. */
export interface CancelJobDeps extends FinishDeps {
  readonly broker: Pick<Broker, 'publishEvents' | 'broadcast'>;
}

/**
 * Ends a job before its time: when it returns, no page of it starts any more. Cancelling a cancelled job changes
 * nothing. Throws JOB_NOT_FOUND, and JOB_NOT_CANCELLABLE for a job that has ended otherwise.
 */
export async function cancelJob({ jobId, accountId }: CancelJobCommand, deps: CancelJobDeps): Promise<Job> {
  const found = await deps.stores.jobs.requestCancel(accountId, jobId, new Date());
  if (!found) throw new AppError('JOB_NOT_FOUND');
  const job = isTerminal(found.status) ? found : await completeCancel(found, deps);
  // Its last page may have ended just before, and somebody else have ended the job for that.
  if (!isTerminal(job.status) || job.status === 'cancelled') return describeJob(job);
  throw new AppError('JOB_NOT_CANCELLABLE', { message: `The job has ended already: it is ${job.status}.` });
}

/** Carries out a cancellation that was noted; whoever finds one half done may do it again. */
export async function completeCancel(job: StoredJob, deps: CancelJobDeps): Promise<StoredJob> {
  const { stores, broker, logger } = deps;
  await stores.pages.cancelUnended(job.id, new Date());
  await broker.broadcast('jobCancellations', { jobId: job.id }).catch((err: unknown) => {
    logger.warn({ err, jobId: job.id }, 'Scrapers were not told of a cancellation; it is said again later.');
  });
  const ended = await finishJob(job, deps);
  if (ended) return ended;
  const [current = job] = await stores.jobs.findJobs([job.id]);
  return current;
}
