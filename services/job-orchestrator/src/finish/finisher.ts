import { type DispatchHint, type Failure, isTerminal, type StopReason } from '@gleaner/contracts';
import { inBackground } from '@gleaner/service-kit';
import type { CrawlState, StartBounds, StartedPages, StoredJob } from '@gleaner/storage';
import { addUnlinked } from '../compare/add-unlinked.ts';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import type { EndedJob, Findings, Reviewer } from '../review/reviewer.ts';
import { atOnce, type InSteps, Steps } from '../steps.ts';
import { termsOf } from './charge-pages.ts';
import { chargeAll, type FinishDeps, type FinishStep, finishJob } from './finish-job.ts';
import { correctCounters, isRecountDue, type Tally, tallyEntries } from './recount.ts';

/** Collaborators and settings of a finisher. */
export interface FinisherDeps extends FinishDeps {
  readonly hint: (hint: Partial<DispatchHint>) => void;
  /** Time after which another process may check a job of this one. */
  readonly recheckAfterMs: number;
  readonly recountAfterMs: number;
  readonly reviewer: Pick<Reviewer, 'review' | 'stop'>;
  readonly noteWork?: (name: string) => void;
}

/** A job that may be finished. */
export type JobToFinish = Pick<StoredJob, 'id' | 'accountId' | 'totalUrls'>;

/** A job that may start no further page now, with its started pages at that moment. */
export type SpentJob = {
  readonly jobId: string;
  readonly pages: StartedPages & Pick<CrawlState, 'stoppedBy'>;
  readonly bounds: StartBounds;
} & (
  | { readonly reason: StopReason }
  /** The error that the other pages of a list of URLs fail with. */
  | { readonly failure: Failure }
);

/** Jobs with at most so many pages are small: what is left to do for them is one step. */
export const MAX_SMALL_JOB = 500;
/** Pages that one step changes. */
export const PAGES_PER_STEP = 250;
const SMALL_JOBS = { atOnce: 4, rest: 0 };
const LARGE_JOBS = { atOnce: 1, rest: 1 };

/** Work on a job. */
interface Work {
  /** Resolves to false if nothing is to be done. */
  readonly isDue?: (inSteps: InSteps) => Promise<boolean>;
  readonly onFinished?: (job: StoredJob) => void;
}

interface Task {
  readonly done: Promise<void>;
  /** The job has changed since the task began, so that it has to look again. */
  isStale: boolean;
}

/**
 * Completes jobs after their last page, and jobs that are stopped or cancelled: in the background, in steps, so that no other
 * job waits for it. The work is read from the job, and every step can be repeated: after a crash, the reconciler of any process
 * has it done.
 */
export class Finisher {
  readonly #deps: FinisherDeps;
  readonly #small: Steps;
  readonly #large: Steps;
  readonly #tasks = new Map<string, Task>();
  #isStopping = false;

  constructor(deps: FinisherDeps) {
    this.#deps = deps;
    const noteStep = () => deps.noteWork?.('finish');
    this.#small = new Steps({ ...SMALL_JOBS, noteStep });
    this.#large = new Steps({ ...LARGE_JOBS, noteStep });
  }

  /** Adds a job, and calls `onFinished` once it has finished. */
  add(job: JobToFinish, onFinished: (job: StoredJob) => void = () => {}): void {
    this.#run(job, { onFinished });
  }

  /** Stops a job that may start no further page, once none of its pages can give back its place: ends those that wait. */
  stopSpent(spent: SpentJob, job: JobToFinish): void {
    this.#run(job, { isDue: (inSteps) => this.#noteStop(spent, inSteps) });
  }

  /** Runs a step of another long operation of an account, after a rest. */
  inSteps(accountId: string): InSteps {
    return this.#large.of(accountId);
  }

