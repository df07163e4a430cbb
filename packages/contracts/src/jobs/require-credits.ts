import { withDearestPages } from '../crawl/crawl-options.ts';
import { worstCreditsOf } from '../credits.ts';
import { AppError } from '../errors/app-error.ts';
import type { CreateJobRequest } from './create-job.ts';
import { countFetchedUrls } from './fetched-url.ts';

/** Throws INSUFFICIENT_CREDITS if a balance does not cover the highest price of the pages that a request names, up to `maxCredits`. */
export async function requireCredits(request: CreateJobRequest, balance: number): Promise<void> {
  const options = withDearestPages(request, request.crawl);
  const { maxCredits = Number.POSITIVE_INFINITY } = options;
  const credits = Math.min((await countFetchedUrls(options)) * worstCreditsOf(options), maxCredits);
  if (balance >= credits) return;
  throw new AppError('INSUFFICIENT_CREDITS', {
    message: `The account has too few credits: the job may cost ${credits}, and the balance is ${balance}.`,
  });
}
