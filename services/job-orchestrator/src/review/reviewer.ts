import { randomUUID } from 'node:crypto';
import { AppError, type ScrapeOptions, type Warning } from '@gleaner/contracts';
import { AccountPlaces, type Logger } from '@gleaner/service-kit';
import type { Comparison, StoredJob, Stores, ToldByRun } from '@gleaner/storage';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import { type MarkGoneDeps, markGone } from '../datasets/mark-gone.ts';
import { compareRun } from './compare-run.ts';
import { measureRun } from './measure-run.ts';
import type { HastenDeps } from './rules/hasten-run.ts';
import { watchRules } from './rules/watch-rules.ts';
import { findUnmet, type HealthChange, judgeSchedule, type RunHealth } from './watch-health.ts';
import { hasExpectations } from './watched-fields.ts';

/** Collaborators of reviewing jobs. */
export interface ReviewerDeps extends MarkGoneDeps, HastenDeps {
  readonly stores: Pick<
    Stores,
    | 'clock'
    | 'jobs'
    | 'pages'
    | 'results'
    | 'changes'
    | 'datasets'
    | 'leases'
    | 'health'
    | 'snapshots'
    | 'ruleReports'
    | 'tellings'
  >;
  readonly logger: Logger;
  readonly noteWork?: (name: string) => void;
  /** Retention of the pages that show the fields of a schedule. */
  readonly evidenceMs: number;
}

/** A job whose pages have ended. */
export interface EndedJob {
  readonly job: StoredJob;
  /** False if every page has failed: then there is nothing to compare, and only required fields can be judged. */
  readonly hasResults: boolean;
}

/** Findings about all results of a job whose pages have ended. */
export interface Findings {
  /** Null if there is nothing to compare. */
  readonly comparison: Comparison | null;
  /** Change of the health of its schedule by the run. */
  readonly change?: HealthChange | undefined;
  /** Messages of the rules of the schedule. */
  readonly told?: ToldByRun | undefined;
  /** Fields that did not meet their expectations. */
  readonly warnings: readonly Warning[];
}

/** Findings of a job that is not reviewed. */
export const NO_FINDINGS: Findings = { comparison: null, warnings: [] };

/** Places for runs; a third more are kept for other accounts. */
const PLACES = { small: { perAccount: 6 }, large: { perAccount: 2 } } as const;
const SMALL_PAGES = 200;
/** Lease of a large run. */
const LEASE_MS = 20_000;
/** Most runs that wait for a place; the reconciler brings back the others. */
const MAX_WAITING = 2000;

/**
 * Looks at all results of a job before it finishes: compares a run with the runs before it, and judges what its fields returned.
 * Nothing of it is stored but the changes, which have the same ids each time, and the health of the schedule, which a run
 * changes once: after a crash, another orchestrator begins again. A large run is looked at by one process at a time, under a lease; a
 * small one takes less than the wait for a lease.
 */
export class Reviewer {
  readonly #deps: ReviewerDeps;
  readonly #owner = randomUUID();
  readonly #stopping = new AbortController();
  readonly #small = new AccountPlaces(PLACES.small);
  readonly #large = new AccountPlaces(PLACES.large);
  #waiting = 0;

