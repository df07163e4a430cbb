import {
  AppError,
  type CreateJobRequest,
  defined,
  type ExtractJobRequest,
  hasFinished,
  LIMITS,
  type ScrapeOptions,
} from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';
import { notFinished, withoutFetching } from './rerun-request.ts';

/**
 * Returns the request of a job to extract other values from the snapshots of a finished job, with the options by which
 * the pages were fetched, and the number of its URLs that succeeded. Throws JOB_NOT_FINISHED, SNAPSHOT_NOT_FOUND
 * without a snapshot, and INVALID_REQUEST for more pages than a job may have.
 */
export async function extractRequestOf(
  job: StoredJob,
  { name = job.name, webhook, ...wanted }: ExtractJobRequest,
  {
    clock,
    pages,
    snapshots,
  }: {
    readonly clock: Stores['clock'];
    readonly pages: Pick<Stores['pages'], 'countPages'>;
    readonly snapshots: Pick<Stores['snapshots'], 'hasPagesOf'>;
  },
): Promise<{ readonly request: CreateJobRequest; readonly urlCount: number }> {
  if (!hasFinished(job)) throw notFinished('can be extracted from');
  if (!(await snapshots.hasPagesOf(job.extractOf ?? job.id, clock.now()))) throw nothingKept(job);
  const urlCount = job.crawl
    ? (await pages.countPages(job.id)).succeeded
    : job.completedUrls - job.failedUrls;
  if (urlCount === 0) throw nothingKept(job);
  if (urlCount > LIMITS.maxUrlsPerJob) throw tooMany();
  const request = {
    name,
    urls: [],
    ...fetchOptionsOf(job),
    ...wanted,
    ...defined({ webhook }),
  };
  return { request, urlCount };
}

/** Returns the options for fetching pages. */
function fetchOptionsOf({ optionsJson }: StoredJob): ScrapeOptions {
  const options: ScrapeOptions = JSON.parse(optionsJson);
  const {
    recipe: _r,
    selectors: _s,
    formats: _f,
    locale: _l,
    snapshot: _k,
    ...rest
  } = withoutFetching(options);
  return rest;
}

function nothingKept({ optionsJson }: StoredJob): AppError {
  const isAsked = (JSON.parse(optionsJson) as ScrapeOptions).snapshot === true;
  return new AppError('SNAPSHOT_NOT_FOUND', {
    message: isAsked
      ? 'The pages of the job are not kept any more, or none succeeded.'
      : 'The job kept no pages: it was created without "snapshot": true.',
    suggestion: 'Create the job again with "snapshot": true; its pages are kept for a day.',
  });
}

function tooMany(): AppError {
  const message = `The job has more than ${LIMITS.maxUrlsPerJob} pages, which is the most that a job may extract from.`;
  return new AppError('INVALID_REQUEST', { message, suggestion: 'Extract from single pages by snapshotId.' });
}
