import type { ScrapeRequest } from '@gleaner/client';

/** Returns the request of a crawl that starts at the page and extracts the same from the pages like it. */
export function crawlFrom({ url, selectors, ...options }: ScrapeRequest): Readonly<Record<string, unknown>> {
  return {
    url,
    ...options,
    crawl: { limit: 100, rules: [{ match: patternOf(url), ...(selectors && { selectors }) }] },
  };
}

/** Returns a pattern of pages like the one of a URL: those beside it, with any query. */
export function patternOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '/';
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '/' && path !== '/' ? `${path}*` : path === folder ? path : `${folder}*`;
}
