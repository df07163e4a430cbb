import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { PackedPage, Warning } from '@gleaner/contracts';
import type { HiddenMark } from '@gleaner/extraction';

/** Compressed pages up to this size fit into a message beside the values that were extracted. */
const MAX_PACKED_CHARACTERS = 5 * 1024 * 1024;
/** Bytes of a message that the rest of a reply may take as well. */
const MAX_REPLY_CHARACTERS = 9 * 1024 * 1024;
const QUALITY = 5;

const compress = promisify(brotliCompress);

/** Parts of a page that are in the reply to a scrape beside its snapshot. */
interface Rest {
  readonly dataJson?: string;
  readonly formatsJson?: string;
  readonly capturedJson?: string;
  readonly screenshot?: string | undefined;
}

/** Compresses a page, so that it can be kept. */
export async function packPage(
  source: string,
  { kind, baseUrl, encoding = 'utf-8' }: Omit<PackedPage, 'source'>,
): Promise<PackedPage> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const packed = await compress(source, { params });
  return { kind, baseUrl, ...(encoding !== 'utf-8' && { encoding }), source: packed.toString('base64') };
}

/** Returns the source of a page as the page has it, without the mark of what a browser does not show. */
export function withoutMarks(source: string, mark: HiddenMark | undefined): string {
  return mark ? source.replaceAll(` ${mark.name}="${mark.value}"`, '') : source;
}

/** Returns the packed page if it fits into the reply, and otherwise a warning. */
export function keepIfFits(
  page: PackedPage | undefined,
  { dataJson = '', formatsJson = '', capturedJson = '', screenshot = '' }: Rest,
): { readonly snapshot?: PackedPage; readonly warnings: readonly Warning[] } {
  if (page === undefined) return { warnings: [] };
  const others = dataJson.length + formatsJson.length + capturedJson.length + screenshot.length;
  const fits = page.source.length <= MAX_PACKED_CHARACTERS && others * 3 <= MAX_REPLY_CHARACTERS;
  return fits ? { snapshot: page, warnings: [] } : { warnings: [NOT_KEPT] };
}

const NOT_KEPT: Warning = {
  code: 'SNAPSHOT_NOT_KEPT',
  message:
    'The page is too large to keep, or the reply has too much beside it. Request fewer values and no screenshot with the snapshot.',
};

export const PDF_NOT_KEPT: Warning = {
  code: 'SNAPSHOT_NOT_KEPT',
  message: 'The page is a PDF, of which no snapshot is kept.',
};
