import type { CrawledPage } from '@gleaner/storage';

/** Returns whether a page is a start URL itself. The next pages of its list are as deep, but were found on a page. */
export function isStartUrl({ depth, foundOn }: Pick<CrawledPage, 'depth' | 'foundOn'>): boolean {
  return depth === 0 && foundOn === undefined;
}

/** Returns whether a page is a start URL, or stands for one that redirected to it. */
export function isStartPage(page: Pick<CrawledPage, 'depth' | 'foundOn' | 'isStartTarget'>): boolean {
  return isStartUrl(page) || page.isStartTarget === true;
}
