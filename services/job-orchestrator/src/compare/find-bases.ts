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
 * it did not come to, is compared with the crawl before that. A page that was gone has no base.
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
      if (knowledge === 'present') found.set(key, page);
      if (knowledge !== 'unknown') left.delete(key);
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

/** Reasons to skip pages whose content is that of others, or none. */
const ELSEWHERE = ['redirect', 'notDocument', 'duplicate'] as const;

/** Returns what a crawl knew of a page in the end: that it was there, that it was not, or nothing. */
export function knowledgeOf({ state, crawled }: StoredPage): 'present' | 'absent' | 'unknown' {
  if (state === 'succeeded' || state === 'visited') return 'present';
  const isElsewhere = ELSEWHERE.some((reason) => reason === crawled?.skip);
  return state === 'missing' || isElsewhere ? 'absent' : 'unknown';
}
