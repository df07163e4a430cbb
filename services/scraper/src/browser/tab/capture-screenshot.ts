import { AppError } from '@gleaner/contracts';
import { VIEWPORT } from '../process/chromium-flags.ts';
import type { Tab } from './open-tab.ts';

/** Taller pages are cut here: it is the largest height of a texture. */
const MAX_HEIGHT = 16_384;
/** In base64, so that the reply with the screenshot fits into one message. */
const MAX_CHARACTERS = 10 * 1_048_576;
const MIN_HEIGHT = 1_024;

/**
 * Takes a PNG of the whole page in base64, cut to a lower height where it would be too large for one message. Throws
 * UNSUPPORTED_CONTENT when even the top of the page is too large.
 */
export async function captureScreenshot(tab: Tab): Promise<string> {
  const { session } = tab;
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const width = Math.max(VIEWPORT.width, Math.min(Math.ceil(cssContentSize.width), 2 * VIEWPORT.width));
  let height = Math.max(VIEWPORT.height, Math.min(Math.ceil(cssContentSize.height), MAX_HEIGHT));
  for (; height >= Math.min(MIN_HEIGHT, VIEWPORT.height); height = Math.floor(height / 2)) {
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: true,
      optimizeForSpeed: false,
      clip: { x: 0, y: 0, width, height, scale: 1 },
    });
    if (data.length <= MAX_CHARACTERS) return data;
  }
  throw new AppError('UNSUPPORTED_CONTENT', {
    message: 'The screenshot of the page is too large to send.',
    suggestion: 'Scrape the page without screenshot.',
  });
}
