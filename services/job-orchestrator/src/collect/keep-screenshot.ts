import type { PageWithScreenshot } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { CollectedOutcome } from './read-context.ts';

/** Time after which the reconciler checks that a result names the screenshot. */
const CHECK_AFTER_MS = 300_000;

/**
 * Stores the screenshot of a page whose attempt still counts, and returns the page's outcome. A message that comes twice
 * may store two: the result that is stored first names the one that counts, and the other is removed later.
 */
export async function keepScreenshot(
  { screenshot, ...page }: PageWithScreenshot,
  { clock, pages, screenshots }: Pick<Stores, 'clock' | 'pages' | 'screenshots'>,
): Promise<CollectedOutcome> {
  const { jobId, pageId: id, attempt } = page;
  const [stored] = await pages.findPages([id]);
  if (stored?.state !== 'running' || stored.attempt !== attempt) return page;
  const png = Buffer.from(screenshot, 'base64');
  const checkAt = new Date(clock.nowMs() + CHECK_AFTER_MS);
  return { ...page, screenshotId: await screenshots.insertScreenshot({ jobId, id, attempt, png, checkAt }) };
}
