import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { AppError, defined, LIMITS } from '@gleaner/contracts';
import type { KeptPage } from '../page.ts';

/** A page of the largest size, with three bytes for each character. */
const MAX_SOURCE_BYTES = 3 * LIMITS.maxPageBytes;

const decompress = promisify(brotliDecompress);

/** Takes the snapshot as the document. Throws SNAPSHOT_NOT_FOUND. */
export async function unpackKept(page: KeptPage): Promise<void> {
  const { kept, found } = page;
  if (!kept) throw notKept();
  const { kind, baseUrl: finalUrl, encoding, statusCode, readAt } = kept;
  const body = await decompress(Buffer.from(kept.source, 'base64'), { maxOutputLength: MAX_SOURCE_BYTES });
  page.source = { finalUrl, statusCode, headers: {} };
  page.document = {
    body,
    encoding: 'utf-8',
    kind,
    ...defined({ documentEncoding: encoding }),
    decode: () => body.toString(),
  };
  found.timestamp = readAt;
}

function notKept(): AppError {
  return new AppError('SNAPSHOT_NOT_FOUND', {
    message: 'The page is not kept any more: it is too old, or newer ones took its place.',
    suggestion: 'Run the job again with "snapshot": true, and extract within SNAPSHOT_RETENTION_MS.',
  });
}
