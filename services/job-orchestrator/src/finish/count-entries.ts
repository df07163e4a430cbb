import type { PageCounts, StoredJob, Stores } from '@gleaner/storage';

/**
 * Returns the number of entries of a job in each state: its pages, which the caller has counted, and their copies. With
 * `endedBefore`, the pages were counted up to the same time.
 */
export async function countEntries(
  { id, distinctUrls }: Pick<StoredJob, 'id' | 'distinctUrls'>,
  counts: PageCounts,
  { pages }: Pick<Stores, 'pages'>,
  endedBefore?: Date,
): Promise<PageCounts> {
  if (distinctUrls === undefined) return counts;
  const copies = await pages.countCopies(id, endedBefore);
  const { waiting, running, succeeded, failed, cancelled } = copies;
  return {
    ...counts,
    waiting: counts.waiting + waiting,
    running: counts.running + running,
    succeeded: counts.succeeded + succeeded,
    failed: counts.failed + failed,
    cancelled: counts.cancelled + cancelled,
  };
}
