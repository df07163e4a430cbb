import type { Stores } from '@gleaner/storage';
import { type JobTerms, termsOf } from '../finish/charge-pages.ts';

const MAX_JOBS = 1000;
const BALANCE_FRESH_MS = 1000;

/** What never changes of the jobs whose pages are coming in, and whose account has a balance, as of a second ago. */
export class JobTermsCache {
  readonly #stores: Pick<Stores, 'jobs' | 'accounts'>;
  readonly #terms = new Map<string, JobTerms>();
  readonly #balances = new Map<string, { readonly isLimited: boolean; readonly atMs: number }>();

  constructor(stores: Pick<Stores, 'jobs' | 'accounts'>) {
    this.#stores = stores;
  }

  /** Whether pages of the job have come in before. */
  knows(jobId: string): boolean {
    return this.#terms.has(jobId);
  }

  /** The terms of a job, or undefined when it is gone. */
  async find(jobId: string): Promise<JobTerms | undefined> {
    const known = this.#terms.get(jobId);
    if (known) return known;
    const [job] = await this.#stores.jobs.findJobs([jobId]);
    if (!job) return undefined;
    const terms = termsOf(job);
    if (this.#terms.size >= MAX_JOBS) this.#terms.clear();
    this.#terms.set(jobId, terms);
    return terms;
  }

  /** Whether credits are held for the account's pages. */
  async hasBalance({ accountId }: Pick<JobTerms, 'accountId'>): Promise<boolean> {
    const known = this.#balances.get(accountId);
    if (known && performance.now() - known.atMs < BALANCE_FRESH_MS) return known.isLimited;
    const account = await this.#stores.accounts.findAccount(accountId);
    const isLimited = account !== null && account.balance !== null;
    if (this.#balances.size >= MAX_JOBS) this.#balances.clear();
    this.#balances.set(accountId, { isLimited, atMs: performance.now() });
    return isLimited;
  }
}
