import type { ScreenshotRecord, Stores } from '@gleaner/storage';
import { decideScreenshot } from './decide-screenshot.ts';

/** Stores that the check of a screenshot reads. */
type ScreenshotStores = Pick<Stores, 'jobs' | 'pages' | 'results' | 'screenshots'>;

const MAX_PER_ROUND = 50;

/** Removes screenshots whose job is deleted or that no result names; returns their number. Safe to repeat, and from several processes. */
export async function checkScreenshots(stores: ScreenshotStores, now: Date): Promise<number> {
  let removed = 0;
  for (const record of await stores.screenshots.findUnchecked(now, MAX_PER_ROUND)) {
    const decision = decideScreenshot(await evidenceOf(record, stores), now.getTime());
    if (decision !== 'remove') await stores.screenshots.checkLater(record.id, decision);
    else {
      await stores.screenshots.deleteScreenshot(record.id);
      removed += 1;
    }
  }
  return removed;
}

async function evidenceOf(record: ScreenshotRecord, { jobs, pages, results }: ScreenshotStores) {
  const { jobId, pageId, attempt } = record;
  const [[job], [page], namedId] = await Promise.all([
    jobs.findJobs([jobId]),
    pages.findPages([pageId]),
    results.findScreenshotId({ id: pageId, attempt }),
  ]);
  return { record, job, page, namedId };
}
