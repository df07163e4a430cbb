import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type CreateJobRequest,
  type ErrorDetail,
  engineFor,
  requireCredits,
} from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { findUrlErrors, findWebhookError, requireValidUrls, type UrlRules } from '../check-urls.ts';
import { checkScrapeOptions, type ScrapeRules } from '../scrape/check-scrape-request.ts';
import { type CrawlRules, checkCrawl, isCrawl } from './crawl/check-crawl.ts';
import { findSinceErrors } from './crawl/find-comparison-errors.ts';

/** Rules that the request of a job is checked against. */
export type JobRules = ScrapeRules & CrawlRules;

interface CheckDeps {
  readonly rules: JobRules;
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
  readonly jobs: Pick<Stores['jobs'], 'findJob'>;
  readonly broker: Pick<Broker, 'consumerCount'>;
  /** False if the pages are kept or the job exists already: that costs nothing, and needs no browser. */
  readonly isFetched: boolean;
}

/**
 * Checks everything that could only fail later. Throws INVALID_URL with every bad URL by its index, INVALID_REQUEST,
 * INVALID_SELECTOR, INSUFFICIENT_CREDITS for the worst case of all pages, and SERVICE_UNAVAILABLE when the job needs a browser
 * and none is running.
 */
export async function checkJobRequest(
  request: CreateJobRequest,
  caller: Caller,
  { rules, accounts, jobs, broker, isFetched }: CheckDeps,
): Promise<void> {
  requireValidUrls([...(await findUrlErrors(request.urls, rules)), ...findWebhookError(request, rules)]);
  checkScrapeOptions(request, rules);
  if (isCrawl(request)) {
    await checkCrawl(request, rules, await findSinceErrors(request.crawl, caller.account.id, jobs));
  }
  if (!isFetched) return;
  const account = caller.account.balance === null ? null : await accounts.findAccount(caller.account.id);
  if (account?.balance != null) requireCredits(request, account.balance);
  if (engineFor(request) === 'browser' && (await broker.consumerCount('pages.browser')) === 0)
    throw noBrowser();
}

/** Finds the bad URLs of a job whose body its schema rejects, so that they are reported together. */
export async function findJobUrlErrors(body: unknown, rules: UrlRules): Promise<ErrorDetail[]> {
  const urls = typeof body === 'object' && body !== null && 'urls' in body ? body.urls : [];
  const errors = Array.isArray(urls) ? await findUrlErrors(urls, rules) : [];
  return errors.map(({ path, message }) => ({ path, message }));
}

function noBrowser(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'No browser worker is running.',
    suggestion:
      'Try again in a moment. If you operate this installation, start a scraper with browser in ENGINES.',
    retryAfterSeconds: 5,
  });
}