  constructor(deps: ReviewerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the findings of a job whose pages have all finished, once there is a place for it. Undefined if another process looks
   * at it, or too many jobs wait: the reconciler takes it up again. Rejects when the process stops.
   */
  async review(ended: EndedJob): Promise<Findings | undefined> {
    const isLarge = ended.job.totalUrls > SMALL_PAGES;
    if (this.#waiting >= MAX_WAITING) return undefined;
    this.#waiting += 1;
    const taking = (isLarge ? this.#large : this.#small).take(ended.job.accountId, this.#stopping.signal);
    using _place = await taking.finally(() => {
      this.#waiting -= 1;
    });
    return isLarge ? await this.#underLease(ended) : await this.#look(ended);
  }

  /** Ends the reviews that are being made. */
  stop(): void {
    this.#stopping.abort();
  }

  async #underLease(ended: EndedJob): Promise<Findings | undefined> {
    const { leases } = this.#deps.stores;
    const role = `compare:${ended.job.id}`;
    const renew = () => leases.acquire({ role, owner: this.#owner, leaseMs: LEASE_MS });
    if (!(await renew())) return undefined;
    const timer = setInterval(() => void renew().catch(() => {}), LEASE_MS / 3);
    try {
      return await this.#look(ended);
    } finally {
      clearInterval(timer);
      await leases.release(role, this.#owner).catch(() => {});
    }
  }

  async #look({ job, hasResults }: EndedJob): Promise<Findings> {
    const { noteWork = () => {} } = this.#deps;
    noteWork('review');
    const { low, lost, regained, ...judged } = await this.#judge(job);
    const isToCompare = hasResults && isCompared(job);
    if (isToCompare) noteWork('compare');
    const comparison = isToCompare ? await this.#compare(job, { lost, regained }) : null;
    noteWork(isToCompare ? 'compare' : 'review');
    if (hasResults) await markGone(job, this.#deps, { signal: this.#stopping.signal, lost: low });
    const told = hasResults ? await this.#watchRules(job, low) : undefined;
    return { comparison, told, ...judged };
  }

  /** Judges a run by the rules of its schedule. */
  async #watchRules(job: StoredJob, low: ReadonlySet<string>): Promise<ToldByRun | undefined> {
    const { scheduleId, rulesJson } = job;
    if (scheduleId === undefined || rulesJson === undefined) return undefined;
    this.#deps.noteWork?.('watch');
    try {
      return await watchRules({ ...job, scheduleId, rulesJson }, low, this.#deps, this.#stopping.signal);
    } catch (err) {
      const isAway = err instanceof AppError && err.code === 'SERVICE_UNAVAILABLE';
      if (isAway || this.#stopping.signal.aborted) throw err;
      this.#deps.logger.error(
        { err, jobId: job.id },
        'A run could not be judged by its rules; it finishes without.',
      );
      return undefined;
    } finally {
      this.#deps.noteWork?.('watch');
    }
  }

  /** Returns null for a run that cannot be compared: it finishes all the same. */
  async #compare(job: StoredJob, losses: Pick<RunHealth, 'lost' | 'regained'>): Promise<Comparison | null> {
    const { stores, logger, retentionMs } = this.#deps;
    try {
      const found = await compareRun(job, stores, this.#stopping.signal, losses);
      if (!found) return null;
      const { since, counts, changes, omitted, notCompared, keys } = found;
      await stores.changes.put(job.id, changes, new Date(stores.clock.nowMs() + retentionMs));
      const keysJson = JSON.stringify(keys);
      return { since, ...counts, stored: changes.length, omitted, notCompared, keysJson };
    } catch (err) {
      const isAway = err instanceof AppError && err.code === 'SERVICE_UNAVAILABLE';
      if (isAway || this.#stopping.signal.aborted) throw err;
      logger.error({ err, jobId: job.id }, 'A run could not be compared; it finishes without its changes.');
      return null;
    }
  }

  /** Judges the fields of a job; a job that cannot be measured finishes all the same. */
  async #judge(job: StoredJob): Promise<Omit<Findings, 'comparison' | 'told'> & Omit<RunHealth, 'change'>> {
    const { logger, stores } = this.#deps;
    const unjudged = { low: new Set<string>(), lost: new Set<string>(), regained: new Map<string, string>() };
    try {
      const { scheduleId } = job;
      const known = scheduleId === undefined ? null : await stores.health.findHealth(scheduleId);
      const measured = await measureRun(job, this.#deps, this.#stopping.signal, known?.evidenceUrls);
      const warnings = findUnmet(measured);
      if (scheduleId === undefined || measured.fields.length === 0) return { warnings, ...unjudged };
      return { warnings, ...(await judgeSchedule({ ...job, scheduleId }, measured, this.#deps, known)) };
    } catch (err) {
      const isAway = err instanceof AppError && err.code === 'SERVICE_UNAVAILABLE';
      if (isAway || this.#stopping.signal.aborted) throw err;
      logger.error({ err, jobId: job.id }, 'The fields of a job could not be measured; it finishes without.');
      return { warnings: [], ...unjudged };
    }
  }
}

function isCompared({ crawl, scheduleId }: StoredJob): boolean {
  return crawl ? (crawl.since ?? []).length > 0 : scheduleId !== undefined;
}

/** Returns whether the results of a job are read before it finishes. */
export function isReviewed({ job, hasResults }: EndedJob): boolean {
  const texts = `${job.optionsJson}${job.crawlJson ?? ''}`;
  if (!hasResults) return job.scheduleId !== undefined && texts.includes('"required":true');
  if (job.scheduleId !== undefined || isCompared(job) || job.datasetJson !== undefined) return true;
  // Parsed only if there can be one.
  if (!texts.includes('"expect"')) return false;
  return hasExpectations(JSON.parse(job.optionsJson) as ScrapeOptions, crawlTermsOf(job));
}
