import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import {
  AppError,
  LIMITS,
  type PageCommand,
  type PageFound,
  type PageOutcome,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import { requireContent } from '../classify/verdict/require-content.ts';
import type { PageReader } from '../extract/page-reader.ts';
import { wantedOf } from '../extract/read-page.ts';
import { inStage } from './stage.ts';

/** A page of a job whose values come from a kept page. */
export type PageToExtract = PageCommand & { readonly kept: NonNullable<PageCommand['kept']> | null };

/** Outcome of such a page. */
export type KeptOutcome = Extract<PageOutcome['outcome'], { kind: 'found' | 'failed' }>;

/** A page of the largest size, with three bytes for each character. */
const MAX_SOURCE_BYTES = 3 * LIMITS.maxPageBytes;

const decompress = promisify(brotliDecompress);

/** Returns true for a page that is not to be fetched. */
export function isToExtract(page: PageCommand): page is PageToExtract {
  return page.kept !== undefined;
}

/** Extracts the values of a page from the kept one. Failures are returned as outcomes, never thrown. */
export async function extractKept(
  page: PageToExtract,
  deps: { readonly pageReader: Pick<PageReader, 'read'> },
  signal: AbortSignal,
): Promise<KeptOutcome> {
  try {
    return await extract(page, deps, signal);
  } catch (error) {
    return { kind: 'failed', failure: toFailure(toAppError(error)) };
  }
}

async function extract(
  { kept, request, accountId, jobId }: PageToExtract,
  { pageReader }: { readonly pageReader: Pick<PageReader, 'read'> },
  signal: AbortSignal,
): Promise<PageFound> {
  const startedAt = performance.now();
  if (!kept) throw notKept();
  const { kind, baseUrl, encoding, statusCode, engine, readAt } = kept;
  const body = await decompress(Buffer.from(kept.source, 'base64'), { maxOutputLength: MAX_SOURCE_BYTES });
  const reading = pageReader.read(
    {
      ...{ body, encoding: 'utf-8', kind, baseUrl, askedUrl: request.url, engine },
      ...(encoding !== undefined && { documentEncoding: encoding }),
      ...wantedOf(request),
    },
    { accountId, jobId, signal },
  );
  const {
    times: _times,
    thinText: _text,
    mayBeShell: _scripts,
    missing,
    ...values
  } = await inStage('extracting the data', signal, reading);
  requireContent(values.verdict, { missing });
  return {
    kind: 'found',
    url: request.url,
    ...values,
    warnings: [...values.warnings],
    ...{ finalUrl: baseUrl, statusCode, engine, timestamp: readAt },
    attempts: [],
    price: { base: 0 },
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function notKept(): AppError {
  return new AppError('SNAPSHOT_NOT_FOUND', {
    message: 'The page is not kept any more: it is too old, or newer ones took its place.',
    suggestion: 'Run the job again with "snapshot": true, and extract within SNAPSHOT_RETENTION_MS.',
  });
}
