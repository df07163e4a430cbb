import type { ScreenshotRecord, StoredJob, StoredPage, Stores } from '@gleaner/storage';

/** Stores that the check of a screenshot reads. */
type ScreenshotStores = Pick<Stores, 'jobs' | 'pages' | 'results' | 'screenshots'>;

const MAX_PER_ROUND = 50;

/** Removes screenshots without a job or a result; returns their number. Safe to repeat, and from several processes. */
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

/** Input of the decision on a screenshot. */
export interface ScreenshotEvidence {
  readonly record: ScreenshotRecord;
  /** Undefined if it was deleted. */
  readonly job: Pick<StoredJob, 'retainedUntil' | 'expiresAt'> | undefined;
  readonly page: Pick<StoredPage, 'state' | 'attempt'> | undefined;
  /** The screenshot that the result of its attempt names. */
  readonly namedId: string | null;
}

/** Time between two checks of a screenshot whose job or page has not finished. */
const CHECK_EVERY_MS = 300_000;

/**
 * Returns when to check a screenshot again, or that it is to be removed. It is kept until its job is deleted if its page
 * succeeded with its attempt and the result names it, and as long as that may still happen.
 */
export function decideScreenshot(
  { record, job, page, namedId }: ScreenshotEvidence,
  nowMs: number,
): Date | 'remove' {
  if (!job || !page || page.attempt !== record.attempt) return 'remove';
  const later = new Date(nowMs + CHECK_EVERY_MS);
  if (page.state === 'running') return later;
  if (page.state !== 'succeeded' || namedId !== record.id) return 'remove';
  // Earlier versions stored no other time.
  const { expiresAt = later, retainedUntil = expiresAt } = job;
  return retainedUntil.getTime() <= nowMs ? 'remove' : retainedUntil;
}
