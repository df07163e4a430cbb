import type { ChangeFilter } from '@gleaner/contracts';
import { type JobOfEntries, type ResultReader, readResults } from '@gleaner/storage';

/** The results that fit into a webhook, each as JSON; truncated if there are more. */
export interface InlineResults {
  readonly texts: readonly string[];
  readonly isTruncated: boolean;
}

/** Largest size of the results that a webhook carries. */
export const MAX_INLINE_BYTES = 1024 * 1024;

/**
 * Reads the results of a job in the order of its URLs, as the API returns them, up to 1 MiB; with `only`, those that have
 * changed so, one kind after the other.
 */
export async function readInlineResults(
  job: JobOfEntries,
  reader: ResultReader,
  only: readonly (ChangeFilter | undefined)[] = [undefined],
): Promise<InlineResults> {
  const texts: string[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const change of only) {
    const part = { limit: Number.POSITIVE_INFINITY, offset: 0, change };
    for await (const chunk of readResults(job, part, reader)) {
      for (const text of chunk) {
        if (change !== undefined && seen.size === seen.add(text).size) continue;
        // Includes the comma.
        bytes += Buffer.byteLength(text) + 1;
        if (bytes > MAX_INLINE_BYTES) return { texts, isTruncated: true };
        texts.push(text);
      }
    }
  }
  return { texts, isTruncated: false };
}
