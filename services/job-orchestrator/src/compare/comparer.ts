import { randomUUID } from 'node:crypto';
import { AppError } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Comparison, StoredJob, Stores } from '@gleaner/storage';
import { compareRun } from './compare-run.ts';

/** Collaborators of comparing runs. */
export interface ComparerDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'results' | 'changes' | 'leases'>;
  readonly logger: Logger;
  readonly retentionMs: number;
  /** Is called when the comparison of a job can be taken. */
  readonly onCompared: (jobId: string) => Promise<unknown>;
}

/** Comparisons of small runs at once; the large ones take turns, beside them. */
const SMALL_AT_ONCE = 8;
const SMALL_PAGES = 200;
const LEASE_MS = 60_000;
const MAX_WAITING = 1000;

/**
 * Compares runs with the runs before them in the background, before they finish. Nothing of it is stored but the changes,
 * which have the same ids each time: after a crash, another orchestrator begins again once the lease has expired.
 */
export class Comparer {
  readonly #deps: ComparerDeps;
  readonly #owner = randomUUID();
  readonly #stopping = new AbortController();
  readonly #waiting = { small: new Map<string, StoredJob>(), large: new Map<string, StoredJob>() };
  readonly #running = { small: new Map<string, Promise<void>>(), large: new Map<string, Promise<void>>() };
  readonly #done = new Map<string, Comparison | null>();

  constructor(deps: ComparerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the comparison of a job whose pages have all finished; null if there is nothing to compare. Undefined while it
   * is being made: the job is taken up again when it is there, at the latest by the reconciler.
   */
  find(job: StoredJob): Comparison | null | undefined {
    const isCompared = job.crawl ? (job.crawl.since ?? []).length > 0 : job.scheduleId !== undefined;
    if (!isCompared) return null;
    const done = this.#done.get(job.id);
    if (done !== undefined) return done;
    const size = job.totalUrls <= SMALL_PAGES ? 'small' : 'large';
    if (this.#running[size].has(job.id)) return undefined;
    // The reconciler brings back what does not fit.
    if (this.#waiting[size].size < MAX_WAITING) this.#waiting[size].set(job.id, job);
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
      const [job] = this.#waiting[size].values();
      if (!job) return;
      this.#waiting[size].delete(job.id);
      const work = this.#work(job).finally(() => {
        running.delete(job.id);
        this.#next(size);
      });
      running.set(job.id, work);
    }
  }

  /** Compares a run, unless another orchestrator does, and hands it back. Never rejects. */
  async #work(job: StoredJob): Promise<void> {
    const { stores, logger, onCompared } = this.#deps;
    const role = `compare:${job.id}`;
    const renew = () => stores.leases.acquire({ role, owner: this.#owner, leaseMs: LEASE_MS });
    let timer: NodeJS.Timeout | undefined;
    try {
      if (!(await renew())) return;
      timer = setInterval(() => void renew().catch(() => {}), LEASE_MS / 3);
      this.#done.set(job.id, await this.#compare(job));
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
  async #compare(job: StoredJob): Promise<Comparison | null> {
    const { stores, logger, retentionMs } = this.#deps;
    try {
      const found = await compareRun(job, stores, this.#stopping.signal);
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
}
