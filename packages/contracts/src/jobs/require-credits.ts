import { totalCredits, worstPriceOf } from '../credits.ts';
import { AppError } from '../errors/app-error.ts';
import type { CreateJobRequest } from './create-job.ts';
import { countFetchedUrls } from './fetched-url.ts';

/** Throws INSUFFICIENT_CREDITS if a balance does not cover the highest price of the pages that a request names. */
export async function requireCredits({ urls, ...options }: CreateJobRequest, balance: number): Promise<void> {
  const credits = (await countFetchedUrls(urls, options)) * totalCredits(worstPriceOf(options));
  if (balance >= credits) return;
  throw new AppError('INSUFFICIENT_CREDITS', {
    message: `The account has too few credits: the job may cost ${credits}, and the balance is ${balance}.`,
  });
}
