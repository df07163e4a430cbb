import { takingTurns } from '@gleaner/contracts';
import { type Admission, type AdmittedStart, placeOf, urlKey } from '@gleaner/frontier';
import type { CrawledPage, StoredPage, Stores } from '@gleaner/storage';
import { isStartPage } from '../crawl/crawl-terms.ts';
import type { OpenCrawl, RunningCrawlPage } from './collected-outcome.ts';
import type { Consequences } from './consequences.ts';
import { endOfCircle } from './crawl-end.ts';

const MAX_HOPS = 20;

/** Target of a redirect by the rules of its crawl. */
export interface Redirect {
  readonly to: string;
  readonly admission: Admission | AdmittedStart;
  /** Redirects of the target led to the page. */
  readonly isCircle: boolean;
}

/** Reads where a redirect of a page leads to. */
export async function readRedirect(
  page: RunningCrawlPage,
  to: string,
  crawl: OpenCrawl,
  stores: Pick<Stores, 'pages'>,
): Promise<Redirect> {
  const takeTurns = takingTurns();
  const filter = crawl.filter();
  const target = new URL(to);
  const admission = isStartPage(page.crawled)
    ? await filter.admitStartInTurns(target, takeTurns)
    : await filter.admitInTurns(target, takeTurns);
  const key = 'link' in admission ? admission.link.key : undefined;
  return { to, admission, isCircle: key !== undefined && (await leadsBack(page, key, crawl, stores)) };
}

/** Returns whether redirects led from the page of a key to this one. */
async function leadsBack(
  page: RunningCrawlPage,
  key: string,
  { terms }: OpenCrawl,
  { pages }: Pick<Stores, 'pages'>,
): Promise<boolean> {
  const target = await pages.findByKey(page.jobId, key);
  let current: StoredPage | null = target && page;
  for (let hop = 0; hop <= MAX_HOPS && current; hop++) {
    if (current.id === target?.id) return true;
    const { hops = 0, foundOn }: Partial<CrawledPage> = current.crawled ?? {};
    if (hops === 0 || foundOn === undefined) return false;
    current = await pages.findByKey(page.jobId, urlKey(new URL(foundOn), terms.ignoreQuery));
  }
  return false;
}

/**
 * Makes the target of a redirect a page of its own, as deep as the page: so it is fetched once, however many URLs lead to
 * it, and only if scope and robots.txt allow it. The target of a start URL is in scope, and stands for it.
 */
export function followRedirect(
  page: RunningCrawlPage,
  { to, admission, isCircle }: Redirect,
  { terms }: OpenCrawl,
): Consequences {
  const { crawled, url: foundOn } = page;
  const hops = (crawled.hops ?? 0) + 1;
  if (hops > MAX_HOPS || isCircle) return { end: endOfCircle(page) };
  const end = { id: page.id, attempt: page.attempt, state: 'skipped', skip: 'redirect' } as const;
  const { patterns = [] } = admission;
  if (!('link' in admission)) return { end, dropped: { [admission.droppedBecause]: 1 }, patterns };
  const place = { depth: crawled.depth, foundOn, hops };
  const ofStart = 'isOnlyFollowed' in admission && {
    isStartTarget: true,
    isOnlyFollowed: admission.isOnlyFollowed,
  };
  return {
    end,
    patterns,
    links: [{ ...admission.link, ...place, ...ofStart }],
    ...(ofStart && { place: placeOf(terms.scope, new URL(to)) }),
  };
}
