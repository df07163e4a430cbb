import {
  type CrawlFilter,
  type CrawlFindings,
  defined,
  MAX_LINK_CHARS_PER_PAGE,
  MAX_LINKS_PER_PAGE,
  type PageCrawl,
} from '@gleaner/contracts';
import {
  type Budget,
  type OutlinkPlan,
  type ParsedDocument,
  planOutlinks,
  readOutlinks,
  readPageIdentity,
} from '@gleaner/extraction';
import { urlKey } from '@gleaner/frontier';
import { LinkCollector } from './link-collector.ts';

/** Instructions for the links of a page of a crawl. Plain data, which can be sent to a thread. */
export interface FindingsPlan {
  /** URL by which the crawl knows the page. */
  readonly url: string;
  readonly filter: CrawlFilter;
  readonly outlinks: OutlinkPlan;
  /** True if the headers of the page ask for none of its links to be followed. */
  readonly isNofollow: boolean;
  /** True if fragments that name a route of a script (`#/a`) are kept, because a browser renders the pages. */
  readonly keepsRoutes: boolean;
}

/** Returns the plan for a page. Throws INVALID_SELECTOR. */
export function planFindings(
  { filter, follow, next, describes }: PageCrawl,
  { url, headers, keepsRoutes }: PageTraits,
): FindingsPlan {
  const isNofollow = forbidsLinks(headers['x-robots-tag']);
  return { url, filter, outlinks: planOutlinks({ follow, next, describes }), isNofollow, keepsRoutes };
}

/** A page, and how it was fetched. */
interface PageTraits extends Pick<FindingsPlan, 'url' | 'keepsRoutes'> {
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Findings of a crawl in the document itself. */
export type DocumentFindings = Omit<CrawlFindings, 'dataHash' | 'etag' | 'lastModified'>;

/** Reads the links of a page that belong to its crawl, and how the page is recognized. */
export function readFindings(
  document: ParsedDocument,
  { url, filter, outlinks, isNofollow, keepsRoutes }: FindingsPlan,
  context: { readonly baseUrl: string; readonly budget: Budget },
): DocumentFindings {
  const identity = readPageIdentity(document, context);
  const { canonicalUrl, textHash } = identity;
  const collector = new LinkCollector({
    filter,
    ownKey: urlKey(new URL(url), filter.ignoreQuery),
    maxLinks: MAX_LINKS_PER_PAGE,
    maxChars: MAX_LINK_CHARS_PER_PAGE,
    budget: context.budget,
  });
  if (canonicalUrl !== undefined && outlinks.follow === true)
    collector.add(fetchedUrlOf(new URL(canonicalUrl), keepsRoutes));
  for (const link of readOutlinks(document, outlinks, context)) {
    const traits = {
      isNext: link.isNext,
      isNofollow: link.isNofollow || isNofollow || identity.isNofollow,
      ...defined({ text: link.text }),
    };
    if (!collector.add(fetchedUrlOf(link.url, keepsRoutes), traits)) break;
  }
  const { found, leftOut } = collector;
  return {
    ...found,
    textHash,
    ...defined({ canonicalUrl }),
    ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
  };
}

/** Returns the URL that is fetched for a link: without a fragment, unless it names another page. */
function fetchedUrlOf(url: URL, keepsRoutes: boolean): URL {
  const namesPage = url.hash.startsWith('#!') || (keepsRoutes && url.hash.startsWith('#/'));
  if (!namesPage) url.hash = '';
  return url;
}

/** Directives that contain a colon themselves; every other colon ends the name of a crawler. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/** Crawlers whose directives hold for this one. */
const OWN_NAMES: ReadonlySet<string> = new Set(['*', 'robots', 'gleaner']);

/**
 * Returns true if an X-Robots-Tag header asks for none of the links of a page to be followed. The name of a crawler
 * (`otherbot: nofollow`) holds for all directives up to the next name.
 */
function forbidsLinks(header = ''): boolean {
  let isForUs = true;
  for (const part of header.toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const isNamed = colon >= 0 && !WITH_VALUE.test(name);
    if (isNamed) isForUs = OWN_NAMES.has(name);
    const directive = (isNamed ? part.slice(colon + 1) : part).trim();
    if (isForUs && (directive === 'nofollow' || directive === 'none')) return true;
  }
  return false;
}

const MAX_CHARS = 1024;

/** Returns the headers by which a later request can ask whether the page has changed. */
export function readValidators({
  etag = '',
  'last-modified': lastModified = '',
}: Readonly<Record<string, string>>): Pick<CrawlFindings, 'etag' | 'lastModified'> {
  return {
    ...(isUsable(etag) && { etag }),
    ...(isUsable(lastModified) && { lastModified }),
  };
}

/** Returns the headers of a request that ask for the page only if it has changed. */
export function conditionsOf({
  etag,
  lastModified,
}: NonNullable<PageCrawl['validators']>): Record<string, string> {
  return {
    ...defined({ 'If-None-Match': etag, 'If-Modified-Since': lastModified }),
  };
}

function isUsable(value: string): boolean {
  return value !== '' && value.length <= MAX_CHARS;
}
