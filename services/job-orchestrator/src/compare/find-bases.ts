import type { PageKind } from '@gleaner/contracts';
import type { Fingerprint, StoredPage, Stores } from '@gleaner/storage';

/** A page as an earlier crawl had it. */
export interface Base {
  readonly page: StoredPage;
  /** Missing of pages that a version of this service without fingerprints has crawled. */
  readonly fingerprint: Fingerprint | undefined;
}

/** Stores that bases are read from. */
export interface BaseReader {
  readonly pages: Pick<Stores['pages'], 'findByKeys'>;
  readonly fingerprints: Pick<Stores['fingerprints'], 'findFingerprints'>;
}

/**
 * Returns the pages with these keys as the crawls before had them, latest first: a page that failed in one crawl, or that
 * it did not come to, is compared with the crawl before that. So is one that was not what was asked for, such as a login,
 * unless it was never anything else. A page that was gone has no base.
 */
export async function findBasePages(
  since: readonly string[],
  keys: readonly string[],
  { pages }: Pick<BaseReader, 'pages'>,
): Promise<ReadonlyMap<string, StoredPage>> {
  const found = new Map<string, StoredPage>();
  const left = new Set(keys);
  for (const jobId of since) {
    if (left.size === 0) break;
    for (const page of await pages.findByKeys(jobId, [...left])) {
      const key = page.crawled?.key ?? '';
      const knowledge = knowledgeOf(page);
      const isBase = knowledge === 'present' || (knowledge === 'suspect' && !found.has(key));
      if (isBase) found.set(key, page);
      if (knowledge === 'present' || knowledge === 'absent') left.delete(key);
    }
  }
  return found;
}

/** Returns the bases of pages by key, with their fingerprints. */
export async function findBases(
  since: readonly string[],
  keys: readonly string[],
  reader: BaseReader,
): Promise<ReadonlyMap<string, Base>> {
  const pages = await findBasePages(since, keys, reader);
  const fingerprints = await reader.fingerprints.findFingerprints([...pages.values()]);
  return new Map([...pages].map(([key, page]) => [key, { page, fingerprint: fingerprints.get(page.id) }]));
}

/** Reasons to skip pages without content of their own. */
const ELSEWHERE = ['redirect', 'notDocument', 'duplicate'] as const;

/** Knowledge that a run has of a page in the end: it was there, or sent as something else, it was not, or nothing is known. */
export type Knowledge = 'present' | 'suspect' | 'absent' | 'unknown';

/** Returns what a run knew of a page in the end. */
export function knowledgeOf({ state, crawled, verdict }: StoredPage): Knowledge {
  if (state === 'succeeded' || state === 'visited')
    return kindOfPage(verdict) === 'content' ? 'present' : 'suspect';
  const isElsewhere = ELSEWHERE.some((reason) => reason === crawled?.skip);
  return state === 'missing' || isElsewhere ? 'absent' : 'unknown';
}

/** Returns whether a page is of another kind than its base, such as a login instead of content: its data are not compared. */
export function isOfOtherKind(base: Base | undefined, verdict: PageKind | undefined): boolean {
  return base !== undefined && kindOfPage(base.page.verdict) !== kindOfPage(verdict);
}

/** Returns whether a page was sent as something else than its base: the links of the base are hidden, not gone. */
export function isHidden(base: Base | undefined, verdict: PageKind | undefined): boolean {
  return isOfOtherKind(base, verdict) && kindOfPage(verdict) !== 'content';
}

/** Returns the kind of a page; one that has none, as of older versions, is taken to be what was asked for. */
function kindOfPage(verdict: PageKind | undefined): PageKind {
  return verdict ?? 'content';
}
