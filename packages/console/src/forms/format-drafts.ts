import type { ScrapeRequest } from '@gleaner/client';
import type { Schema } from './use-openapi.ts';

/** A format as requests have it. */
export type Format = NonNullable<ScrapeRequest['formats']>[number];

/** Names that a schema of formats has: all, and those that take options. */
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
    const { type, main: _main, ...others } = typeof format === 'string' ? { type: format } : format;
    const options = { ...(part === 'main' && { main: true }), ...others };
    return Object.keys(options).length === 0 ? type : ({ type, ...options } as Format);
  });
}

/** Returns true for a format that is read from the main content. */
export function hasMain(format: Format): boolean {
  return typeof format !== 'string' && format.main === true;
}

/** Returns the name of a format. */
export function nameOf(format: Format): string {
  return typeof format === 'string' ? format : format.type;
}
