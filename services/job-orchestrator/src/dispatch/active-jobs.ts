import { type Engine, engineFor, type ScrapeOptions, timeoutMsOf } from '@gleaner/contracts';
import type { StoredJob, StoredPage, Stores } from '@gleaner/storage';
import { type JobTerms, termsOf } from '../finish/charge-pages.ts';
import type { Candidate, CandidateJob } from './plan-dispatch.ts';

/** A page that may be dispatched, with what its message is made of. */
export interface WaitingPage extends Candidate {
  readonly url: string;
  readonly attempt: number;
}

/** A job whose pages are being dispatched. */
export interface ActiveJob extends CandidateJob<WaitingPage> {
  readonly terms: JobTerms;
  readonly options: ScrapeOptions;
  readonly engine: Engine;
  readonly timeoutMs: number;
  isPending: boolean;
  waiting: WaitingPage[];
  runningPages: number;
  /** Whether there are waiting pages that are not in `waiting`, as far as is known. */
  hasMore: boolean;
}

const MAX_JOBS = 1000;
/** How many pages of a job are looked at ahead. */
const LOOK_AHEAD = 200;
const LOW_WATER = 60;
/** Pages that become due this soon are looked at already. */
const SOON_MS = 1500;

/** The jobs that have pages to dispatch, each with the next few of them. */
export class ActiveJobs {
  readonly #stores: Pick<Stores, 'jobs' | 'pages'>;
  readonly #jobs = new Map<string, ActiveJob>();

  constructor(stores: Pick<Stores, 'jobs' | 'pages'>) {
    this.#stores = stores;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** Oldest first. */
  all(): ActiveJob[] {
    return [...this.#jobs.values()];
  }

  find(jobId: string): ActiveJob | undefined {
    return this.#jobs.get(jobId);
  }

  remove(jobId: string): void {
    this.#jobs.delete(jobId);
  }

  clear(): void {
    this.#jobs.clear();
  }

  /** Takes in new jobs, and forgets those that have ended. */
  async refresh(): Promise<void> {
    const stored = await this.#stores.jobs.findActive(MAX_JOBS);
    const ids = new Set(stored.map(({ id }) => id));
    for (const id of this.#jobs.keys()) if (!ids.has(id)) this.#jobs.delete(id);
    for (const job of stored) if (!this.#jobs.has(job.id)) this.#jobs.set(job.id, activate(job));
  }

  /** Reads the next pages of the jobs that run short of them. */
  async fill(pausedHosts: readonly string[]): Promise<void> {
    for (const job of this.#jobs.values()) {
      if (!job.hasMore || job.waiting.length >= LOW_WATER) continue;
      const pages = await this.#stores.pages.findWaiting(job.id, {
        limit: LOOK_AHEAD,
        dueBy: new Date(Date.now() + SOON_MS),
        exceptHosts: pausedHosts,
      });
      job.waiting = pages.map(toWaiting);
      job.hasMore = pages.length === LOOK_AHEAD;
    }
  }

  /** Says that a job, or every job, may have waiting pages that are not known of. */
  expectMore(jobId?: string): void {
    for (const job of jobId === undefined ? this.#jobs.values() : [this.#jobs.get(jobId)]) {
      if (job) job.hasMore = true;
    }
  }
}

function activate(job: StoredJob): ActiveJob {
  const options: ScrapeOptions = JSON.parse(job.optionsJson);
  return {
    id: job.id,
    accountId: job.accountId,
    terms: termsOf(job),
    options,
    engine: engineFor(options),
    timeoutMs: timeoutMsOf(options),
    isPending: job.status === 'pending',
    waiting: [],
    runningPages: 0,
    hasMore: true,
  };
}

function toWaiting({ id, host, url, attempt, notBefore, losses }: StoredPage): WaitingPage {
  return { id, host, url, attempt, notBeforeMs: notBefore?.getTime() ?? 0, isSuspect: losses > 0 };
}
