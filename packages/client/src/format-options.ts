import type { Format } from './data-of.ts';

type FormatObject = Exclude<Format, string>;
type PartFormat = Exclude<FormatObject, { readonly type: 'article' }>;

/** Options of formats: the part of the page to read, and the treatment of hidden text. */
export type FormatOptions = Omit<PartFormat, 'type'>;

const PART = ['main', 'include', 'exclude'] as const;

/** The options of each format that takes some: the compiler rejects a missing format and an extra one. */
const TAKES: Readonly<Record<FormatObject['type'], readonly (keyof FormatOptions)[]>> = {
  markdown: [...PART, 'hidden'],
  article: ['hidden'],
  links: PART,
  images: PART,
  text: [...PART, 'hidden'],
  html: PART,
};

/** Returns the formats, each with its own options and, of the others, the ones that it takes. */
export function withFormatOptions(formats: readonly Format[], options: FormatOptions): Format[] {
  return formats.map((format) => {
    const { type, ...own } = typeof format === 'string' ? { type: format } : format;
    const taken = Object.hasOwn(TAKES, type) ? TAKES[type as FormatObject['type']] : [];
    const given = taken.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
    const all = { ...Object.fromEntries(given), ...own };
    return Object.keys(all).length === 0 ? format : ({ type, ...all } as Format);
  });
}
