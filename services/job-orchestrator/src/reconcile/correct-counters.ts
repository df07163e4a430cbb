import type { PageCounts, StoredJob, Stores } from '@gleaner/storage';
import { countEntries } from '../finish/count-entries.ts';
import { urlCountsOf } from '../finish/finish-job.ts';

type Recounted = Pick<StoredJob, 'recountedAt' | 'startedAt' | 'createdAt' | 'totalUrls'>;

/** Time after which a finished page is counted, or the process that should have counted it has died. */
const COUNTED_WITHIN_MS = 30_000;

/** Pages that recounts of a job read per second on average: those of large jobs are rarer. */
const PAGES_PER_SECOND = 500;

/**
 * Returns whether a running job is due for a recount, which is rare because it reads every page of the job: the larger the
 * job, the rarer. Counters are behind until then only if an orchestrator died, and are exact when the job finishes.
 */
export function isRecountDue(job: Recounted, now: Date, recountAfterMs: number): boolean {
  const since = job.recountedAt ?? job.startedAt ?? job.createdAt;
  const periodMs = Math.max(recountAfterMs, (job.totalUrls / PAGES_PER_SECOND) * 1000);
  return now.getTime() - since.getTime() >= periodMs;
}

/**
 * Raises the counters of a running job to what its pages say: an orchestrator may have died between the end of a page
 * and its count. Pages that have just finished are left out, since they are being counted.
 */
export async function correctCounters(job: StoredJob, now: Date, stores: Stores): Promise<void> {
  const { id } = job;
  const before = new Date(now.getTime() - COUNTED_WITHIN_MS);
  const counts = await stores.pages.countPages(id, before);
  const entries = await countEntries(job, counts, stores, before);
  const { credits: creditsUsed } = await stores.credits.sumCharges(`${id}:`, before);
  const counters = { ...urlCountsOf(entries), creditsUsed };
  await stores.jobs.raiseCounters(id, job.crawl ? { ...counters, ...raisedCrawl(entries) } : counters, now);
}

/** Returns counters of a crawl that pages counted so far do not fall short of. */
function raisedCrawl(counts: PageCounts): Record<string, number> {
  const { succeeded, visited, failed, missing } = counts;
  return {
    totalUrls: urlCountsOf(counts).completedUrls,
    'crawl.fetched': succeeded + visited + failed + missing,
    'crawl.missing': missing,
  };
}
