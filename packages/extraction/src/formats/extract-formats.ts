import type { FormatName } from '@gleaner/contracts';
import { Budget } from '../budget.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { readMarkdown } from '../markdown/read-markdown.ts';
import type { FormatReader } from './format-reader.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import { readHtml } from './read-html.ts';
import { readLinks } from './read-links.ts';
import { readTables } from './read-tables.ts';
import { readText } from './read-text.ts';

/** Readers of formats, by name. */
export type FormatReaders = ReadonlyMap<FormatName, FormatReader>;

/** Readers that are loaded with the package. */
const LIGHT_READERS: FormatReaders = new Map<FormatName, FormatReader>([
  ['markdown', readMarkdown],
  ['metadata', readMetadata],
  ['links', readLinks],
  ['tables', readTables],
  ['text', readText],
  ['html', readHtml],
]);

/** Imports of readers whose libraries are loaded only where a page asks for them. */
const HEAVY_READERS: ReadonlyMap<FormatName, () => Promise<FormatReader>> = new Map<
  FormatName,
  () => Promise<FormatReader>
>([]);

/** Returns true if a reader of the formats loads libraries first, which should happen off the event loop. */
export function areHeavy(names: readonly FormatName[]): boolean {
  return names.some((name) => HEAVY_READERS.has(name));
}

/** Returns the readers of the formats, with their libraries loaded. */
export async function loadFormatReaders(names: readonly FormatName[]): Promise<FormatReaders> {
  const heavy = await Promise.all(
    [...HEAVY_READERS].flatMap(([name, load]) =>
      names.includes(name) ? [load().then((reader): [FormatName, FormatReader] => [name, reader])] : [],
    ),
  );
  return new Map([...LIGHT_READERS, ...heavy]);
}

/** Options of `extractFormats`. */
export interface FormatOptions {
  /** URL of the page, to which its <base href> is applied. */
  readonly baseUrl: string;
  readonly budget?: Budget;
  /** Result of `loadFormatReaders`; needed for formats that are heavy. */
  readonly readers?: FormatReaders | undefined;
}

/**
 * Reads the formats, in the order given, and returns them as the text of a JSON object. Throws UNSUPPORTED_CONTENT when
 * over the budget.
 */
export function extractFormats(
  document: ParsedDocument,
  names: readonly FormatName[],
  { baseUrl, budget = new Budget(), readers = LIGHT_READERS }: FormatOptions,
): string {
  const members = names.map((name) => {
    const read = readers.get(name);
    if (!read) throw new Error(`The reader of the format "${name}" is not loaded.`);
    const member = `${JSON.stringify(name)}:${JSON.stringify(read(document, { baseUrl, budget }))}`;
    budget.spendOutput(member);
    return member;
  });
  return `{${members.join(',')}}`;
}
