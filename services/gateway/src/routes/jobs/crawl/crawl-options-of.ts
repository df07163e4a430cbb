import type { CrawlOptions } from '@gleaner/contracts';
import type { StoredJob } from '@gleaner/storage';

/** Returns the options of a crawl as they were given; undefined for other jobs. */
export function crawlOptionsOf({ crawlJson }: Pick<StoredJob, 'crawlJson'>): CrawlOptions | undefined {
  return crawlJson === undefined ? undefined : JSON.parse(crawlJson);
}
