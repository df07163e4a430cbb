import { AppError, toFailure } from '@gleaner/contracts';
import type { PageEnd } from '@gleaner/storage';
import { isStartPage } from '../crawl/crawl-terms.ts';
import type { RunningCrawlPage } from './collected-outcome.ts';
import type { Consequences } from './consequences.ts';

/** A robots.txt that cannot be read is looked for again after this time. */
const UNREACHABLE_MS = 600_000;

/**
 * Turns the final failure of a page into what it means to its crawl: a linked page that does not exist is not a failure
 * of the crawl, and the sites whose robots.txt cannot be read may not be crawled.
 */
export function crawlEndOf(
  { id, attempt, url, crawled }: RunningCrawlPage,
  end: Extract<PageEnd, { state: 'failed' | 'missing' }>,
): Consequences {
  const { failure } = end;
  const done = { id, attempt, state: 'done' } as const;
  if (crawled.purpose === 'robots') {
    const message = `${url} could not be read, so pages of this site are not fetched (RFC 9309): ${failure.message}`;
    return {
      end: done,
      robots: { origin: new URL(url).origin, robots: { rules: [], unreachable: failure } },
      robotsLifetimeMs: UNREACHABLE_MS,
      warning: { code: 'ROBOTS_UNREACHABLE', message },
    };
  }
  if (crawled.purpose === 'sitemap') {
    if (failure.code === 'NOT_FOUND') return { end: done };
    const message = `The sitemap ${url} was not read: ${failure.message}`;
    return { end: done, warning: { code: 'SITEMAP_NOT_READ', message } };
  }
  const isMissing = failure.code === 'NOT_FOUND' && !isStartPage(crawled);
  return { end: isMissing ? { id, attempt, state: 'missing', failure } : end };
}

/** Returns the end of a page that is not a document: a linked file is skipped, a start page has failed. */
export function endOfFile({ id, attempt, url, crawled }: RunningCrawlPage, contentType: string): PageEnd {
  if (!isStartPage(crawled)) return { id, attempt, state: 'skipped', skip: 'notDocument' };
  const error = new AppError('UNSUPPORTED_CONTENT', {
    message: `${url} is not a document that links could be read from: its type is ${contentType}.`,
    suggestion: 'Start the crawl from a page of HTML.',
  });
  return { id, attempt, state: 'failed', failure: toFailure(error) };
}

/** Returns the end of a page that redirects too often. */
export function endOfCircle({ id, attempt, url }: RunningCrawlPage): PageEnd {
  const error = new AppError('UPSTREAM_ERROR', {
    message: `${url} redirects in a circle, or too often.`,
    suggestion: 'Open the URL in a browser to see where it leads.',
  });
  return { id, attempt, state: 'failed', failure: toFailure(error) };
}
