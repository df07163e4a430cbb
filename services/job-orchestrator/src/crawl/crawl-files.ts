import { createHash } from 'node:crypto';
import { defined } from '@gleaner/contracts';
import type { NewCrawlFile } from '@gleaner/storage';

/** Depth of pages that are read before any other. */
const FIRST = -1;

/**
 * Returns the robots.txt of the origin of a page, to be read for a crawl. Its sitemaps are read only for start URLs, which
 * were found on no page.
 */
export function robotsPageOf(pageUrl: string, foundOn?: string): NewCrawlFile {
  const { origin, host } = new URL(pageUrl);
  return {
    url: `${origin}/robots.txt`,
    host,
    crawled: {
      key: keyOf('robots', origin),
      depth: FIRST,
      purpose: 'robots',
      ...defined({ foundOn }),
    },
  };
}

/** Returns a sitemap to be read for a crawl, at this level below robots.txt. */
export function sitemapPageOf(url: string, foundOn: string, level: number): NewCrawlFile {
  const { href, host } = new URL(url);
  return {
    url: href,
    host,
    crawled: { key: keyOf('sitemap', href), depth: FIRST, purpose: 'sitemap', foundOn, hops: level },
  };
}

/** Returns a key that no page has; it becomes part of an id, in which a URL could not stand. */
function keyOf(purpose: string, url: string): string {
  return `${purpose}-${createHash('sha256').update(url).digest('base64url').slice(0, 22)}`;
}
