import type { CrawlFindings } from '@gleaner/contracts';

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

function isUsable(value: string): boolean {
  return value !== '' && value.length <= MAX_CHARS;
}
