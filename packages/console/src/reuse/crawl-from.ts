import type { ScrapeRequest } from '@gleaner/client';

const MAX_PAGES = 100;

/** Returns the request of a crawl that starts at the page, follows its host, and has results of the pages like it alone. */
export function crawlFrom({ url, selectors, ...options }: ScrapeRequest): Readonly<Record<string, unknown>> {
  return {
    url,
    ...options,
    crawl: {
      limit: MAX_PAGES,
      rules: [
        { match: patternOf(url), ...(selectors && { selectors }) },
        { match: '**', keep: false },
      ],
    },
  };
}

/** Returns the request of a crawl of a list from its first page to its last one: nothing but the next page is followed. */
export function crawlOfList(
  { url, selectors, ...options }: ScrapeRequest,
  next: string,
): Readonly<Record<string, unknown>> {
  return {
    url,
    ...options,
    ...(selectors && { selectors }),
    crawl: { limit: MAX_PAGES, sitemap: 'skip', rules: [{ match: '**', follow: false, next }] },
  };
}

/** Returns a pattern of pages like the one of a URL: those beside it, with any query. */
export function patternOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '/';
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '/' && path !== '/' ? `${path}*` : path === folder ? path : `${folder}*`;
}
