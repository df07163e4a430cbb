import { AppError, type PageResult, toFailure } from '@gleaner/contracts';
import type { PageStore, StoredPage } from '../pages/page-store.ts';
import type { ResultStore } from './result-store.ts';

/** Where results are read from. */
export interface ResultReader {
  readonly pages: Pick<PageStore, 'findProcessed'>;
  readonly results: Pick<ResultStore, 'findResults'>;
}

/** Results that are in memory at once. */
const CHUNK = 100;

/**
 * The results of a job in the order of its URLs, as callers get them, in JSON, a few at a time: how many, after how
 * many. Pages that end meanwhile may or may not be among them.
 */
export async function* readResults(
  jobId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  { pages, results }: ResultReader,
): AsyncGenerator<readonly string[]> {
  let afterId = '';
  let left = limit;
  while (left > 0) {
    const skip = afterId === '' ? offset : 0;
    const chunk = await pages.findProcessed(jobId, { afterId, limit: Math.min(CHUNK, left), skip });
    const last = chunk.at(-1);
    if (!last) return;
    const texts = await results.findResults(chunk.filter(({ state }) => state === 'succeeded'));
    yield chunk.map((page) => texts.get(page.id) ?? JSON.stringify(failedResult(page)));
    afterId = last.id;
    left -= chunk.length;
  }
}

/** A result that should be there and is not must not keep the others from their reader. */
function failedResult({ url, failure = missing(), attempt }: StoredPage): PageResult {
  return { url, data: null, error: failure, attempts: attempt };
}

function missing() {
  return toFailure(
    new AppError('INTERNAL_ERROR', { message: 'The result of this page is no longer there.' }),
  );
}
