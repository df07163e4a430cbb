import type { PageOutcome } from '@gleaner/contracts';
import type { CompiledFilter } from '@gleaner/frontier';
import type { CrawledPage, CrawlState, JobProgress, StoredPage } from '@gleaner/storage';
import type { CrawlTerms } from '../crawl/crawl-terms.ts';

/** The outcome of an attempt, with the id of its stored screenshot, if any; overdue if no worker reported one in time. */
export type CollectedOutcome = Pick<PageOutcome, 'jobId' | 'pageId' | 'attempt'> & {
  readonly outcome: PageOutcome['outcome'] | { readonly kind: 'overdue' };
  readonly screenshotId?: string;
};

/** A page of a crawl that is running the attempt of an outcome. */
export type RunningCrawlPage = StoredPage & { readonly crawled: CrawledPage };

/** A crawl that has not finished. */
export interface OpenCrawl {
  readonly terms: CrawlTerms;
  readonly progress: JobProgress & { readonly crawl: CrawlState };
  /** Returns the filter of its links. */
  readonly filter: () => CompiledFilter;
}

/** Returns whether a page belongs to a crawl. */
export function isCrawlPage(page: StoredPage): page is RunningCrawlPage {
  return page.crawled !== undefined;
}
