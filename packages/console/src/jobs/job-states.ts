import type { Job } from '@gleaner/client';

const FINISHED: ReadonlySet<Job['status']> = new Set(['completed', 'partial', 'failed', 'cancelled']);

/** Returns what kind of job it is, in words. */
export function kindOf({ crawl, scheduleId, extractOf, rerunOf }: Job): string {
  if (extractOf) return 'Extraction';
  const what = crawl ? 'crawl' : 'job';
  if (scheduleId) return crawl ? 'Scheduled crawl' : 'Scheduled run';
  if (rerunOf) return `Rerun of a ${what}`;
  return crawl ? 'Crawl' : 'Job';
}

/** Returns true for states that never change. */
export function isFinished(status: Job['status']): boolean {
  return FINISHED.has(status);
}
