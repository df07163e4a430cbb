import type { ScreenshotRecord, StoredJob, StoredPage } from '@gleaner/storage';

/** Input of the decision on a screenshot. */
export interface ScreenshotEvidence {
  readonly record: ScreenshotRecord;
  /** Undefined if it was deleted. */
  readonly job: Pick<StoredJob, 'expiresAt'> | undefined;
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
  const { expiresAt = later } = job;
  return expiresAt.getTime() <= nowMs ? 'remove' : expiresAt;
}
