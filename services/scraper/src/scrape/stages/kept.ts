import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { AppError, defined, LIMITS, type PageCommand } from '@gleaner/contracts';
import { withoutMarks } from '../../snapshots/pack-page.ts';
import type { KeptPage } from '../page.ts';

/** A page of the largest size, with three bytes for each character. */
const MAX_SOURCE_BYTES = 3 * LIMITS.maxPageBytes;

const decompress = promisify(brotliDecompress);

/** Takes the kept page as the document. Throws SNAPSHOT_NOT_FOUND. */
export async function unpackKept(page: KeptPage): Promise<void> {
  const { kept, found } = page;
  if (!kept) throw notKept();
  const { kind, baseUrl: finalUrl, encoding, statusCode, readAt, hiddenMark } = kept;
  const body = await decompress(Buffer.from(kept.source, 'base64'), { maxOutputLength: MAX_SOURCE_BYTES });
  page.source = { finalUrl, statusCode, headers: {} };
  page.document = {
    body,
    encoding: 'utf-8',
    kind,
    ...defined({ documentEncoding: encoding }),
    decode: () => withoutMarks(body.toString(), hiddenMark),
  };
  Object.assign(page.wanted, defined({ hiddenMark }));
  found.timestamp = readAt;
}

/** Returns true for a page that is reused for `maxAge`: it is fetched if its values cannot be extracted. */
export function isReused({ kept }: Pick<PageCommand, 'kept'>): boolean {
  return kept?.age !== undefined;
}

/** Throws unless the page is content: another one is fetched. */
export function requireReusable({ values }: KeptPage): void {
  if (values.verdict.page !== 'content') throw new AppError('UPSTREAM_ERROR');
}

/** Returns the age of the page with the result. */
export function returnAge({ kept, found }: KeptPage): void {
  if (kept?.age !== undefined) found.cache = { age: kept.age };
}

function notKept(): AppError {
  return new AppError('SNAPSHOT_NOT_FOUND', {
    message: 'The page is not kept any more: it is too old, or newer ones took its place.',
    suggestion: 'Run the job again with "snapshot": true, and extract within SNAPSHOT_RETENTION_MS.',
  });
}
