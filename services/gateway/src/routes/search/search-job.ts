import {
  cutText,
  defined,
  type FoundPage,
  type Job,
  LIMITS,
  type ScrapeOptions,
  type SearchRequest,
} from '@gleaner/contracts';
import { pageIdOf, type Stores } from '@gleaner/storage';
import { type CreateJobDeps, createJob, type JobCreator } from '../jobs/create-job.ts';

/** Collaborators of jobs that scrape results. */
export interface SearchJobDeps extends CreateJobDeps {
  readonly pages: Pick<Stores['pages'], 'findPages'>;
}

/** A job that scrapes results, and the results. */
export interface SearchJob {
  readonly job: Job;
  readonly results: readonly FoundPage[];
}

/** A search whose results a job scrapes, with the options for their pages. */
export interface ResultsRequest {
  readonly body: SearchRequest;
  readonly options: ScrapeOptions;
}

/** Creates a job of results. */
export async function createSearchJob(
  results: readonly FoundPage[],
  { body, options }: ResultsRequest,
  creator: JobCreator,
  deps: SearchJobDeps,
): Promise<SearchJob> {
  const { maxCredits } = body;
  const request = {
    ...options,
    name: cutText(`Search: ${body.query}`, MAX_NAME),
    urls: results.map(({ url }) => url),
    ...defined({ maxCredits }),
  };
  return { job: await createJob(request, creator, { search: body }, deps), results };
}

/** Characters of the name of a job. */
const MAX_NAME = 200;

/**
 * Returns the job of an earlier search with this Idempotency-Key, with its addresses; undefined without one. Throws
 * IDEMPOTENCY_CONFLICT for another search.
 */
export async function findSearchJob(
  request: ResultsRequest,
  creator: JobCreator,
  deps: SearchJobDeps,
): Promise<SearchJob | undefined> {
  const { caller, idempotencyKey } = creator;
  if (idempotencyKey === undefined) return undefined;
  const known = await deps.jobs.findJobOfKey(caller.account.id, idempotencyKey, deps.clock.now());
  if (!known) return undefined;
  const ids = Array.from({ length: LIMITS.maxSearchResults }, (_none, index) => pageIdOf(known._id, index));
  const pages = (await deps.pages.findPages(ids)).toSorted((one, other) => one.index - other.index);
  const results = pages.map(({ url }) => ({ url, title: '', snippet: '' }));
  // Without a page yet, the draft of the job is finished by a new search.
  return results.length === 0 ? undefined : await createSearchJob(results, request, creator, deps);
}
