import { LARGE_RESULT_LENGTH, lengthOfPage } from '@gleaner/contracts';
import type { CollectedOutcome } from './read-context.ts';

/**
 * Times in milliseconds that an outcome waits for others, since small batches cost more than they save: each takes five
 * commands to the database. Others than plain results make something else wait: a host that has to be left alone, the
 * links of a crawl, or the few large messages that are taken at once.
 */
export const PATIENCE_MS = { plain: 200, other: 75 } as const;

/** Job of an outcome as this process knows it. */
export interface JobOfOutcome {
  /** False for the first outcomes of a job, which may be all of it. */
  readonly isKnown: boolean;
  readonly isCrawl: boolean;
  /** True if none of its pages waits or is running: this outcome may be its last. */
  readonly isDrained: boolean;
}

/** Returns the time that an outcome may wait for others to be stored with; callers may be waiting for the end of a job. */
export function patienceMsOf({ outcome, screenshotId }: CollectedOutcome, job: JobOfOutcome): number {
  if (!job.isKnown || job.isDrained) return 0;
  const isPlain = outcome.kind === 'found' && screenshotId === undefined && !job.isCrawl;
  return isPlain && lengthOfPage(outcome) <= LARGE_RESULT_LENGTH ? PATIENCE_MS.plain : PATIENCE_MS.other;
}
