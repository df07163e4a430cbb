import type { ChangeFilter, PageKind } from '@gleaner/contracts';
import type { StoredJob } from '../jobs/stored-job.ts';
import { COPY, type PageState } from '../pages/page-model.ts';
import type { PageQueries } from '../pages/page-queries.ts';
import type { StoredPage } from '../pages/stored-page.ts';

/** One URL of a job with the page fetched for it; several entries may share a page. */
export interface Entry {
  /** Position in the `urls` of the job. */
  readonly index: number;
  /** As given in the request. */
  readonly url: string;
  readonly page: StoredPage;
}

/** Part of the entries of a job. */
export interface PartOfEntries {
  /** States of the pages of these entries. */
  readonly states: readonly PageState[];
  readonly limit: number;
  readonly offset: number;
  /** Only pages of a crawl that have changed so. */
  readonly change?: ChangeFilter | undefined;
  /** Only entries whose result comes from one of these kinds of pages. */
  readonly verdicts?: readonly PageKind[] | undefined;
}

/** Fields of a job that say how its entries are stored. */
export type JobOfEntries = Pick<StoredJob, 'id' | 'distinctUrls'>;

/** Number of entries read at once. */
const CHUNK = 100;
/** Number of entries read at once where most are only counted. */
const SKIPPED_CHUNK = 1000;

/**
 * Yields entries of a job in the order of its URLs, a few at a time: at most `limit` after the first `offset`. Pages
 * that change state while it reads may or may not be among them.
 */
export async function* readEntries(
  job: JobOfEntries,
  part: PartOfEntries,
  pages: Pick<PageQueries, 'findInOrder' | 'findPages'>,
): AsyncGenerator<readonly Entry[]> {
  const read = job.distinctUrls === undefined ? readPages : readWithCopies;
  yield* read(job.id, part, pages);
}

async function* readPages(
  jobId: string,
  { states, limit, offset, change, verdicts }: PartOfEntries,
  pages: Pick<PageQueries, 'findInOrder'>,
): AsyncGenerator<readonly Entry[]> {
  let afterId = '';
  let left = limit;
  while (left > 0) {
    const skip = afterId === '' ? offset : 0;
    const chunk = await pages.findInOrder(jobId, {
      states,
      afterId,
      skip,
      change,
      verdicts,
      limit: Math.min(CHUNK, left),
    });
    const last = chunk.at(-1);
    if (!last) return;
    yield chunk.map((page) => ({ index: page.index, url: page.url, page }));
    afterId = last.id;
    left -= chunk.length;
  }
}

/** Reads entries of a job some of which are copies: the database cannot skip them, since it does not know their states. */
async function* readWithCopies(
  jobId: string,
  { limit, offset, ...choice }: PartOfEntries,
  pages: Pick<PageQueries, 'findInOrder' | 'findPages'>,
): AsyncGenerator<readonly Entry[]> {
  let afterId = '';
  let toSkip = offset;
  let left = limit;
  while (left > 0) {
    const chunk = await pages.findInOrder(jobId, {
      states: [...choice.states, COPY],
      afterId,
      limit: toSkip > 0 ? SKIPPED_CHUNK : CHUNK,
    });
    const last = chunk.at(-1);
    if (!last) return;
    const entries = await findEntries(chunk, choice, pages);
    const wanted = entries.slice(toSkip, toSkip + left);
    if (wanted.length > 0) yield wanted;
    afterId = last.id;
    toSkip = Math.max(0, toSkip - entries.length);
    left -= wanted.length;
  }
}

/** Returns the entries whose page is in one of the states, and of one of the kinds. */
async function findEntries(
  chunk: readonly StoredPage[],
  { states, verdicts }: Pick<PartOfEntries, 'states' | 'verdicts'>,
  pages: Pick<PageQueries, 'findPages'>,
): Promise<Entry[]> {
  const byId = new Map(chunk.map((page) => [page.id, page]));
  const copied = chunk.flatMap(({ copyOf }) => (copyOf === undefined || byId.has(copyOf) ? [] : [copyOf]));
  const others = copied.length > 0 ? await pages.findPages([...new Set(copied)]) : [];
  for (const page of others) byId.set(page.id, page);
  return chunk.flatMap(({ index, url, id, copyOf }) => {
    const page = byId.get(copyOf ?? id);
    const isOfKind = verdicts === undefined || verdicts.some((kind) => kind === page?.verdict);
    return page && isOfKind && states.some((state) => state === page.state) ? [{ index, url, page }] : [];
  });
}
