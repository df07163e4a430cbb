import type { ImageFormat, PageWithScreenshot } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { CollectedOutcome } from './collected-outcome.ts';

/** Delay before the reconciler looks for a result with the screenshot. */
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
  const [known] = await pages.findPages([id]);
  if (known?.state !== 'running' || known.attempt !== attempt) return page;
  const image = Buffer.from(screenshot, 'base64');
  const checkAt = new Date(clock.nowMs() + CHECK_AFTER_MS);
  const stored = { jobId, id, attempt, image, format: formatOf(image), checkAt };
  return { ...page, screenshotId: await screenshots.insertScreenshot(stored) };
}

/** Returns the format of an image by its first bytes: `FF D8` of a JPEG, `RIFF` of a WebP. */
function formatOf(image: Buffer): ImageFormat {
  const start = image.toString('latin1', 0, 4);
  if (start.startsWith('\u00ff\u00d8')) return 'jpeg';
  return start === 'RIFF' ? 'webp' : 'png';
}
