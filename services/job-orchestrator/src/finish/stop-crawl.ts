import type { StopReason } from '@gleaner/contracts';
import type { CrawlState } from '@gleaner/storage';
import { type FinishDeps, finishJob } from './finish-job.ts';

/** A crawl that may start no further page now, with its state at that moment. */
export interface SpentCrawl {
  readonly jobId: string;
  readonly reason: StopReason;
  readonly crawl: CrawlState;
}

/**
 * Stops a crawl that may start no further page, once none of those in flight can give its place back: the pages that wait
 * are skipped, and the job finishes. Before that, it corrects a count of started pages that a crash left too high.
 */
export async function stopCrawl({ jobId, reason, crawl }: SpentCrawl, deps: FinishDeps): Promise<void> {
  const { clock, jobs, pages } = deps.stores;
  const isFinal = crawl.stoppedBy !== undefined || reason === 'duration';
  if (!isFinal) {
    if (await pages.hasUndecided(jobId)) return;
    const { succeeded, visited, failed, missing } = await pages.countPages(jobId);
    const started = succeeded + visited + failed + missing;
    if (crawl.started > started) return await jobs.correctStarted(jobId, crawl.started, started);
  }
  await jobs.stopCrawl(jobId, reason);
  await pages.dropSupportPages(jobId, clock.now());
  for (;;) {
    const ids = await pages.findUndispatched(jobId);
    if (ids.length === 0) break;
    await jobs.countSkips(jobId, 'limit', await pages.skip(ids, 'limit', clock.now()));
  }
  const [job] = await jobs.findJobs([jobId]);
  if (job) await finishJob(job, deps);
}
