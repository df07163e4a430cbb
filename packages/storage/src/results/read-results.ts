import { AppError, type PageResult, shownRequestOf, toFailure } from '@gleaner/contracts';
import { placeInCrawl } from '../pages/crawl-pages.ts';
import { WITH_RESULT } from '../pages/page-model.ts';
import type { PageQueries } from '../pages/page-queries.ts';
import type { StoredPage } from '../pages/stored-page.ts';
import { type Entry, type JobOfEntries, type PartOfEntries, readEntries } from './read-entries.ts';
import type { ResultStream } from './result-store.ts';

/** Stores that results are read from. */
export interface ResultReader {
  readonly pages: Pick<PageQueries, 'findInOrder' | 'findPages'>;
  readonly results: Pick<ResultStream, 'streamResults'>;
}

/** Results are yielded once they reach this many characters, which bounds memory whatever their size. */
const MAX_CHARACTERS = 1_048_576;

/**
 * Yields results of a job as JSON texts in the order of its URLs, a few at a time: at most `limit` after the first
 * `offset`. Pages that finish while it reads may or may not be among them.
 */
export async function* readResults(
  job: JobOfEntries,
  { limit, offset, change, verdicts }: Omit<PartOfEntries, 'states'>,
  { pages, results }: ResultReader,
): AsyncGenerator<readonly string[]> {
  const part = { states: WITH_RESULT, limit, offset, change, verdicts };
  for await (const entries of readEntries(job, part, pages)) yield* inPieces(textsOf(entries, results));
}

/** Yields the results of pages as JSON texts in the same order, one at a time. */
export function readResultsOf(
  pages: readonly StoredPage[],
  { results }: Pick<ResultReader, 'results'>,
): AsyncGenerator<string> {
  return textsOf(
    pages.map((page) => ({ index: page.index, url: page.url, page })),
    results,
  );
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

/** Yields the result of each entry in order. */
async function* textsOf(entries: readonly Entry[], results: ResultReader['results']): AsyncGenerator<string> {
  for (const group of inOrderOfPages(entries)) yield* textsOfGroup(group, results);
}

/** Groups consecutive entries by ascending page, the order in which results are streamed. */
function inOrderOfPages(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let last: Entry | undefined;
  for (const entry of entries) {
    if (last && last.page.id <= entry.page.id) groups.at(-1)?.push(entry);
    else groups.push([entry]);
    last = entry;
  }
  return groups;
}

async function* textsOfGroup(
  group: readonly Entry[],
  results: ResultReader['results'],
): AsyncGenerator<string> {
  const succeeded = group.map(({ page }) => page).filter(({ state }) => state === 'succeeded');
  const found = results.streamResults(succeeded);
  try {
    let next = await found.next();
    for (const entry of group) {
      while (!next.done && next.value.id < entry.page.id) next = await found.next();
      const text = !next.done && next.value.id === entry.page.id ? next.value.json : failedResult(entry);
      yield withOwn(text, entry);
    }
  } finally {
    await found.return();
  }
}

/** Returns the error of a page; a missing result gets one too, so that the other results can still be read. */
function failedResult({ page }: Entry): string {
  const { url, failure = missing(), attempt, crawled } = page;
  const place = crawled && placeInCrawl(crawled);
  const result: PageResult = { url, ...place, data: null, error: failure, attempts: attempt };
  return JSON.stringify(result);
}

/**
 * Returns the result of a page with what differs between entries: the URL of a duplicate as it was given, and the request
 * of a URL that has its own. The text, which may be large, is not parsed.
 */
function withOwn(text: string, { index, url, page }: Entry): string {
  const isDuplicate = index !== page.index;
  if (!isDuplicate && page.requestJson === undefined) return text;
  const fields = {
    url,
    ...shownRequestOf(page.requestJson),
    ...(isDuplicate && { duplicateOf: page.index }),
  };
  const own = JSON.stringify(fields).slice(0, -1);
  const others = `{${JSON.stringify({ url: page.url }).slice(1, -1)}`;
  if (text.startsWith(others)) return own + text.slice(others.length);
  const { url: _url, ...rest } = JSON.parse(text) as PageResult;
  return `${own},${JSON.stringify(rest).slice(1)}`;
}

function missing() {
  return toFailure(
    new AppError('INTERNAL_ERROR', { message: 'The result of this page is no longer there.' }),
  );
}