  /** Does now what is left to do for a job, in steps, up to its review; returns null if there is nothing more to do. */
  async advance(jobId: string, inSteps: InSteps, findings?: Findings): Promise<FinishStep | null> {
    const { jobs } = this.#deps.stores;
    for (let isLast = false; ; ) {
      const [job] = await jobs.findJobs([jobId]);
      if (!job || (job.completedAt && !job.cancelRequestedAt)) return null;
      await this.#endWaiting(job, inSteps);
      if (job.completedAt) return null;
      if (await this.#sweep(job, inSteps)) return null;
      const step = await finishJob(job, this.#deps, inSteps, findings);
      if (step) return step;
      if (!job.cancelRequestedAt) return await this.#recount(job, inSteps);
      // Links that were being stored may have added pages to a crawl after those that waited were cancelled. If another
      // process has cancelled them since, perhaps no process has finished the job yet: one more round does it.
      const hasUnfinished = await this.#deps.stores.pages.hasUnfinished(jobId);
      if (isLast && !hasUnfinished) return null;
      isLast = !hasUnfinished;
    }
  }

  /** Stops after the running steps; unfinished jobs are left to another process. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#deps.reviewer.stop();
    await Promise.all([this.#small.stop(), this.#large.stop()]);
    await Promise.all([...this.#tasks.values()].map(({ done }) => done));
  }

  #run(job: JobToFinish, work: Work): void {
    const running = this.#tasks.get(job.id);
    if (running) running.isStale = true;
    if (running || this.#isStopping) return;
    const task = { done: Promise.resolve(), isStale: false };
    this.#tasks.set(job.id, task);
    task.done = this.#runTask(job, task, work);
  }

  async #runTask(job: JobToFinish, task: Task, { isDue, onFinished }: Work): Promise<void> {
    try {
      const first = await this.#inTurn(job, async (inSteps) =>
        isDue && !(await isDue(inSteps)) ? null : await this.advance(job.id, inSteps),
      );
      const last = first && 'toReview' in first ? await this.#finishReviewed(job, first.toReview) : first;
      if (last && 'finished' in last) onFinished?.(last.finished);
    } catch (err) {
      if (!this.#isStopping) this.#deps.logger.warn({ err, jobId: job.id }, INTERRUPTED);
    }
    this.#tasks.delete(job.id);
    if (task.isStale) this.add(job);
  }

  /** Finishes a job once it has been reviewed, between its steps: no other job waits for that. */
  async #finishReviewed(job: JobToFinish, ended: EndedJob): Promise<FinishStep | null> {
    const { reviewer, stores, recheckAfterMs, logger } = this.#deps;
    const keepChecked = () =>
      inBackground(stores.jobs.keepChecked(job.id, stores.clock.now()), logger, NOT_KEPT_CHECKED);
    const timer = setInterval(keepChecked, recheckAfterMs / 3);
    const reviewing = reviewer.review(ended).finally(() => clearInterval(timer));
    const findings = await reviewing;
    return findings ? await this.#inTurn(job, (inSteps) => this.advance(job.id, inSteps, findings)) : null;
  }

  /** Runs work on a job in steps; that on a small job is one step. */
  async #inTurn<Result>(job: JobToFinish, work: (inSteps: InSteps) => Promise<Result>): Promise<Result> {
    if (job.totalUrls > MAX_SMALL_JOB) return await work(this.#keepingChecked(job));
    return await this.#small.of(job.accountId)(() => work(atOnce));
  }

  /** Returns the function that runs steps of a large job; while it does, no other process checks the job. */
  #keepingChecked({ id, accountId }: JobToFinish): InSteps {
    const { stores, recheckAfterMs } = this.#deps;
    const inSteps = this.#large.of(accountId);
    let keptAtMs = performance.now();
    return async (step) => {
      if (performance.now() - keptAtMs > recheckAfterMs / 3) {
        keptAtMs = performance.now();
        await stores.jobs.keepChecked(id, stores.clock.now());
      }
      return await inSteps(step);
    };
  }

