import { extname } from 'node:path';
import type { BodyOf } from '@gleaner/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../exit-codes.ts';
import { withoutUndefined } from './page-options.ts';

/** Options of a screenshot, as commander reads them. */
export interface ScreenshotFlags {
  /** The file to save it to, or true where each page keeps its own. */
  readonly screenshot?: string | boolean;
  readonly screenshotOf?: string;
  readonly screenshotFormat?: string;
  readonly viewport?: Viewport;
  readonly mobile?: boolean;
  /** False with `--no-full-page`. */
  readonly fullPage: boolean;
}

type Screenshot = NonNullable<BodyOf<'scrape'>['screenshot']>;
type ScreenshotOptions = Exclude<Screenshot, boolean>;
type Viewport = NonNullable<ScreenshotOptions['viewport']>;
type ImageFormat = NonNullable<ScreenshotOptions['format']>;

/** Formats by the ends of file names. */
const FORMATS: Readonly<Record<string, ImageFormat>> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.webp': 'webp',
};
const FORMAT_NAMES = [...new Set(Object.values(FORMATS))];

/** Adds the options of the screenshot of one page, which is saved to a file whose name says the format. */
export function addScreenshotFile(command: Command): Command {
  command.option('--screenshot <file>', 'save the page as an image: .png, .jpg or .webp');
  return addOptions(command);
}

/** Adds the options of screenshots that are kept with their pages. */
export function addScreenshots(command: Command, description: string): Command {
  command
    .option('--screenshot', description)
    .addOption(new Option('--screenshot-format <format>', 'png, jpeg or webp').choices(FORMAT_NAMES));
  return addOptions(command);
}

function addOptions(command: Command): Command {
  return command
    .option('--screenshot-of <selector>', 'show the first element that this CSS selector matches')
    .option('--no-full-page', 'show only what the window shows first')
    .addOption(
      new Option('--viewport <size>', 'window of the browser, such as 1280x800 or 390x844@2').argParser(
        parseViewport,
      ),
    )
    .option('--mobile', 'visit the page as a phone does');
}

function parseViewport(text: string): Viewport {
  const [, width, height, scale] = /^(\d{1,5})x(\d{1,5})(?:@(\d(?:\.\d+)?))?$/.exec(text) ?? [];
  if (width === undefined || height === undefined) {
    throw new InvalidArgumentError('It must be a width, an x and a height, such as 390x844 or 1280x800@2.');
  }
  return {
    width: Number(width),
    height: Number(height),
    ...(scale !== undefined && { scale: Number(scale) }),
  };
}

/** Converts the options for the API; an empty object without a screenshot. */
export function readScreenshot(flags: ScreenshotFlags): { screenshot?: true | ScreenshotOptions } {
  const { screenshot, screenshotOf: selector, viewport, mobile } = flags;
  const options: ScreenshotOptions = withoutUndefined({
    selector,
    viewport,
    mobile,
    format: formatOf(flags),
    ...(flags.fullPage ? {} : { fullPage: false }),
  });
  const [first] = Object.keys(options);
  if (screenshot) return { screenshot: first === undefined ? true : options };
  if (first === undefined) return {};
  throw new UsageError(
    'There is no --screenshot that the other options could be about.',
    'Add --screenshot.',
  );
}

function formatOf({ screenshot, screenshotFormat }: ScreenshotFlags): ImageFormat | undefined {
  if (typeof screenshot !== 'string') return screenshotFormat as ImageFormat | undefined;
  const format = FORMATS[extname(screenshot).toLowerCase()];
  if (format === undefined) {
    throw new UsageError(
      `--screenshot ${screenshot} does not end in a known format.`,
      `Use a name that ends in ${Object.keys(FORMATS).join(', ')}.`,
    );
  }
  return format === 'png' ? undefined : format;
}
