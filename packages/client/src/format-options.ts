import type { Format } from './data-of.ts';

type PartFormat = Exclude<Format, string>;

/** Options of a format: the part of the page that it is read from. */
export type FormatOptions = Omit<PartFormat, 'type'>;

/** The formats that take options: the compiler refuses one that is missing, and one too many. */
const TAKES_OPTIONS: Readonly<Record<PartFormat['type'], true>> = {
  markdown: true,
  links: true,
  images: true,
  text: true,
  html: true,
};

/** Returns the formats, those that take options with these. */
export function withFormatOptions(formats: readonly Format[], options: FormatOptions): Format[] {
  return formats.map((format) => {
    if (typeof format !== 'string') return { ...format, ...options };
    return Object.hasOwn(TAKES_OPTIONS, format) ? { type: format as PartFormat['type'], ...options } : format;
  });
}
