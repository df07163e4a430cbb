import type { Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';
import { type JobTerms, termsOf } from '../finish/charge-pages.ts';

const SIZE = { maxSize: 1000 };
const BALANCE_FRESH_MS = 1000;

/** Caches the fixed terms of running jobs, and for a second whether an account has a balance. */
export class JobTermsCache {
  readonly #stores: Pick<Stores, 'jobs' | 'accounts'>;
  readonly #terms = new QuickLRU<string, JobTerms>(SIZE);
  /** Reads under way, which several callers share. */
  readonly #reading = new Map<string, Promise<JobTerms | undefined>>();
  readonly #balances = new QuickLRU<string, { readonly isLimited: boolean; readonly atMs: number }>(SIZE);

  constructor(stores: Pick<Stores, 'jobs' | 'accounts'>) {
    this.#stores = stores;
  }

  /** Returns the terms of a job if pages of it came in recently. */
  peek(jobId: string): JobTerms | undefined {
    return this.#terms.get(jobId);
  }

  /** Returns the terms of a job, or undefined if it was deleted. */
  async find(jobId: string): Promise<JobTerms | undefined> {
    const cached = this.#terms.get(jobId);
    if (cached) return cached;
    const reading = this.#reading.get(jobId) ?? this.#read(jobId);
    this.#reading.set(jobId, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(jobId);
    }
  }

  async #read(jobId: string): Promise<JobTerms | undefined> {
    const [job] = await this.#stores.jobs.findJobs([jobId]);
    if (!job) return undefined;
    const terms = termsOf(job);
    this.#terms.set(jobId, terms);
    return terms;
  }

  /** Returns whether credits are held for the account's pages. */
  async hasBalance({ accountId }: Pick<JobTerms, 'accountId'>): Promise<boolean> {
    const cached = this.#balances.get(accountId);
    if (cached && performance.now() - cached.atMs < BALANCE_FRESH_MS) return cached.isLimited;
    const account = await this.#stores.accounts.findAccount(accountId);
    const isLimited = account !== null && account.balance !== null;
    this.#balances.set(accountId, { isLimited, atMs: performance.now() });
    return isLimited;
  }
}
