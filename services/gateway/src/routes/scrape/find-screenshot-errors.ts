import { type ErrorDetail, type ScrapeOptions, screenshotOf } from '@gleaner/contracts';

/** Most pixels that a window has, counted with its scale: the browser keeps all of them in memory. */
const MAX_VIEWPORT_PIXELS = 16_777_216;

/** Finds options of a screenshot that exclude each other. */
export function findScreenshotErrors(options: ScrapeOptions): ErrorDetail[] {
  const { fullPage, selector, viewport, mobile, format = 'png', quality } = screenshotOf(options) ?? {};
  const { width = 0, height = 0, scale = 1 } = viewport ?? {};
  const pixels = Math.ceil(width * height * scale * scale);
  const errors: (readonly [isWrong: boolean, name: string, message: string])[] = [
    [
      quality !== undefined && format === 'png',
      'quality',
      'is for the formats jpeg and webp: PNG loses nothing; leave it out or set format',
    ],
    [
      fullPage !== undefined && selector !== undefined,
      'fullPage',
      'cannot be set beside selector, which names the part of the page to show',
    ],
    [
      pixels > MAX_VIEWPORT_PIXELS,
      'viewport',
      `has ${pixels} pixels at its scale; at most ${MAX_VIEWPORT_PIXELS} are drawn`,
    ],
    [
      mobile === true && options.antiBot === true,
      'mobile',
      'cannot be combined with antiBot, whose disguise is a browser on a desktop',
    ],
  ];
  return errors.flatMap(([isWrong, name, message]) =>
    isWrong ? [{ path: `screenshot.${name}`, message }] : [],
  );
}
