import type { StoredJob, Stores } from '@gleaner/storage';
import { crawlOptionsOf } from './crawl-options-of.ts';

/** Returns the number of results that a job has so far. */
export async function countResults(
  job: StoredJob,
  pages: Pick<Stores['pages'], 'countPages'>,
): Promise<number> {
  const { id, completedUrls, crawl } = job;
  if (!crawl) return completedUrls;
  const hasVisits = crawlOptionsOf(job)?.rules?.some(({ keep = true }) => !keep) ?? false;
  const visited = hasVisits ? (await pages.countPages(id)).visited : 0;
  const skipped = Object.values(crawl.skipped).reduce((sum, count) => sum + count, 0);
  return Math.max(0, completedUrls - skipped - visited);
}
