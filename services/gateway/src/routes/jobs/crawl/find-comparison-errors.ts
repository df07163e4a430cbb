import { type CrawlOptions, type ErrorDetail, isTerminal } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { crawlOptionsOf } from './crawl-options-of.ts';

/** Finds why a job cannot be compared with the crawl that it names, and says what to write instead. */
export async function findSinceErrors(
  { since, changes, ignoreQuery = false }: CrawlOptions,
  accountId: string,
  jobs: Pick<Stores['jobs'], 'findJob'>,
): Promise<ErrorDetail[]> {
  const errors: ErrorDetail[] = [];
  if (changes !== undefined) {
    errors.push({
      path: 'crawl.changes',
      message: 'is for schedules, which compare each run with the run before: name the job in since',
    });
  }
  const path = 'crawl.since';
  const job = since === undefined ? undefined : await jobs.findJob(accountId, since);
  if (job === undefined) return errors;
  const before = job ? crawlOptionsOf(job) : undefined;
  const message = !job
    ? 'is not the id of a job of this account; GET /v1/jobs lists them. Jobs are deleted some time after they have finished'
    : !before
      ? 'is a job without crawl: name one with crawl'
      : !isTerminal(job.status)
        ? `is still ${job.status}: wait until it has finished`
        : JSON.stringify(before.ignoreQuery ?? false) !== JSON.stringify(ignoreQuery)
          ? `has another ignoreQuery, ${JSON.stringify(before.ignoreQuery ?? false)}, by which pages are told apart: use the same`
          : undefined;
  return message === undefined ? errors : [...errors, { path, message }];
}

/** Finds the option of a crawl that has no meaning on a schedule. */
export function findScheduleComparisonErrors({ since }: CrawlOptions): ErrorDetail[] {
  const message = 'is for jobs; a schedule compares each run with the run before it with "changes": true';
  return since === undefined ? [] : [{ path: 'crawl.since', message }];
}
