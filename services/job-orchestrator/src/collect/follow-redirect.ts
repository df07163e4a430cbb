import type { DropReason } from '@gleaner/contracts';
import { compileFilter, placeOf } from '@gleaner/frontier';
import type { CrawledPage, CrawlState, PageEnd, StoredPage, Stores } from '@gleaner/storage';
import { type CrawlTerms, filterOf } from '../crawl/crawl-terms.ts';
import type { PlacedLink } from '../crawl/insert-links.ts';
import { isStartPage } from '../crawl/start-pages.ts';
import { crawlEndOf, type RunningCrawlPage } from './crawl-end.ts';

/** A crawl in which a page redirects. */
export interface RedirectDeps {
  readonly id: string;
  readonly terms: CrawlTerms;
  readonly state: Pick<CrawlState, 'places'>;
  readonly stores: Pick<Stores, 'jobs' | 'pages'>;
}

/** End of a page that redirects, with the link to its target or the reason why that is not followed. */
export interface FollowedRedirect {
  readonly end: PageEnd;
  readonly links?: readonly PlacedLink[];
  readonly dropped?: Partial<Record<DropReason, number>>;
  /** Patterns of the crawl that the target matches. */
  readonly patterns?: readonly number[];
}

const MAX_HOPS = 20;

/**
 * Makes the target of a redirect a page of its own, as deep as the page: so it is fetched once, however many URLs lead to
 * it, and only if scope and robots.txt allow it. The target of a start URL is in scope, and stands for it.
 */
export async function followRedirect(
  page: RunningCrawlPage,
  to: string,
  { id, terms, state, stores }: RedirectDeps,
): Promise<FollowedRedirect> {
  const { crawled, url: foundOn } = page;
  const target = new URL(to);
  const hops = (crawled.hops ?? 0) + 1;
  const isStart = isStartPage(crawled);
  const filter = compileFilter(filterOf(terms, state.places));
  const start = isStart ? filter.admitStart(target) : undefined;
  const admission = start ?? filter.admit(target);
  if (hops > MAX_HOPS) return { end: crawlEndOf(page, { kind: 'redirectsTooOften' }) };
  const skipped = { id: page.id, attempt: page.attempt, state: 'skipped', skip: 'redirect' } as const;
  const { patterns = [] } = admission;
  if (!('link' in admission)) return { end: skipped, dropped: { [admission.droppedBecause]: 1 }, patterns };
  const known = await stores.pages.findByKey(id, admission.link.key);
  const keyOf = (url: string) => filter.admitStart(new URL(url)).link.key;
  if (known && (await leadsTo(known.id, page, keyOf, stores)))
    return { end: crawlEndOf(page, { kind: 'redirectsTooOften' }) };
  if (isStart) await stores.jobs.addPlace(id, placeOf(terms.scope, target));
  const place = { depth: crawled.depth, foundOn, hops };
  const ofStart = start && { isStartTarget: true, isOnlyFollowed: start.isOnlyFollowed };
  return { end: skipped, links: [{ ...admission.link, ...place, ...ofStart }], patterns };
}

/** Returns whether redirects of the page with this id led to the page. */
async function leadsTo(
  id: string,
  page: RunningCrawlPage,
  keyOf: (url: string) => string,
  { pages }: Pick<Stores, 'pages'>,
): Promise<boolean> {
  let current: StoredPage | null = page;
  for (let hop = 0; hop <= MAX_HOPS && current; hop++) {
    if (current.id === id) return true;
    const { hops = 0, foundOn }: Partial<CrawledPage> = current.crawled ?? {};
    if (hops === 0 || foundOn === undefined) return false;
    current = await pages.findByKey(page.jobId, keyOf(foundOn));
  }
  return false;
}
