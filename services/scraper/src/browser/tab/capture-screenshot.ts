import { AppError, type ScreenshotOptions } from '@gleaner/contracts';
import { callInjected } from '../load-injected.ts';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import { viewportOf } from './set-viewport.ts';

/** Taller images are cut here: it is the largest height of a texture. */
const MAX_IMAGE_HEIGHT = 16_384;
/** Larger images are cut to a lower height: all their pixels are in memory at once. */
const MAX_IMAGE_PIXELS = 42_000_000;
const MAX_ELEMENT_WIDTH = 5120;
/** In base64, so that the reply with the screenshot fits into one message. */
const MAX_CHARACTERS = 10 * 1_048_576;
const MIN_HEIGHT = 512;
const DEFAULT_QUALITY = 80;

/** Part of the document, in CSS pixels from its upper left corner. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Takes an image in base64, cut to a lower height where it would be too large for one message. Returns undefined if the
 * selector of the options matches nothing that is shown. Throws UNSUPPORTED_CONTENT when even the top is too large.
 */
export async function captureScreenshot(tab: Tab, options: ScreenshotOptions): Promise<string | undefined> {
  const { format = 'png', quality = DEFAULT_QUALITY, fullPage = true, selector } = options;
  const area = selector === undefined ? await pageArea(tab, options) : await elementArea(tab, selector);
  if (area === null) return undefined;
  const { scale } = viewportOf(options);
  const { width } = area;
  const highest = Math.floor(Math.min(MAX_IMAGE_HEIGHT / scale, MAX_IMAGE_PIXELS / (width * scale * scale)));
  let height = Math.max(1, Math.min(area.height, highest));
  for (const least = Math.min(MIN_HEIGHT, height); height >= least; height = Math.floor(height / 2)) {
    const { data } = await tab.session.send('Page.captureScreenshot', {
      format,
      captureBeyondViewport: fullPage || selector !== undefined,
      optimizeForSpeed: false,
      ...(format !== 'png' && { quality }),
      clip: { ...area, height, scale: 1 },
    });
    if (data.length <= MAX_CHARACTERS) return data;
  }
  throw new AppError('UNSUPPORTED_CONTENT', {
    message: 'The screenshot of the page is too large to send.',
    suggestion:
      'Set screenshot.format to jpeg, take a part of the page by screenshot.selector, or take none.',
  });
}

/** Returns the area of the whole page, up to twice as wide as the window, or of its first window. */
async function pageArea({ session }: Tab, options: ScreenshotOptions): Promise<Area> {
  const { width, height } = viewportOf(options);
  if (options.fullPage === false) return { x: 0, y: 0, width, height };
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  return {
    x: 0,
    y: 0,
    width: Math.max(width, Math.min(Math.ceil(cssContentSize.width), 2 * width)),
    height: Math.max(height, Math.ceil(cssContentSize.height)),
  };
}

/** Returns the area of the first element that a selector matches; null without one, or if it shows nothing. */
async function elementArea(tab: Tab, selector: string): Promise<Area | null> {
  const area = await evaluateApart<Area | null>(tab, callInjected('element-area.ts', 'areaOf', selector));
  if (area === null || area.width < 1 || area.height < 1) return null;
  return { ...area, width: Math.min(area.width, MAX_ELEMENT_WIDTH) };
}
