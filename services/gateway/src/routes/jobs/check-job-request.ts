import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type CreateJobRequest,
  type ErrorDetail,
  engineFor,
  isActing,
  requireCredits,
  type ScrapeOptions,
} from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { findUrlErrors, findWebhookError, requireValidUrls, type UrlRules } from '../check-urls.ts';
import { checkScrapeOptions, type ScrapeRules } from '../scrape/check-scrape-request.ts';
import { actionListsOf, findSealedSecrets } from '../secrets/find-sealed-secrets.ts';
import { checkDataset } from './check-dataset.ts';
import { checkSink, type SinkRules } from './check-sink.ts';
import { type CrawlRules, checkCrawl, isCrawl } from './crawl/check-crawl.ts';
import { findSinceErrors } from './crawl/find-crawl-errors.ts';

/** Rules that the request of a job is checked against. */
export type JobRules = ScrapeRules & CrawlRules & SinkRules;

interface CheckDeps {
  readonly datasets: Pick<Stores['datasets'], 'requireDatasetKey'>;
  readonly rules: JobRules;
  readonly jobs: Pick<Stores['jobs'], 'findJob'>;
  readonly secrets: Pick<Stores['secrets'], 'findSecrets'>;
}

interface MeansDeps {
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
  readonly broker: Pick<Broker, 'consumerCount'>;
}

/**
 * Checks everything about a request that could only fail later. Throws INVALID_URL with every bad URL by its index,
 * INVALID_REQUEST, INVALID_SELECTOR and DATASET_KEY_DIFFERS.
 */
export async function checkJobRequest(
  request: CreateJobRequest,
  caller: Caller,
  { rules, jobs, secrets, datasets }: CheckDeps,
): Promise<void> {
  const errors = await findUrlErrors(request.urls, rules, request.requests && pathOfRequest);
  requireValidUrls([...errors, ...findWebhookError(request, rules)]);
  checkScrapeOptions(request, rules);
  checkSink(request, caller.account.id, rules);
  await checkDataset(request, caller.account.id, { datasets });
  await findSealedSecrets(actionListsOf(request), caller.account.id, { secrets });
  if (!isCrawl(request)) return;
  await checkCrawl(request, rules, await findSinceErrors(request.crawl, caller.account.id, jobs));
}

/** Throws INSUFFICIENT_CREDITS for the worst case of all pages, and SERVICE_UNAVAILABLE without a browser that the job needs. */
export async function requireMeans(
  request: CreateJobRequest,
  caller: Caller,
  { accounts, broker }: MeansDeps,
): Promise<void> {
  const account = caller.account.balance === null ? null : await accounts.findAccount(caller.account.id);
  if (account?.balance != null) await requireCredits(request, account.balance);
  await requireBrowser(request, { broker });
}

/** Throws SERVICE_UNAVAILABLE when pages with these options need a browser and none is running. */
export async function requireBrowser(
  options: ScrapeOptions & Pick<CreateJobRequest, 'crawl'>,
  { broker }: Pick<MeansDeps, 'broker'>,
): Promise<void> {
  const isNeeded = engineFor(options) === 'browser' || (options.crawl?.rules ?? []).some(isActing);
  if (isNeeded && (await broker.consumerCount('pages.browser')) === 0) throw noBrowser();
}

/** Finds the bad URLs of a malformed job, so that one response reports all errors. */
export async function findJobUrlErrors(body: unknown, rules: UrlRules): Promise<ErrorDetail[]> {
  const { urls, requests } = Object(body) as { urls?: unknown; requests?: unknown };
  const errors = Array.isArray(urls)
    ? await findUrlErrors(urls, rules)
    : Array.isArray(requests)
      ? await findUrlErrors(
          requests.map((request) => Object(request).url),
          rules,
          pathOfRequest,
        )
      : [];
  return errors.map(({ path, message }) => ({ path, message }));
}

function pathOfRequest(index: number): string {
  return `requests.${index}.url`;
}

function noBrowser(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'No browser worker is running.',
    suggestion:
      'Try again in a moment. If you operate this installation, start a scraper with browser in ENGINES.',
    retryAfterSeconds: 5,
  });
}
