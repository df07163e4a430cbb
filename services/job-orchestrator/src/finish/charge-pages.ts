import {
  type CrawlOptions,
  type CreditsBreakdown,
  type ScrapeOptions,
  totalCredits,
  withDearestPages,
  worstCreditsOf,
} from '@gleaner/contracts';
import { type DatasetOfJob, datasetOf, type StoredJob, type Stores } from '@gleaner/storage';
import { type CrawlTerms, crawlTermsOf } from '../crawl/crawl-terms.ts';
import { hashJson } from '../hash-json.ts';

/** Terms of a job's pages: the account and key that are charged, and how they are tried. */
export interface JobTerms extends Pick<StoredJob, 'id' | 'accountId' | 'keyId'> {
  readonly scheduleId: string | undefined;
  /** The most that a page may cost. */
  readonly creditsPerPage: number;
  readonly hasAntiBot: boolean;
  /** Some URLs occur several times: their pages count for each of them. */
  readonly hasCopies: boolean;
  /** Its credits are bounded, and its started pages are counted for that. */
  readonly hasBudget: boolean;
  /** Undefined of jobs that are not crawls. */
  readonly crawl: CrawlTerms | undefined;
  readonly options: ScrapeOptions;
  /** The dataset that its records are written to. */
  readonly dataset: DatasetOfJob | undefined;
  /** Crawls that it is compared with, latest first. */
  readonly since: readonly string[];
  /** Its pages are extracted from again, and not fetched. */
  readonly isOfKept: boolean;
  /** Hash of what decides the content of the results of a crawl. */
  readonly hash: string;
}

/** A page that succeeded. */
export interface PageToCharge {
  readonly id: string;
  readonly price: CreditsBreakdown;
  /** Time of the charge, by which the ledger is counted. */
  readonly at: Date;
}

/** Reads the terms of a job from its options. */
export function termsOf(job: StoredJob): JobTerms {
  const { id, accountId, keyId, scheduleId, optionsJson, distinctUrls } = job;
  const options: ScrapeOptions = JSON.parse(optionsJson);
  const hasAntiBot = options.antiBot === true;
  const hasCopies = distinctUrls !== undefined;
  const crawl = crawlTermsOf(job);
  const creditsPerPage = job.extractOf === undefined ? worstCreditsOf(withDearestPages(options, crawl)) : 0;
  return {
    id,
    accountId,
    keyId,
    scheduleId,
    creditsPerPage,
    hasAntiBot,
    hasCopies,
    crawl,
    options,
    dataset: job.datasetJson === undefined ? undefined : datasetOf(job.datasetJson),
    hasBudget: job.budget !== undefined,
    isOfKept: job.extractOf !== undefined,
    since: job.crawl?.since ?? [],
    hash: crawl ? hashTerms(options, crawl) : '',
  };
}

/**
 * Returns a price within the terms of the job. A profile that gains a proxy while its job runs makes pages dearer than the job
 * was told when it was created; the told price holds.
 */
export function coveredPrice(
  price: CreditsBreakdown,
  { creditsPerPage }: Pick<JobTerms, 'creditsPerPage'>,
): CreditsBreakdown {
  if (totalCredits(price) <= creditsPerPage) return price;
  const { proxy: _gained, ...covered } = price;
  return covered;
}

/** Returns the operation that credits are held and charged for: one for a page, whichever attempt succeeds. */
export function operationOf({ accountId, creditsPerPage }: JobTerms, pageId: string) {
  return { operationId: pageId, accountId, credits: creditsPerPage };
}

/** Charges pages with a stored success; charges no page twice. */
export async function chargePages(
  terms: JobTerms,
  pages: readonly PageToCharge[],
  { credits }: Pick<Stores, 'credits'>,
): Promise<void> {
  await credits.settleAll(
    pages.map(({ id, price, at }) => ({
      ...operationOf(terms, id),
      settlement: {
        keyId: terms.keyId,
        operation: isReused(price, terms) ? 'cached' : 'page',
        breakdown: price,
        at,
      },
    })),
  );
}

/** Returns whether a page was reused for `maxAge`. Pages of crawls cost nothing where the site has not modified them. */
function isReused(price: CreditsBreakdown, { crawl, isOfKept }: JobTerms): boolean {
  return totalCredits(price) === 0 && !crawl && !isOfKept;
}

/**
 * Hashes the options of a crawl that decide the contents of results and the links to follow. Where they are equal, hashes of
 * contents can be compared, and a page need not be read if its site says that it is unmodified.
 */
export function hashTerms(
  { timeout: _timeout, snapshot: _snapshot, maxAge: _maxAge, ...options }: ScrapeOptions,
  crawl: CrawlOptions,
): string {
  const { scope, include, exclude, rules, ignoreQuery, robots, sitemap } = crawl;
  const deciding = [options, scope, include, exclude, rules, ignoreQuery, robots, sitemap];
  return hashJson(deciding).toString('base64url').slice(0, 22);
}
