import type { ScreenshotRecord, Stores } from '@gleaner/storage';
import { decideScreenshot } from './decide-screenshot.ts';

/** Where everything is that a screenshot is judged by. */
type ScreenshotStores = Pick<Stores, 'jobs' | 'pages' | 'results' | 'screenshots'>;

const MAX_A_ROUND = 50;

/** Removes screenshots whose job is gone, and those that no result names; how many. Safe to repeat, and from several processes. */
export async function checkScreenshots(stores: ScreenshotStores, now: Date): Promise<number> {
  let removed = 0;
  for (const record of await stores.screenshots.findUnchecked(now, MAX_A_ROUND)) {
    const fate = decideScreenshot(await standingOf(record, stores), now.getTime());
    if (fate !== 'remove') await stores.screenshots.checkLater(record.id, fate);
    else {
      await stores.screenshots.deleteScreenshot(record.id);
      removed += 1;
    }
  }
  return removed;
}

async function standingOf(record: ScreenshotRecord, { jobs, pages, results }: ScreenshotStores) {
  const { jobId, pageId, attempt } = record;
  const [[job], [page], namedId] = await Promise.all([
    jobs.findJobs([jobId]),
    pages.findPages([pageId]),
    results.findScreenshotId({ id: pageId, attempt }),
  ]);
  return { record, job, page, namedId };
}
