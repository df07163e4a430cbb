import type { Job } from '@gleaner/contracts';
import type { StoredJob } from './stored-job.ts';

/** A job as callers see it. */
export function describeJob(job: StoredJob): Job {
  const { id, name, status, totalUrls, completedUrls, failedUrls, creditsUsed, scheduleId } = job;
  return {
    id,
    name,
    status,
    totalUrls,
    completedUrls,
    failedUrls,
    creditsUsed,
    ...(scheduleId && { scheduleId }),
    createdAt: job.createdAt.toISOString(),
    ...(job.startedAt && { startedAt: job.startedAt.toISOString() }),
    ...(job.completedAt && { completedAt: job.completedAt.toISOString() }),
  };
}
