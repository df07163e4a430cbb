import { AppError } from '@gleaner/contracts';
import { pageIdOf, type StoredScreenshot, type Stores } from '@gleaner/storage';

/** Stores that screenshots are read from. */
export interface ScreenshotReader {
  readonly pages: Pick<Stores['pages'], 'findPages'>;
  readonly results: Pick<Stores['results'], 'findScreenshotId'>;
  readonly screenshots: Pick<Stores['screenshots'], 'findScreenshot'>;
}

/** Returns the screenshot of the URL at this index of a job, from 0. Throws SCREENSHOT_NOT_FOUND. */
export async function findScreenshot(
  jobId: string,
  index = '',
  { pages, results, screenshots }: ScreenshotReader,
): Promise<StoredScreenshot> {
  const [entry] = INDEX.test(index) ? await pages.findPages([pageIdOf(jobId, Number(index))]) : [];
  const [page] = entry?.copyOf === undefined ? [entry] : await pages.findPages([entry.copyOf]);
  const id = page?.state === 'succeeded' ? await results.findScreenshotId(page) : null;
  const screenshot = id === null ? null : await screenshots.findScreenshot(id);
  if (!screenshot) throw new AppError('SCREENSHOT_NOT_FOUND');
  return screenshot;
}

const INDEX = /^(?:0|[1-9]\d{0,6})$/;