  /** Ends the pages of a job that are not to be fetched any more. */
  async #endWaiting({ id, crawl, cancelRequestedAt, restFailure }: StoredJob, inSteps: InSteps) {
    const { clock, jobs, pages } = this.#deps.stores;
    if (cancelRequestedAt) {
      await untilNone(inSteps, () => pages.cancelSome(id, PAGES_PER_STEP, clock.now()));
    } else if (restFailure) {
      const failure = { failure: restFailure, at: clock.now() };
      await untilNone(inSteps, () => pages.failSome(id, PAGES_PER_STEP, failure));
    } else if (crawl?.stoppedBy) {
      await inSteps(() => pages.dropCrawlFiles(id, clock.now()));
      await untilNone(inSteps, async () => {
        const skip = { skip: 'limit' as const, at: clock.now() };
        const { found, skipped } = await pages.skipSome(id, PAGES_PER_STEP, skip);
        await jobs.countSkips(id, 'limit', skipped);
        return found;
      });
    }
  }

  /** Adds the pages that only earlier crawls led to, once no other page of a crawl is left; returns whether it added some. */
  async #sweep(job: StoredJob, inSteps: InSteps): Promise<boolean> {
    const terms = job.crawl?.since && crawlTermsOf(job);
    if (!terms || (await this.#deps.stores.pages.hasUnfinished(job.id))) return false;
    const [progress] = await this.#deps.stores.jobs.findProgress([job.id]);
    if (!progress || !(await addUnlinked(progress, terms, this.#deps, inSteps))) return false;
    this.#deps.hint({ grownJobIds: [job.id] });
    return await this.#deps.stores.pages.hasUnfinished(job.id);
  }

  /** Corrects the counters of a job that is not finished, at times. */
  async #recount(job: StoredJob, inSteps: InSteps): Promise<null> {
    const now = this.#deps.stores.clock.now();
    const isDue = !isTerminal(job.status) && isRecountDue(job, now, this.#deps.recountAfterMs);
    if (isDue) await correctCounters(job, now, this.#deps, inSteps);
    return null;
  }

  /**
   * Notes that a job starts no further page, unless a page may still give back its place; returns whether it is noted.
   * Corrects a count of started pages that a crash left too high.
   */
  async #noteStop(spent: SpentJob, inSteps: InSteps): Promise<boolean> {
    const { jobs } = this.#deps.stores;
    const isOver = 'reason' in spent && (spent.pages.stoppedBy !== undefined || spent.reason === 'duration');
    const isDecided = isOver || spent.pages.started <= spent.pages.fetched;
    if (!isDecided && !(await this.#hasCounted(spent, inSteps))) return false;
    if ('reason' in spent) await jobs.stopCrawl(spent.jobId, spent.reason);
    else await jobs.failRest(spent.jobId, spent.failure);
    return true;
  }

  /** Returns whether all started pages of a job are counted, and none can give back its place or its credits. */
  async #hasCounted({ jobId, pages, bounds, ...rest }: SpentJob, inSteps: InSteps): Promise<boolean> {
    const { stores } = this.#deps;
    if (await stores.pages.hasRunning(jobId)) return false;
    if (await hasRetries(jobId, this.#deps, inSteps)) return false;
    const { counts } = await tallyEntries(jobId, this.#deps, inSteps);
    const started = counts.succeeded + counts.visited + counts.failed + counts.missing;
    if (pages.started > started) {
      const of = 'reason' in rest ? 'crawl' : 'budget';
      await stores.jobs.correctStarted(jobId, of, pages.started, started);
      return false;
    }
    if ('reason' in rest && rest.reason !== 'credits') return true;
    return await this.#hasSpent(jobId, { bounds, counts }, inSteps);
  }

  /**
   * Returns whether the charges of a job, all of whose started pages have ended, leave too little for another page. If they
   * leave enough, its counters are behind: an end is being counted, or the process that should have counted it has died.
   */
  async #hasSpent(
    jobId: string,
    { bounds, counts }: Pick<SpentJob, 'bounds'> & Pick<Tally, 'counts'>,
    inSteps: InSteps,
  ): Promise<boolean> {
    const { clock, jobs } = this.#deps.stores;
    const [job] = await jobs.findJobs([jobId]);
    if (!job) return false;
    const { maxCredits = Number.POSITIVE_INFINITY, creditsPerPage } = bounds;
    const credits = await chargeAll(termsOf(job), counts, this.#deps, inSteps);
    if (maxCredits - credits < creditsPerPage) return true;
    await correctCounters(job, clock.now(), this.#deps, inSteps);
    return false;
  }
}

const NOT_KEPT_CHECKED = 'Another process may review the job as well.';
const INTERRUPTED = 'Finishing a job was interrupted; the reconciler has it done.';

/** Repeats a step until it comes upon nothing more. */
async function untilNone(inSteps: InSteps, step: () => Promise<number>): Promise<void> {
  while ((await inSteps(step)) > 0);
}

const PAGES_PER_LOOK = 2000;

/** Returns whether a page of a job waits for another attempt. */
async function hasRetries(jobId: string, { stores }: FinishDeps, inSteps: InSteps): Promise<boolean> {
  let afterIndex = -1;
  for (;;) {
    const part = { afterIndex, limit: PAGES_PER_LOOK };
    const waiting = await inSteps(() => stores.pages.findWaitingAfter(jobId, part));
    if (waiting.some(({ attempt }) => attempt > 0)) return true;
    const last = waiting.at(-1);
    if (!last) return false;
    afterIndex = last.index;
  }
}
