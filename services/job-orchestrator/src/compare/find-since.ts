import type { CrawlOptions, CreateJobCommand } from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';

/** Number of earlier crawls in which the last content of a page is looked for. */
const MAX_CRAWLS = 10;

/**
 * Returns the ids of the crawls that a new one is compared with, latest first: the one that it names, or the last run of
 * its schedule that has finished, and those that this one was compared with. Empty if there is none, or if its pages are
 * told apart by other rules.
 */
export async function findSince(
  { jobId, accountId, scheduleId, request: { crawl } }: CreateJobCommand,
  { jobs }: { readonly jobs: Pick<Stores['jobs'], 'findJob' | 'findCrawlBefore'> },
): Promise<string[]> {
  if (!crawl) return [];
  const before =
    crawl.since !== undefined
      ? await jobs.findJob(accountId, crawl.since)
      : crawl.changes && scheduleId !== undefined
        ? await jobs.findCrawlBefore({ accountId, scheduleId, jobId })
        : null;
  if (!before || !hasSameKeys(before, crawl)) return [];
  return [before.id, ...(before.crawl?.since ?? [])].slice(0, MAX_CRAWLS);
}

function hasSameKeys({ crawlJson = '{}' }: StoredJob, { ignoreQuery = false }: CrawlOptions): boolean {
  const { ignoreQuery: before = false } = JSON.parse(crawlJson) as CrawlOptions;
  return JSON.stringify(before) === JSON.stringify(ignoreQuery);
}
