import type { PageCrawl } from '@gleaner/contracts';
import { urlKey } from '@gleaner/frontier';

/** Returns a function that tells whether a URL is only another spelling of the page at this one, by the rules of its crawl. */
export function createSamePage(url: string, { filter }: PageCrawl): (other: URL) => boolean {
  const own = URL.parse(url);
  // An invalid URL is not fetched anyway.
  const key = own && urlKey(own, filter.ignoreQuery);
  return (other) => urlKey(other, filter.ignoreQuery) === key;
}
