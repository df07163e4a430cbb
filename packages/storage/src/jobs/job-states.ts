import type { DropReason, Failure, JobState, PageChange, PageKind, SkipReason } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import type { DriverCollection } from '../document-schema.ts';
import type { CrawlState, JobDocument, UnsentEvent } from './job-model.ts';
import { ACTIVE } from './job-queries.ts';
import { type StoredJob, toStoredJob } from './stored-job.ts';

/** Change of state, applied only in one of the `from` states; its event is stored in the same write. */
export interface Transition {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly set: Partial<
    Pick<
      JobDocument,
      | Counter
      | 'verdicts'
      | 'totalUrls'
      | 'comparison'
      | 'datasetChange'
      | 'healthJson'
      | 'told'
      | 'warnings'
      | 'startedAt'
      | 'completedAt'
      | 'retainedUntil'
      | 'expiresAt'
    >
  > & {
    /** Fields of the state of a crawl; the others stay as they are. */
    readonly crawl?: Partial<CrawlState>;
  };
  readonly event: UnsentEvent;
}

type Counter = 'completedUrls' | 'failedUrls' | 'creditsUsed';

/** Progress of a job. */
export type JobCounters = Readonly<Record<Counter, number>>;

/** Additions of newly finished pages to the counters of their job. */
export interface JobAdditions extends JobCounters {
  /** New results by the kind of page that they come from. */
  readonly verdicts?: ReadonlyMap<PageKind, number>;
  /** Pages whose charge is among the credits; only of jobs with a budget. */
  readonly fetched?: number;
}

/** Additions of newly finished pages of a crawl to its counters. */
export interface CrawlAdditions {
  /** Pages that were found. */
  readonly admitted: number;
  readonly fetched: number;
  /** Pages among the fetched ones that were fetched for their links alone. */
  readonly visited: number;
  readonly missing: number;
  /** Pages that had been started and have no result after all. */
  readonly unstarted: number;
  /** Greatest depth of the fetched pages. */
  readonly depth: number;
  readonly skipped: ReadonlyMap<SkipReason, number>;
  readonly dropped: ReadonlyMap<DropReason, number>;
  /** Only of crawls that are compared with an earlier one. */
  readonly changes?: ReadonlyMap<PageChange | 'unlinked', number>;
}

/** Store of the states, counters and unsent events of jobs; only the job-orchestrator writes it. Every write survives a crash of the database. */
export class JobStates {
  readonly #jobs: DriverCollection<JobDocument>;

  constructor(jobs: DriverCollection<JobDocument>) {
    this.#jobs = jobs;
  }

  /** Changes the state; returns null, changing nothing, if the job is not in one of the `from` states, or was completed. */
  async transition(
    id: string,
    { from, to, set: { crawl = {}, ...set }, event }: Transition,
  ): Promise<StoredJob | null> {
    const ofCrawl = Object.entries(crawl).map(([name, value]) => [`crawl.${name}`, value]);
    const document = await this.#jobs.findOneAndUpdate(
      { _id: id, status: { $in: [...from] }, completedAt: { $exists: false } },
      { $set: { ...set, ...Object.fromEntries(ofCrawl), status: to }, $push: { events: event } },
      { returnDocument: 'after' },
    );
    return document && toStoredJob(document);
  }

  /** Cancels a job unless it has finished, but not its pages; returns the job after that, or null if it is missing. */
  async cancel(accountId: string, id: string, at: Date): Promise<StoredJob | null> {
    const document = await this.#jobs.findOneAndUpdate(
      { _id: { $eq: id }, accountId: { $eq: accountId }, status: { $in: ACTIVE } },
      { $set: { status: 'cancelled', cancelRequestedAt: at } },
      { returnDocument: 'after' },
    );
    if (document) return toStoredJob(document);
    const ended = await this.#jobs.findOne({
      _id: { $eq: id },
      accountId: { $eq: accountId },
      status: { $nin: ['draft', 'expired'] },
    });
    return ended && toStoredJob(ended);
  }

  /** Notes the error that the waiting pages of a job fail with; the first one stands. */
  async failRest(id: string, failure: Failure): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, status: { $in: ACTIVE }, restFailure: { $exists: false } },
      { $set: { restFailure: failure } },
    );
  }

  /** Adds pages that have just finished to the counters; returns the job, or null if it has finished or is missing. */
  async countEnded(
    id: string,
    { verdicts = new Map(), fetched, ...counters }: JobAdditions,
    additions?: CrawlAdditions,
  ): Promise<StoredJob | null> {
    const ofKinds = Object.fromEntries([...verdicts].map(([page, count]) => [`verdicts.${page}`, count]));
    const document = await this.#jobs.findOneAndUpdate(
      { _id: id, status: { $in: ACTIVE } },
      {
        $inc: {
          ...counters,
          ...ofKinds,
          ...defined({ 'budget.fetched': fetched }),
          ...(additions && incrementsOf(additions)),
        },
        ...(additions && { $max: { 'crawl.depth': additions.depth } }),
      },
      { returnDocument: 'after' },
    );
    return document && toStoredJob(document);
  }

  /** Raises the counters of an active job to the result of a recount; they never fall. */
  async raiseCounters(
    id: string,
    counters: JobCounters & Readonly<Record<string, number>>,
    recountedAt: Date,
  ): Promise<void> {
    const update = { $max: { ...counters }, $set: { recountedAt } };
    await this.#jobs.updateOne({ _id: id, status: { $in: ACTIVE } }, update);
  }

  /**
   * Claims the open job with the oldest check before `since`, or returns null. No other process checks it
   * at the same time.
   */
  async claimUnchecked(
    since: Date,
    now: Date,
  ): Promise<(Omit<StoredJob, 'status'> & { status: JobDocument['status'] }) | null> {
    const document = await this.#jobs.findOneAndUpdate(
      { checkedAt: { $lte: since } },
      { $set: { checkedAt: now } },
      { sort: { checkedAt: 1 }, returnDocument: 'after' },
    );
    return document && { ...toStoredJob(document), status: document.status };
  }

  /** Renews the claim of a process on an open job, so that no other process checks it. */
  async keepChecked(id: string, now: Date): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, checkedAt: { $exists: true } },
      { $max: { checkedAt: now } },
      { writeConcern: WRITE_CONCERNS.counter },
    );
  }

  /** Removes events that the broker has confirmed. */
  async confirmEvents(id: string, eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await this.#jobs.updateOne({ _id: id }, { $pull: { events: { id: { $in: [...eventIds] } } } });
  }

  /** Marks a finished job as needing no more checks, unless an event is still to be sent. */
  async close(id: string): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, completedAt: { $exists: true }, events: { $size: 0 } },
      { $unset: { checkedAt: 1 } },
    );
  }
}

function incrementsOf({
  admitted,
  fetched,
  visited,
  missing,
  unstarted,
  skipped,
  dropped,
  changes = new Map(),
}: CrawlAdditions): Record<string, number> {
  return {
    totalUrls: admitted,
    'crawl.fetched': fetched,
    'crawl.visited': visited,
    'crawl.missing': missing,
    // Not a negation: minus zero is a double.
    'crawl.started': 0 - unstarted,
    ...Object.fromEntries([...skipped].map(([reason, count]) => [`crawl.skipped.${reason}`, count])),
    ...Object.fromEntries([...dropped].map(([reason, count]) => [`crawl.dropped.${reason}`, count])),
    ...Object.fromEntries([...changes].map(([change, count]) => [`crawl.changes.${change}`, count])),
  };
}
