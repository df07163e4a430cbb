import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type CreateJobRequest,
  type ErrorDetail,
  engineFor,
  totalCredits,
  worstPriceOf,
} from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication/caller.ts';
import { checkScrapeOptions, type ScrapeRules } from '../scrape/check-scrape-request.ts';

/** What a job is held against. */
export type JobRules = ScrapeRules;

interface CheckDeps {
  readonly rules: JobRules;
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
  readonly broker: Pick<Broker, 'consumerCount'>;
}

/**
 * The request, once everything that could only fail later is known to be right. Throws INVALID_URL with every bad URL
 * by its index, INVALID_REQUEST, INVALID_SELECTOR, INSUFFICIENT_CREDITS for the worst case of all pages, and
 * SERVICE_UNAVAILABLE for a job that needs a browser where there is none.
 */
export async function checkJobRequest(
  request: CreateJobRequest,
  caller: Caller,
  deps: CheckDeps,
): Promise<CreateJobRequest> {
  const { rules, accounts, broker } = deps;
  const faults = [...urlFaults(request.urls, rules), ...webhookFaults(request, rules)];
  if (faults.length > 0) throw invalidUrls(faults);
  checkScrapeOptions(request, rules);
  const account = caller.account.balance === null ? null : await accounts.findAccount(caller.account.id);
  const credits = request.urls.length * totalCredits(worstPriceOf(request));
  if (account?.balance != null && account.balance < credits) throw insufficient(credits, account.balance);
  if (engineFor(request) === 'browser' && (await broker.consumerCount('pages.browser')) === 0)
    throw noBrowser();
  return request;
}

function urlFaults(urls: readonly string[], rules: JobRules): ErrorDetail[] {
  return urls.flatMap((url, index) => urlFault(`urls.${index}`, url, rules));
}

/** What is wrong with the address of a webhook. */
export function webhookFaults(
  { webhook }: Pick<CreateJobRequest, 'webhook'>,
  rules: JobRules,
): ErrorDetail[] {
  if (webhook === undefined) return [];
  return typeof webhook === 'string'
    ? urlFault('webhook', webhook, rules)
    : urlFault('webhook.url', webhook.url, rules);
}

/** What is wrong with a URL that stands at this place of a body. */
export function urlFault(path: string, url: string, { policy }: JobRules): ErrorDetail[] {
  try {
    policy.checkUrl(url);
    return [];
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    return [{ path, message: fault.message }];
  }
}

const MAX_NAMED = 3;

/** INVALID_URL with every fault. */
export function invalidUrls(details: readonly ErrorDetail[]): AppError {
  const named = details.slice(0, MAX_NAMED).map(({ path, message }) => `${path}: ${message}`);
  const rest = details.length - named.length;
  const message = `${named.join(' ')}${rest > 0 ? ` And ${rest} more in details.` : ''}`;
  return new AppError('INVALID_URL', { message, details });
}

function insufficient(credits: number, balance: number): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `The account has too few credits: the job may cost ${credits}, and the balance is ${balance}.`,
  });
}

function noBrowser(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'No browser worker is running.',
    suggestion: 'Try again in a moment. If this service is yours, start a scraper that takes browser work.',
    retryAfterSeconds: 5,
  });
}
