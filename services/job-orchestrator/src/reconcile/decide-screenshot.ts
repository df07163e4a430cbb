import type { ScreenshotRecord, StoredJob, StoredPage } from '@gleaner/storage';

/** What a screenshot is judged by. */
export interface ScreenshotStanding {
  readonly record: ScreenshotRecord;
  /** Undefined when it is gone. */
  readonly job: Pick<StoredJob, 'expiresAt'> | undefined;
  readonly page: Pick<StoredPage, 'state' | 'attempt'> | undefined;
  /** The screenshot that the result of its try names. */
  readonly namedId: string | null;
}

/** How often a screenshot is looked at whose job, or whose page, has not ended. */
const CHECK_EVERY_MS = 300_000;

/**
 * When to look at a screenshot again, or that it is to be removed: it is wanted until its job is gone, if its try is the one
 * that its page succeeded with and the result names it; and as long as that may still happen.
 */
export function decideScreenshot(
  { record, job, page, namedId }: ScreenshotStanding,
  nowMs: number,
): Date | 'remove' {
  if (!job || !page || page.attempt !== record.attempt) return 'remove';
  const later = new Date(nowMs + CHECK_EVERY_MS);
  if (page.state === 'running') return later;
  if (page.state !== 'succeeded' || namedId !== record.id) return 'remove';
  const { expiresAt = later } = job;
  return expiresAt.getTime() <= nowMs ? 'remove' : expiresAt;
}
