import { AppError, type PageResult, toFailure } from '@gleaner/contracts';
import type { PageStore } from '../pages/page-store.ts';
import type { StoredPage } from '../pages/stored-page.ts';
import type { ResultStore } from './result-store.ts';

/** Stores that results are read from. */
export interface ResultReader {
  readonly pages: Pick<PageStore, 'findProcessed'>;
  readonly results: Pick<ResultStore, 'streamResults'>;
}

/** Number of pages read at once. */
const CHUNK = 100;
/** Results are yielded once they reach this many characters, which bounds memory whatever their size. */
const MAX_CHARACTERS = 1_048_576;

/**
 * Yields results of a job as JSON texts in the order of its URLs, a few at a time: at most `limit` after the first
 * `offset`. Pages that finish while it reads may or may not be among them.
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
    yield* inPieces(textsOf(chunk, results));
    afterId = last.id;
    left -= chunk.length;
  }
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let piece: string[] = [];
  let characters = 0;
  for await (const text of texts) {
    piece.push(text);
    characters += text.length;
    if (characters < MAX_CHARACTERS) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}

/** Yields the result of each page in order, which is also the order in which results are streamed. */
async function* textsOf(
  chunk: readonly StoredPage[],
  results: ResultReader['results'],
): AsyncGenerator<string> {
  const found = results.streamResults(chunk.filter(({ state }) => state === 'succeeded'));
  try {
    let next = await found.next();
    for (const page of chunk) {
      if (!next.done && next.value.id === page.id) {
        yield next.value.json;
        next = await found.next();
      } else yield JSON.stringify(failedResult(page));
    }
  } finally {
    await found.return();
  }
}

/** Returns the error of a page; a missing result gets one too, so that the other results can still be read. */
function failedResult({ url, failure = missing(), attempt }: StoredPage): PageResult {
  return { url, data: null, error: failure, attempts: attempt };
}

function missing() {
  return toFailure(
    new AppError('INTERNAL_ERROR', { message: 'The result of this page is no longer there.' }),
  );
}
