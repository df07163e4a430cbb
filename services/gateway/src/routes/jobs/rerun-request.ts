import { AppError, type CreateJobRequest, isTerminal, type RerunJobRequest } from '@gleaner/contracts';
import { PAGE_STATES, type PartOfEntries, readEntries, type StoredJob, type Stores } from '@gleaner/storage';

/** States of the pages that are scraped again. */
const STATES: Readonly<Record<'all' | 'failed', PartOfEntries['states']>> = {
  all: PAGE_STATES,
  failed: ['failed'],
};

/**
 * Returns the request of a job that scrapes URLs of a finished job again, with its options. Throws JOB_NOT_FINISHED, and
 * INVALID_REQUEST if only failed URLs are wanted and there are none.
 */
export async function rerunRequestOf(
  job: StoredJob,
  { only = 'all' }: { readonly only?: RerunJobRequest['only'] | 'all' },
  pages: Pick<Stores['pages'], 'findInOrder' | 'findPages'>,
): Promise<CreateJobRequest> {
  if (!isTerminal(job.status)) throw notFinished(job);
  const part = { states: STATES[only], limit: job.totalUrls, offset: 0 };
  const urls: string[] = [];
  for await (const entries of readEntries(job, part, pages)) urls.push(...entries.map(({ url }) => url));
  if (urls.length === 0) throw only === 'failed' ? nothingFailed() : new AppError('JOB_NOT_FOUND');
  return {
    name: job.name,
    urls,
    ...JSON.parse(job.optionsJson),
    ...(job.webhookJson !== undefined && { webhook: JSON.parse(job.webhookJson) }),
  };
}

function notFinished({ status }: StoredJob): AppError {
  return new AppError('JOB_NOT_FINISHED', {
    message: `The job is ${status}; only a finished job can be run again.`,
  });
}

function nothingFailed(): AppError {
  const message = 'must be left out: no URL of this job failed';
  return new AppError('INVALID_REQUEST', {
    message: `only ${message}.`,
    suggestion: 'Leave only out to scrape every URL of the job again.',
    details: [{ path: 'only', message }],
  });
}
