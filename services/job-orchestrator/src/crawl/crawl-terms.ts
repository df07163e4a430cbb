import {
  CRAWL_DEFAULTS,
  type CrawlFilter,
  type CrawlOptions,
  type CrawlRule,
  defined,
  type PageCrawl,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { namePatterns } from '@gleaner/frontier';
import type { CrawledPage, JobProgress, StoredJob } from '@gleaner/storage';

/** Options of a crawl, with defaults for the absent ones. */
export type CrawlTerms = CrawlOptions & Required<Pick<CrawlOptions, keyof typeof CRAWL_DEFAULTS>>;

/** Reads the terms of a crawl; returns undefined for other jobs. */
export function crawlTermsOf({ crawlJson }: Pick<StoredJob, 'crawlJson'>): CrawlTerms | undefined {
  if (crawlJson === undefined) return undefined;
  return { ...CRAWL_DEFAULTS, ...(JSON.parse(crawlJson) as CrawlOptions) };
}

/** Returns the filter of a crawl that has come to these places. */
export function filterOf(terms: CrawlTerms, places: readonly string[]): CrawlFilter {
  const { scope, include, exclude, rules, ignoreQuery, robots } = terms;
  return {
    scope,
    places: [...places],
    ...defined({ include, exclude }),
    ...(rules && { rules: rules.map(({ match }) => match) }),
    ...defined({ ignoreQuery }),
    obeysNofollow: robots === 'obey',
  };
}

/**
 * Returns the patterns of a finished crawl that no URL has matched, by name. None for a crawl that has seen no links, or
 * whose pages were compared with earlier ones, and so perhaps not read.
 */
export function unmatchedPatternsOf(
  terms: CrawlTerms,
  { crawl, cancelRequestedAt }: Pick<JobProgress, 'crawl' | 'cancelRequestedAt'>,
): string[] {
  if (!crawl?.matchedPatterns || crawl.since || cancelRequestedAt) return [];
  const hasDropped = Object.values(crawl.dropped).some((count) => count > 0);
  if (crawl.depth === 0 && !hasDropped) return [];
  const matched = new Set(crawl.matchedPatterns);
  return namePatterns(filterOf(terms, [])).filter((_name, index) => !matched.has(index));
}

/** Returns the number of pages that a crawl remembers: beyond it, links are counted and forgotten. */
export function maxKnownPages({ limit }: CrawlTerms): number {
  return 2 * limit + 1000;
}

/** Returns the rule that holds for a page. */
export function ruleOf(
  { rules = [] }: CrawlTerms,
  { rule }: Pick<CrawledPage, 'rule'>,
): CrawlRule | undefined {
  return rule === undefined ? undefined : rules[rule];
}

/** Returns whether a page has a result; others are fetched for their links alone. */
export function isKept(terms: CrawlTerms, page: Pick<CrawledPage, 'rule' | 'isOnlyFollowed'>): boolean {
  return !page.isOnlyFollowed && ruleOf(terms, page)?.keep !== false;
}

/** Returns whether links of a page are followed, if its rule does not forbid it. Those of an unlinked page are not. */
export function followsLinks(
  { sitemap, maxDepth }: Pick<CrawlTerms, 'sitemap' | 'maxDepth'>,
  { depth, foundOn }: Pick<CrawledPage, 'depth' | 'foundOn'>,
): boolean {
  const isUnlinked = depth > 0 && foundOn === undefined;
  return sitemap !== 'only' && depth < maxDepth && !isUnlinked;
}

/** Returns the part of a page's command that is about its crawl. */
export function pageCrawlOf(
  terms: CrawlTerms,
  page: CrawledPage,
  {
    filter,
    validators,
  }: { readonly filter: CrawlFilter; readonly validators: PageCrawl['validators'] | undefined },
): PageCrawl {
  const { purpose = 'page', depth, foundOn } = page;
  const { follow = true, next } = ruleOf(terms, page) ?? {};
  const isFollowed = followsLinks(terms, page);
  const isUnlinked = depth > 0 && foundOn === undefined;
  return {
    purpose,
    filter,
    follow: isFollowed && (typeof follow === 'boolean' ? follow : [...follow]),
    ...(next !== undefined && !isUnlinked && { next }),
    ...defined({ validators }),
  };
}

/**
 * Returns the scrape options of a page: selectors and formats of its rule replace those of the job, and so do its actions. A robots.txt
 * or sitemap is fetched by the same proxy, and without anything that only pages need, headers and cookies included.
 */
export function optionsOf(options: ScrapeOptions, terms: CrawlTerms, page: CrawledPage): ScrapeOptions {
  if (page.purpose) {
    const { proxy, timeout } = options;
    return { ...(proxy && { proxy }), ...(timeout && { timeout }) };
  }
  const { selectors, formats, actions = options.actions } = ruleOf(terms, page) ?? {};
  const acting = actions ? { ...options, actions } : options;
  if (!selectors && !formats) return acting;
  const { selectors: _selectors, formats: _formats, ...rest } = acting;
  return { ...rest, ...defined({ selectors, formats }) };
}

/** Returns whether a page is a start URL itself. The next pages of its list are as deep, but were found on a page. */
export function isStartUrl({ depth, foundOn }: Pick<CrawledPage, 'depth' | 'foundOn'>): boolean {
  return depth === 0 && foundOn === undefined;
}

/** Returns whether a page is a start URL, or stands for one that redirected to it. */
export function isStartPage(page: Pick<CrawledPage, 'depth' | 'foundOn' | 'isStartTarget'>): boolean {
  return isStartUrl(page) || page.isStartTarget === true;
}
