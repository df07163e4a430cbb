import type { ScrapeRequest } from '@gleaner/client';
import type { Schema } from './use-openapi.ts';

/** A format as requests have it. */
export type Format = NonNullable<ScrapeRequest['formats']>[number];

/** Names in a schema of formats: all formats, and the ones with options. */
export interface FormatNames {
  readonly all: readonly string[];
  readonly withOptions: readonly string[];
}

/** Returns the names of the formats in a schema, or undefined for the schema of something else. */
export function formatNamesIn({ type, items }: Schema): FormatNames | undefined {
  const [named, described] = items?.anyOf ?? [];
  const withOptions = described?.properties?.type?.enum;
  if (type !== 'array' || !named?.enum || !withOptions) return undefined;
  return { all: named.enum.map(String), withOptions: withOptions.map(String) };
}

/** Returns the formats that were chosen: known ones as they are, new ones of the main content if others are. */
export function chooseFormats(
  chosen: readonly string[],
  formats: readonly Format[],
  names: FormatNames,
): readonly Format[] {
  const added = readFrom(formats.some(hasMain) ? 'main' : 'page', chosen as readonly Format[], names);
  return chosen.flatMap(
    (name, index) => formats.find((format) => nameOf(format) === name) ?? added[index] ?? [],
  );
}

/** Returns the formats with `main`, where they take it, or without; a format without options is its name. */
export function readFrom(
  part: 'main' | 'page',
  formats: readonly Format[],
  { withOptions }: FormatNames,
): readonly Format[] {
  return formats.map((format): Format => {
    if (!withOptions.includes(nameOf(format))) return format;
    const { type, main: _main, ...others } = partOf(format);
    const options = { ...(part === 'main' && { main: true }), ...others };
    return (Object.keys(options).length === 0 ? type : { type, ...options }) as Format;
  });
}

/** Formats of words, which can be read without hidden text. */
const OF_WORDS = ['markdown', 'article', 'text'];
/** Treatments of hidden text; a format without one keeps it. */
export const HIDDEN_TEXT = ['keep', 'drop', 'mark'] as const;
type HiddenText = (typeof HIDDEN_TEXT)[number];

/** Returns the treatment of hidden text in the formats of words; undefined without such a format. */
export function hiddenTextOf(formats: readonly Format[]): HiddenText | undefined {
  const word = formats.find((format) => OF_WORDS.includes(nameOf(format)));
  if (word === undefined) return undefined;
  return typeof word === 'string' ? 'keep' : (word.hidden ?? 'keep');
}

/** Returns the formats with this treatment of hidden text, where they take one. */
export function withHiddenText(hidden: HiddenText, formats: readonly Format[]): readonly Format[] {
  return formats.map((format): Format => {
    if (!OF_WORDS.includes(nameOf(format))) return format;
    const { hidden: _hidden, ...others } = typeof format === 'string' ? { type: format } : format;
    const options = { ...others, ...(hidden !== 'keep' && { hidden }) };
    return Object.keys(options).length === 1 ? (others.type as Format) : (options as Format);
  });
}

/** Returns true for a format that is read from the main content. */
export function hasMain(format: Format): boolean {
  return typeof format !== 'string' && 'main' in format && format.main === true;
}

/** Returns a format with its options. */
function partOf(format: Format): { readonly type: string; readonly main?: boolean } {
  return typeof format === 'string' ? { type: format } : format;
}

/** Returns the name of a format. */
export function nameOf(format: Format): string {
  return typeof format === 'string' ? format : format.type;
}
