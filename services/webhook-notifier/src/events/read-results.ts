import {
  type JobOfEntries,
  pageIdOf,
  type ResultReader,
  readResults,
  readResultsOf,
  type StoredJob,
  type StoredPage,
  type Stores,
} from '@gleaner/storage';

/** Largest size of the results in a webhook. */
const MAX_INLINE_BYTES = 1024 * 1024;
/** Largest size of the changes in a webhook. */
const MAX_CHANGES_BYTES = 256 * 1024;
const CHANGES_AT_ONCE = 100;

/** Entries that fit into a webhook, each as JSON; truncated if there are more. */
export interface Inline {
  readonly texts: readonly string[];
  readonly isTruncated: boolean;
}

/** Reads the results of a job in the order of its URLs, as the API returns them, up to 1 MiB. */
export async function readInlineResults(job: JobOfEntries, reader: ResultReader): Promise<Inline> {
  const part = { limit: Number.POSITIVE_INFINITY, offset: 0 };
  return await takeFitting(readResults(job, part, reader), MAX_INLINE_BYTES);
}

/** Reads the changes that a run found, up to 256 KiB. */
export async function readInlineChanges(
  { id, comparison }: Pick<StoredJob, 'id' | 'comparison'>,
  { changes }: { readonly changes: Pick<Stores['changes'], 'find'> },
): Promise<Inline> {
  const { stored = 0, omitted = 0 } = comparison ?? {};
  async function* read() {
    for (let offset = 0; offset < stored; offset += CHANGES_AT_ONCE) {
      yield await changes.find(id, { offset, limit: CHANGES_AT_ONCE });
    }
  }
  const { texts, isTruncated } = await takeFitting(read(), MAX_CHANGES_BYTES);
  return { texts, isTruncated: isTruncated || omitted > 0 };
}

async function takeFitting(chunks: AsyncIterable<readonly string[]>, maxBytes: number): Promise<Inline> {
  const texts: string[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    for (const text of chunk) {
      // Includes the comma.
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > maxBytes) return { texts, isTruncated: true };
      texts.push(text);
    }
  }
  return { texts, isTruncated: false };
}

/** Stores that batches are read from. */
export interface BatchReader {
  readonly pages: Pick<Stores['pages'], 'findPages' | 'findBatch'>;
  readonly results: Pick<Stores['results'], 'streamResults'>;
}

/** A batch of results of a job. */
export interface BatchToRead {
  readonly job: Pick<StoredJob, 'id' | 'resultBatches'>;
  /** Number of the batch. */
  readonly batch: number;
  /** Address of results that fit into no webhook. */
  readonly resultsUrl: string;
}

/** Results of a batch that one webhook carries, each as JSON. */
export interface BatchPart {
  readonly texts: readonly string[];
  /** Counted from 1. */
  readonly part: number;
  readonly isLastPart: boolean;
}

/**
 * Yields the results of a batch in the order of their pages, in parts up to 1 MiB, one at a time. They are always the same,
 * since neither a batch nor the result of a finished page changes. A larger result is replaced by a link.
 */
export async function* readBatch(
  { job, batch, resultsUrl }: BatchToRead,
  { pages, results }: BatchReader,
): AsyncGenerator<BatchPart> {
  const found = await findPages(job, batch, pages);
  let texts: string[] = [];
  let bytes = 0;
  let part = 1;
  let read = 0;
  for await (const result of readResultsOf(found, { results })) {
    const text = Buffer.byteLength(result) < MAX_INLINE_BYTES ? result : linkTo(found[read], resultsUrl);
    read += 1;
    // Includes the comma.
    const added = Buffer.byteLength(text) + 1;
    if (bytes + added > MAX_INLINE_BYTES) {
      yield { texts, part, isLastPart: false };
      texts = [];
      bytes = 0;
      part += 1;
    }
    texts.push(text);
    bytes += added;
  }
  if (texts.length > 0) yield { texts, part, isLastPart: true };
}

/** Returns the pages of a batch. Those of the last one may not be marked with its number yet. */
async function findPages(
  { id, resultBatches }: BatchToRead['job'],
  batch: number,
  pages: BatchReader['pages'],
): Promise<StoredPage[]> {
  if (resultBatches?.count !== batch) return await pages.findBatch(id, batch);
  const found = await pages.findPages(resultBatches.last.map((index) => pageIdOf(id, index)));
  return found.toSorted((one, other) => one.index - other.index);
}

function linkTo(page: StoredPage | undefined, resultsUrl: string): string {
  return JSON.stringify({ url: page?.url, resultTruncated: true, resultsUrl });
}
