import { AppError, type ChangeFilter, type PageKind } from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';

/** Filter of results, by kind of change and kind of page. */
export interface ResultChoice {
  readonly change?: ChangeFilter | undefined;
  readonly verdicts?: readonly PageKind[] | undefined;
}

/** Returns the number of results of a job so far, after the filter. */
export async function countResults(
  job: StoredJob,
  { change, verdicts }: ResultChoice,
  pages: Pick<Stores['pages'], 'countPages' | 'countChanges'>,
): Promise<number> {
  const { id, completedUrls, crawl } = job;
  if (change) return (await pages.countChanges(id, verdicts))[change];
  if (verdicts) return verdicts.reduce((sum, kind) => sum + (job.verdicts?.[kind] ?? 0), 0);
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
