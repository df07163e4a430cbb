import type { StoredJob } from '../jobs/stored-job.ts';
import type { PageStore } from '../pages/page-store.ts';
import type { StoredPage } from '../pages/stored-page.ts';

/** Number of earlier runs in which the last success of a page is looked for. */
export const RUNS_COMPARED = 10;

/** Number of pages read at once. */
const CHUNK = 1000;

/** Returns true for a job whose pages can be compared with those of other runs: some succeeded, and it does not crawl. */
export function isComparableRun({ status, crawlJson }: Pick<StoredJob, 'status' | 'crawlJson'>): boolean {
  return (status === 'completed' || status === 'partial') && crawlJson === undefined;
}

/** Returns the pages of a run that succeeded, by URL in the order of the run; of equal URLs, the one that was fetched. */
export async function findSucceeded(
  jobId: string,
  pages: Pick<PageStore, 'findInOrder'>,
): Promise<ReadonlyMap<string, StoredPage>> {
  const found = new Map<string, StoredPage>();
  let afterId = '';
  for (;;) {
    const chunk = await pages.findInOrder(jobId, { states: ['succeeded'], afterId, limit: CHUNK });
    for (const page of chunk) found.set(page.url, page);
    if (chunk.length < CHUNK) return found;
    afterId = chunk.at(-1)?.id ?? '';
  }
}
