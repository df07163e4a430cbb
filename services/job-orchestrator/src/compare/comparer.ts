import { randomUUID } from 'node:crypto';
import { AppError, type ScrapeOptions, type Warning } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Comparison, StoredJob, Stores } from '@gleaner/storage';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import {
  findUnmet,
  type HealthChange,
  judgeSchedule,
  measureRun,
  type RunHealth,
} from '../health/watch-health.ts';
import { hasExpectations } from '../health/watched-fields.ts';
import { compareRun } from './compare-run.ts';

/** Collaborators of comparing runs. */
export interface ComparerDeps {
  readonly stores: Pick<
    Stores,
    'clock' | 'jobs' | 'pages' | 'results' | 'changes' | 'leases' | 'health' | 'snapshots'
  >;
  readonly logger: Logger;
  readonly retentionMs: number;
  /** Time for which the pages that show the fields of a schedule are kept. */
  readonly evidenceMs: number;
  /** Is called when the comparison of a job can be taken. */
  readonly onCompared: (jobId: string) => Promise<unknown>;
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
  /** Fields that did not meet their expectations. */
  readonly warnings: readonly Warning[];
}

/** Findings of a job that is not looked at. */
export const NO_FINDINGS: Findings = { comparison: null, warnings: [] };

/** Comparisons of small runs at once; the large ones take turns, beside them. */
const SMALL_AT_ONCE = 8;
const SMALL_PAGES = 200;
const LEASE_MS = 60_000;
const MAX_WAITING = 1000;

/**
 * Compares runs with the runs before them in the background, before they finish, and judges what their fields returned.
 * Nothing of it is stored but the changes, which have the same ids each time, and the health of the schedule, which a run
 * changes once: after a crash, another orchestrator begins again once the lease has expired.
 */
export class Comparer {
  readonly #deps: ComparerDeps;
  readonly #owner = randomUUID();
  readonly #stopping = new AbortController();
  readonly #waiting = { small: new Map<string, EndedJob>(), large: new Map<string, EndedJob>() };
  readonly #running = { small: new Map<string, Promise<void>>(), large: new Map<string, Promise<void>>() };
  readonly #done = new Map<string, Findings>();

  constructor(deps: ComparerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the findings of a job whose pages have all finished. Undefined while they are being made: the job is taken up
   * again when they are there, at the latest by the reconciler.
   */
  find(ended: EndedJob): Findings | undefined {
    if (!isLookedAt(ended)) return NO_FINDINGS;
    const { job } = ended;
    const done = this.#done.get(job.id);
    if (done !== undefined) return done;
    const size = job.totalUrls <= SMALL_PAGES ? 'small' : 'large';
    if (this.#running[size].has(job.id)) return undefined;
    // The reconciler brings back what does not fit.
    if (this.#waiting[size].size < MAX_WAITING) this.#waiting[size].set(job.id, ended);
    this.#next(size);
    return undefined;
  }

  /** Ends the comparisons that are being made. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#running.small.values(), ...this.#running.large.values()]);
  }

  #next(size: 'small' | 'large'): void {
    const running = this.#running[size];
    while (running.size < (size === 'small' ? SMALL_AT_ONCE : 1) && !this.#stopping.signal.aborted) {
      const [ended] = this.#waiting[size].values();
      if (!ended) return;
      const { job } = ended;
      this.#waiting[size].delete(job.id);
      const work = this.#work(ended).finally(() => {
        running.delete(job.id);
        this.#next(size);
      });
      running.set(job.id, work);
    }
  }

  /** Compares a run, unless another orchestrator does, and hands it back. Never rejects. */
  async #work({ job, hasResults }: EndedJob): Promise<void> {
    const { stores, logger, onCompared } = this.#deps;
    const role = `compare:${job.id}`;
    const renew = () => stores.leases.acquire({ role, owner: this.#owner, leaseMs: LEASE_MS });
    let timer: NodeJS.Timeout | undefined;
    try {
      if (!(await renew())) return;
      timer = setInterval(() => void renew().catch(() => {}), LEASE_MS / 3);
      const { lost, ...judged } = await this.#judge(job);
      const comparison = hasResults && isCompared(job) ? await this.#compare(job, lost) : null;
      this.#done.set(job.id, { comparison, ...judged });
      await onCompared(job.id);
      await stores.leases.release(role, this.#owner);
    } catch (err) {
      if (!this.#stopping.signal.aborted)
        logger.warn({ err, jobId: job.id }, 'The comparison of a run was interrupted; it is made again.');
    } finally {
      clearInterval(timer);
      this.#done.delete(job.id);
    }
  }

  /** Returns null for a run that cannot be compared: it finishes all the same. */
  async #compare(job: StoredJob, lost: ReadonlySet<string>): Promise<Comparison | null> {
    const { stores, logger, retentionMs } = this.#deps;
    try {
      const found = await compareRun(job, stores, this.#stopping.signal, { lost });
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

  /** Judges what the fields of a job returned; a job that cannot be measured finishes all the same. */
  async #judge(job: StoredJob): Promise<Omit<Findings, 'comparison'> & Pick<RunHealth, 'lost'>> {
    const { logger } = this.#deps;
    try {
      const measured = await measureRun(job, this.#deps, this.#stopping.signal);
      const { scheduleId } = job;
      const warnings = findUnmet(measured);
      if (scheduleId === undefined || measured.fields.length === 0) return { warnings, lost: new Set() };
      return { warnings, ...(await judgeSchedule({ ...job, scheduleId }, measured, this.#deps)) };
    } catch (err) {
      const isAway = err instanceof AppError && err.code === 'SERVICE_UNAVAILABLE';
      if (isAway || this.#stopping.signal.aborted) throw err;
      logger.error({ err, jobId: job.id }, 'The fields of a job could not be measured; it finishes without.');
      return { warnings: [], lost: new Set() };
    }
  }
}

function isCompared({ crawl, scheduleId }: StoredJob): boolean {
  return crawl ? (crawl.since ?? []).length > 0 : scheduleId !== undefined;
}

/** Returns whether the results of a job are read before it finishes. */
function isLookedAt({ job, hasResults }: EndedJob): boolean {
  const texts = `${job.optionsJson}${job.crawlJson ?? ''}`;
  if (!hasResults) return job.scheduleId !== undefined && texts.includes('"required":true');
  if (job.scheduleId !== undefined || isCompared(job)) return true;
  // Parsed only if there can be one.
  if (!texts.includes('"expect"')) return false;
  return hasExpectations(JSON.parse(job.optionsJson) as ScrapeOptions, crawlTermsOf(job));
}
