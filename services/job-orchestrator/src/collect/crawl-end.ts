import { AppError, toFailure } from '@gleaner/contracts';
import type { CrawledPage, PageEnd, StoredPage, Stores } from '@gleaner/storage';
import { isStartPage } from '../crawl/start-pages.ts';

/** A page of a crawl that is running the attempt of an outcome. */
export type RunningCrawlPage = StoredPage & { readonly crawled: CrawledPage };

/** Reason why a page of a crawl has no data, although its site answered. */
export type NoData =
  | { readonly kind: 'notDocument'; readonly contentType: string }
  | { readonly kind: 'redirectsTooOften' };

/** Returns the end of a page without data: a file that a link leads to is skipped, anything else has failed. */
export function crawlEndOf({ id, attempt, url, crawled }: RunningCrawlPage, because: NoData): PageEnd {
  if (because.kind === 'redirectsTooOften') {
    return { id, attempt, state: 'failed', failure: toFailure(redirectsTooOften(url)) };
  }
  if (!isStartPage(crawled)) return { id, attempt, state: 'skipped', skip: 'notDocument' };
  return { id, attempt, state: 'failed', failure: toFailure(notDocument(url, because.contentType)) };
}

function redirectsTooOften(url: string): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: `${url} redirects in a circle, or too often.`,
    suggestion: 'Open the URL in a browser to see where it leads.',
  });
}

function notDocument(url: string, contentType: string): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `${url} is not a document that links could be read from: its type is ${contentType}.`,
    suggestion: 'Start the crawl from a page of HTML.',
  });
}

/** A robots.txt that cannot be read is looked for again after this time. */
const UNREACHABLE_MS = 600_000;

/**
 * Turns the final failure of a page into what it means to its crawl: a linked page that does not exist is not a failure
 * of the crawl, and the sites whose robots.txt cannot be read may not be crawled.
 */
export async function endOfFailure(
  page: RunningCrawlPage,
  end: Extract<PageEnd, { state: 'failed' | 'missing' }>,
  { stores }: { readonly stores: Pick<Stores, 'clock' | 'jobs' | 'robots'> },
): Promise<PageEnd> {
  const { id, attempt, jobId, url, crawled } = page;
  const { failure } = end;
  if (crawled.purpose === 'robots') {
    const readAt = stores.clock.now();
    const expiresAt = new Date(readAt.getTime() + UNREACHABLE_MS);
    const { origin } = new URL(url);
    await stores.robots.put({ origin, robots: { rules: [], unreachable: failure }, readAt, expiresAt });
    const message = `${url} could not be read, so pages of this site are not fetched (RFC 9309): ${failure.message}`;
    await stores.jobs.warnOfCrawl(jobId, { code: 'ROBOTS_UNREACHABLE', message });
    return { id, attempt, state: 'done' };
  }
  if (crawled.purpose === 'sitemap') {
    const message = `The sitemap ${url} was not read: ${failure.message}`;
    const isUsual = failure.code === 'NOT_FOUND';
    if (!isUsual) await stores.jobs.warnOfCrawl(jobId, { code: 'SITEMAP_NOT_READ', message });
    return { id, attempt, state: 'done' };
  }
  return failure.code === 'NOT_FOUND' && !isStartPage(crawled)
    ? { id, attempt, state: 'missing', failure }
    : end;
}
