import type { StoredJob, StoredPage } from '@gleaner/storage';
import { type Knowledge, knowledgeOf } from '../compare/find-bases.ts';

/** A page with data, on one side of a comparison. */
export interface Side {
  readonly id: string;
  readonly attempt: number;
  readonly url: string;
  readonly key: string;
  /** True if the absence of its records on the other side says that they were added or removed. */
  readonly provesRecords: boolean;
  /** The same of what the page has beside its lists. */
  readonly provesPage: boolean;
}

/** Pages of a run, and their counterparts of earlier runs. */
export interface PagesToCompare {
  readonly before: readonly Side[];
  readonly after: readonly Side[];
  /** Number of pages that are of another kind than before. */
  readonly notCompared: number;
}

/** Knowledge of the pages of one side. */
interface Known {
  /** By key; `missing` of pages that answer 404 or 410 now. */
  readonly pages: Map<string, Knowledge | 'missing'>;
  readonly withData: StoredPage[];
  /** Pages with data whose verdict is not `content`. */
  readonly suspects: Map<string, StoredPage>;
}

/**
 * Returns the pages of a run beside their counterparts, each of the latest earlier run that knows the page. A failed page, a
 * page outside of one of the runs, and a page of another kind than before, such as a login instead of content, say nothing.
 * Returns null if there are too many.
 */
export async function pairPages(
  { id, crawl }: Pick<StoredJob, 'id' | 'crawl'>,
  earlier: readonly string[],
  pagesOf: (jobId: string) => AsyncIterable<StoredPage>,
  maxPages: number,
): Promise<PagesToCompare | null> {
  const now = await readNow(pagesOf(id), maxPages);
  const bases = now && (await readBases(earlier, pagesOf, maxPages));
  if (!bases) return null;
  const isCrawl = crawl !== undefined;
  const notCompared = pairSuspects(now, bases, isCrawl);
  const before = bases.withData.map((page) => {
    const known = now.pages.get(nameOf(page));
    return { ...sideOf(page), provesRecords: known !== undefined, provesPage: known === 'missing' };
  });
  const after = now.withData.map((page) => {
    const known = bases.pages.get(nameOf(page));
    // A URL that is new in a list has nothing to be compared with; a page that is new to a crawl was not there before.
    const isProof = known === undefined ? isCrawl : known === 'present' || known === 'absent';
    return { ...sideOf(page), provesRecords: isProof, provesPage: isProof && known !== 'present' };
  });
  return { before, after, notCompared };
}

async function readNow(pages: AsyncIterable<StoredPage>, maxPages: number): Promise<Known | null> {
  const now: Known = { pages: new Map(), withData: [], suspects: new Map() };
  for await (const page of pages) {
    const knowledge = knowledgeOf(page);
    if (knowledge === 'suspect') now.suspects.set(nameOf(page), page);
    else if (knowledge !== 'unknown')
      now.pages.set(nameOf(page), page.state === 'missing' ? 'missing' : knowledge);
    if (knowledge === 'present' && page.state === 'succeeded') now.withData.push(page);
    if (now.pages.size + now.suspects.size > maxPages) return null;
  }
  return now;
}

/** Reads what the earlier runs knew, latest first: suspects count only where no run has anything else. */
async function readBases(
  earlier: readonly string[],
  pagesOf: (jobId: string) => AsyncIterable<StoredPage>,
  maxPages: number,
): Promise<Known | null> {
  const bases: Known = { pages: new Map(), withData: [], suspects: new Map() };
  for (const id of earlier) {
    for await (const page of pagesOf(id)) {
      const key = nameOf(page);
      if ((bases.pages.get(key) ?? 'unknown') !== 'unknown') continue;
      const knowledge = knowledgeOf(page);
      const isSuspect = bases.suspects.has(key);
      if (knowledge === 'suspect' && !isSuspect) bases.suspects.set(key, page);
      // Before it was gone, it may have had any content.
      const isOver = knowledge === 'absent' && isSuspect;
      bases.pages.set(key, isOver ? 'suspect' : knowledge === 'suspect' ? 'unknown' : knowledge);
      if (knowledge === 'present' && page.state === 'succeeded') bases.withData.push(page);
      if (bases.pages.size > maxPages) return null;
    }
  }
  return bases;
}

/** Pairs suspects of an unchanged kind, such as login pages; returns the number of the others. */
function pairSuspects(now: Known, bases: Known, isCrawl: boolean): number {
  let others = 0;
  for (const [key, page] of now.suspects) {
    const known = bases.pages.get(key);
    const before = known === 'present' ? undefined : bases.suspects.get(key);
    if (before && before.verdict === page.verdict) {
      for (const [side, suspect] of [[now, page] as const, [bases, before] as const]) {
        side.pages.set(key, 'present');
        side.withData.push(suspect);
      }
    } else if (before || known === 'present' || known === 'absent' || (known === undefined && isCrawl))
      others += 1;
  }
  for (const key of bases.suspects.keys()) {
    if (bases.pages.get(key) !== 'present' && now.pages.get(key) === 'present') others += 1;
  }
  return others;
}

function nameOf({ crawled, url }: StoredPage): string {
  return crawled?.key ?? url;
}

function sideOf(page: StoredPage): Omit<Side, 'provesRecords' | 'provesPage'> {
  const { id, attempt, url } = page;
  return { id, attempt, url, key: nameOf(page) };
}
