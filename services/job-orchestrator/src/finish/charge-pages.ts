import {
  type CrawlOptions,
  type CreditsBreakdown,
  type ScrapeOptions,
  withDearestPages,
  worstCreditsOf,
} from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';
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
    ...{ id, accountId, keyId, scheduleId, creditsPerPage, hasAntiBot, hasCopies, crawl, options },
    hasBudget: job.budget !== undefined,
    isOfKept: job.extractOf !== undefined,
    since: job.crawl?.since ?? [],
    hash: crawl ? hashTerms(options, crawl) : '',
  };
}

/** Returns the operation that credits are held and charged for: one for a page, whichever attempt succeeds. */
export function operationOf({ accountId, creditsPerPage }: JobTerms, pageId: string) {
  return { operationId: pageId, accountId, credits: creditsPerPage };
}

/** Charges pages whose success is stored; a page that was charged before is not charged again. */
export async function chargePages(
  terms: JobTerms,
  pages: readonly PageToCharge[],
  { credits }: Pick<Stores, 'credits'>,
): Promise<void> {
  await credits.settleAll(
    pages.map(({ id, price, at }) => ({
      ...operationOf(terms, id),
      settlement: { keyId: terms.keyId, operation: 'page', breakdown: price, at },
    })),
  );
}

/**
 * Hashes the options of a crawl that decide what the result of a page contains, and which links of it are followed. Where
 * they are equal, hashes of contents can be compared, and a page that its site says is unmodified need not be read.
 */
export function hashTerms(
  { timeout: _timeout, snapshot: _snapshot, ...options }: ScrapeOptions,
  crawl: CrawlOptions,
): string {
  const { scope, include, exclude, rules, ignoreQuery, robots, sitemap } = crawl;
  const deciding = [options, scope, include, exclude, rules, ignoreQuery, robots, sitemap];
  return hashJson(deciding).toString('base64url').slice(0, 22);
}
