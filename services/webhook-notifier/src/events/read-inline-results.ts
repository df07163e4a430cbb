import { type ResultReader, readResults } from '@gleaner/storage';

/** The results that fit into a webhook, each as JSON, and whether those are all. */
export interface InlineResults {
  readonly texts: readonly string[];
  readonly isTruncated: boolean;
}

/** How many bytes of results a webhook carries. */
const MAX_INLINE_BYTES = 1024 * 1024;

/** The results of a job in the order of its URLs, as callers get them, up to 1 MiB. */
export async function readInlineResults(jobId: string, reader: ResultReader): Promise<InlineResults> {
  const texts: string[] = [];
  let bytes = 0;
  for await (const chunk of readResults(jobId, { limit: Number.POSITIVE_INFINITY, offset: 0 }, reader)) {
    for (const text of chunk) {
      // The comma counts as well.
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > MAX_INLINE_BYTES) return { texts, isTruncated: true };
      texts.push(text);
    }
  }
  return { texts, isTruncated: false };
}
