import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Formats of screenshots. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Window of the browser, in CSS pixels. */
const ViewportSchema = Type.Object(
  {
    width: Type.Integer({ minimum: 200, maximum: 2560 }),
    height: Type.Integer({ minimum: 200, maximum: 2560 }),
    scale: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 3,
        description: 'Pixels of the image for each CSS pixel. Default 1.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`.',
  },
);

/** Window, part and format of a screenshot. */
export const ScreenshotOptionsSchema = Type.Object(
  {
    fullPage: Type.Optional(
      Type.Boolean({
        description: 'The whole page, however long, or only what the window shows first. Default true.',
        'x-default': true,
      }),
    ),
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          'CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so.',
      }),
    ),
    viewport: Type.Optional(ViewportSchema),
    mobile: Type.Optional(
      Type.Boolean({
        description: 'Visit the page as Chrome on a phone with a touch screen does. Default false.',
      }),
    ),
    format: Type.Optional(OneOf(IMAGE_FORMATS, { description: 'Default png.' })),
    quality: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Of a JPEG or WebP image. Default 80.' }),
    ),
  },
  { additionalProperties: false },
);
export type ScreenshotOptions = Static<typeof ScreenshotOptionsSchema>;

/** Returns the options of the screenshot that a request asks for, or undefined if it asks for none. */
export function screenshotOf(request: {
  readonly screenshot?: boolean | ScreenshotOptions;
}): ScreenshotOptions | undefined {
  const { screenshot } = request;
  if (screenshot === undefined || screenshot === false) return undefined;
  return screenshot === true ? {} : screenshot;
}
