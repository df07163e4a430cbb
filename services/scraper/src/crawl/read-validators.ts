import type { CrawlFindings, PageCrawl } from '@gleaner/contracts';

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
    ...(etag !== undefined && { 'If-None-Match': etag }),
    ...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
  };
}

function isUsable(value: string): boolean {
  return value !== '' && value.length <= MAX_CHARS;
}
