import { type CompiledFilter, placeOf } from '@gleaner/frontier';
import type { CrawledPage, StoredPage, Stores } from '@gleaner/storage';
import { isStartPage } from '../crawl/crawl-terms.ts';
import type { Consequences } from './consequences.ts';
import { endOfCircle } from './crawl-end.ts';
import type { OpenCrawl, RunningCrawlPage } from './read-context.ts';

const MAX_HOPS = 20;

/**
 * Makes the target of a redirect a page of its own, as deep as the page: so it is fetched once, however many URLs lead to
 * it, and only if scope and robots.txt allow it. The target of a start URL is in scope, and stands for it.
 */
export function followRedirect(
  page: RunningCrawlPage,
  to: string,
  { crawl, isCircle }: { readonly crawl: OpenCrawl; readonly isCircle: boolean },
): Consequences {
  const { crawled, url: foundOn } = page;
  const hops = (crawled.hops ?? 0) + 1;
  if (hops > MAX_HOPS || isCircle) return { end: endOfCircle(page) };
  const end = { id: page.id, attempt: page.attempt, state: 'skipped', skip: 'redirect' } as const;
  const { start, admission } = admit(page, to, crawl.filter());
  const { patterns = [] } = admission;
  if (!('link' in admission)) return { end, dropped: { [admission.droppedBecause]: 1 }, patterns };
  const place = { depth: crawled.depth, foundOn, hops };
  const ofStart = start && { isStartTarget: true, isOnlyFollowed: start.isOnlyFollowed };
  return {
    ...{ end, patterns, links: [{ ...admission.link, ...place, ...ofStart }] },
    ...(start && { place: placeOf(crawl.terms.scope, new URL(to)) }),
  };
}

/** Returns whether redirects of the target of a page led to the page. */
export async function leadsBack(
  page: RunningCrawlPage,
  to: string,
  filter: CompiledFilter,
  { pages }: Pick<Stores, 'pages'>,
): Promise<boolean> {
  const { admission } = admit(page, to, filter);
  const target = 'link' in admission ? await pages.findByKey(page.jobId, admission.link.key) : null;
  let current: StoredPage | null = target && page;
  for (let hop = 0; hop <= MAX_HOPS && current; hop++) {
    if (current.id === target?.id) return true;
    const { hops = 0, foundOn }: Partial<CrawledPage> = current.crawled ?? {};
    if (hops === 0 || foundOn === undefined) return false;
    current = await pages.findByKey(page.jobId, filter.admitStart(new URL(foundOn)).link.key);
  }
  return false;
}

function admit({ crawled }: RunningCrawlPage, to: string, filter: CompiledFilter) {
  const target = new URL(to);
  const start = isStartPage(crawled) ? filter.admitStart(target) : undefined;
  return { start, admission: start ?? filter.admit(target) };
}
