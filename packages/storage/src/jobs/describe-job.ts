import type { Job } from '@gleaner/contracts';
import type { JobProgress } from './stored-job.ts';

/** Returns a job as the API shows it. */
export function describeJob(job: JobProgress): Job {
  const { id, name, status, totalUrls, completedUrls, failedUrls, creditsUsed, scheduleId, rerunOf } = job;
  return {
    id,
    name,
    status,
    totalUrls,
    completedUrls,
    failedUrls,
    creditsUsed,
    ...(scheduleId && { scheduleId }),
    ...(rerunOf && { rerunOf }),
    createdAt: job.createdAt.toISOString(),
    ...(job.startedAt && { startedAt: job.startedAt.toISOString() }),
    ...(job.completedAt && { completedAt: job.completedAt.toISOString() }),
  };
}
