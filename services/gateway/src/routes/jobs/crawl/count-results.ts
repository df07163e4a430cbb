import { AppError, type ChangeFilter } from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';

/** Returns the number of results that a job has so far; with `change`, of those that have changed so. */
export async function countResults(
  job: StoredJob,
  change: ChangeFilter | undefined,
  pages: Pick<Stores['pages'], 'countPages' | 'countChanges'>,
): Promise<number> {
  const { id, completedUrls, crawl } = job;
  if (change) return (await pages.countChanges(id))[change];
  if (!crawl) return completedUrls;
  const { visited = (await pages.countPages(id)).visited } = crawl;
  const skipped = Object.values(crawl.skipped).reduce((sum, count) => sum + count, 0);
  return Math.max(0, completedUrls - skipped - visited);
}

/** Throws INVALID_REQUEST if results are selected by their change, and the job is not compared with another. */
export function requireComparison({ crawl, crawlJson }: StoredJob, change: ChangeFilter | undefined): void {
  if (change === undefined || crawl?.since) return;
  const message =
    crawlJson === undefined
      ? 'is for crawls: leave it out'
      : 'must be left out: this crawl was compared with no other. Name one in crawl.since; the first run of a schedule with changes has none before it';
  throw new AppError('INVALID_REQUEST', {
    message: `change ${message}.`,
    details: [{ path: 'change', message }],
  });
}
