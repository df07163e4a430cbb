import { AppError } from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';

/** Finds a job of the caller's account. Throws JOB_NOT_FOUND, also for jobs of other accounts. */
export async function findJob(
  { account }: Caller,
  id: string | undefined,
  { jobs }: { readonly jobs: Pick<Stores['jobs'], 'findJob'> },
): Promise<StoredJob> {
  const job = await jobs.findJob(account.id, id ?? '');
  if (!job) throw new AppError('JOB_NOT_FOUND');
  return job;
}
