import type { PageOutcome, PageWithScreenshot } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';

/** What came of a try, with the screenshot that was kept of it, if any. */
export type CollectedOutcome = PageOutcome & { readonly screenshotId?: string };

/** Until then its result says whether a screenshot is wanted; the reconciler looks. */
const CHECK_AFTER_MS = 300_000;

/**
 * Keeps the screenshot of a page that is still with the worker that took it, and gives back what came of the page. A message
 * that comes twice may keep two: the result that is stored first names the one that counts, and the other is removed later.
 */
export async function keepScreenshot(
  { screenshot, ...page }: PageWithScreenshot,
  { pages, screenshots }: Pick<Stores, 'pages' | 'screenshots'>,
): Promise<CollectedOutcome> {
  const { jobId, pageId: id, attempt } = page;
  const [stored] = await pages.findPages([id]);
  if (stored?.state !== 'running' || stored.attempt !== attempt) return page;
  const png = Buffer.from(screenshot, 'base64');
  const checkAt = new Date(Date.now() + CHECK_AFTER_MS);
  return { ...page, screenshotId: await screenshots.insertScreenshot({ jobId, id, attempt, png, checkAt }) };
}
