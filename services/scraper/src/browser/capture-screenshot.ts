import { AppError } from '@gleaner/contracts';
import { VIEWPORT } from './chromium-flags.ts';
import type { Tab } from './open-tab.ts';

/** Taller pages are cut here: textures end at this height, and so do most readers. */
const MAX_HEIGHT = 16_384;
/** Base64 characters; the reply that carries it must fit into one message. */
const MAX_CHARACTERS = 10 * 1_048_576;
const MIN_HEIGHT = 1_024;

/**
 * The whole page as PNG in base64, from its top down to 16 384 pixels, or less where the picture would be over 10 MiB.
 * Throws UNSUPPORTED_CONTENT when even its beginning is.
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
    message: 'The picture of the page is too large to be sent.',
    suggestion: 'Ask for the page without screenshot.',
  });
}
