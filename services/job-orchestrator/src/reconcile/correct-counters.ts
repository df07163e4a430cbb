import type { StoredJob, Stores } from '@gleaner/storage';

type Recounted = Pick<StoredJob, 'recountedAt' | 'startedAt' | 'createdAt'>;

/** After this long a page that has ended is counted, or whoever should have counted it is gone. */
const COUNTED_WITHIN_MS = 30_000;

/** Whether a job has gone on for so long since its last recount. It reads every page of the job, so it is a rare thing. */
export function isRecountDue(job: Recounted, now: Date, recountAfterMs: number): boolean {
  const since = job.recountedAt ?? job.startedAt ?? job.createdAt;
  return now.getTime() - since.getTime() >= recountAfterMs;
}

/**
 * Raises the counters of a job that goes on to what they must be by now: an orchestrator may have died between the end of
 * a page and its count. Pages that have just ended are left out: they are being counted.
 */
export async function correctCounters({ id }: StoredJob, now: Date, stores: Stores): Promise<void> {
  const before = new Date(now.getTime() - COUNTED_WITHIN_MS);
  const { succeeded, failed } = await stores.pages.countPages(id, before);
  const { credits: creditsUsed } = await stores.credits.sumCharges(`${id}:`, before);
  const counters = { completedUrls: succeeded + failed, failedUrls: failed, creditsUsed };
  await stores.jobs.raiseCounters(id, counters, now);
}
