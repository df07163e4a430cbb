import type { JobState } from '@gleaner/contracts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import type { Page } from '../keys/key-store.ts';
import { draftOperations } from './job-drafts.ts';
import type { JobDocument, UnsentEvent } from './job-model.ts';
import { type StoredJob, toStoredJob } from './stored-job.ts';

/** A change of state: it happens only from one of these states, and its event is stored with it. */
export interface Transition {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly set: Partial<Pick<JobDocument, Counter | 'startedAt' | 'completedAt' | 'expiresAt'>>;
  readonly event: UnsentEvent;
}

type Counter = 'completedUrls' | 'failedUrls' | 'creditsUsed';

/** How far a job has come. */
export type JobCounters = Readonly<Record<Counter, number>>;

/** Which jobs to list. */
export interface JobFilter extends Page {
  readonly status?: JobState | undefined;
  /** Only runs of this schedule. */
  readonly scheduleId?: string | undefined;
}

/** One run of a schedule. */
export interface RunOfSchedule {
  readonly accountId: string;
  readonly scheduleId: string;
  readonly jobId: string;
}

export type JobStore = ReturnType<typeof createJobStore>;

/** Jobs; written by the job-orchestrator alone. Every write survives a crash of the database. */
export function createJobStore({ models }: Pick<Database, 'models'>) {
  const jobs = driverCollection(models.jobs);

  return guarded({
    ...draftOperations(jobs),

    /** The account's job, or null. */
    async findJob(accountId: string, id: string): Promise<StoredJob | null> {
      const document = await jobs.findOne({
        _id: { $eq: id },
        accountId: { $eq: accountId },
        status: { $ne: 'draft' },
      });
      return document && toStoredJob(document);
    },

    /** The jobs with these ids, in no order; those that are gone are left out. */
    async findJobs(ids: readonly string[]): Promise<StoredJob[]> {
      const documents = await jobs.find({ _id: { $in: [...ids] } }).toArray();
      return documents.map(toStoredJob);
    },

    /** The account's jobs, newest first, and how many there are in all. */
    async listJobs(
      accountId: string,
      { status, scheduleId, limit, offset }: JobFilter,
    ): Promise<{ jobs: StoredJob[]; total: number }> {
      const filter = {
        accountId: { $eq: accountId },
        status: status ? { $eq: status } : { $in: SHOWN },
        ...(scheduleId !== undefined && { scheduleId: { $eq: scheduleId } }),
      };
      const [documents, total] = await Promise.all([
        jobs.find(filter).sort({ _id: -1 }).skip(offset).limit(limit).toArray(),
        jobs.countDocuments(filter),
      ]);
      return { jobs: documents.map(toStoredJob), total };
    },

    /** The schedule's last run before this one that succeeded, or null. */
    async findRunBefore({ accountId, scheduleId, jobId }: RunOfSchedule): Promise<StoredJob | null> {
      const [document] = await jobs
        .find({ accountId, scheduleId, status: 'completed', _id: { $lt: jobId } })
        .sort({ _id: -1 })
        .limit(1)
        .toArray();
      return document ? toStoredJob(document) : null;
    },

    /** Jobs that pages may be dispatched of, oldest first. */
    async findActive(limit: number): Promise<StoredJob[]> {
      const active = {
        checkedAt: { $gt: EPOCH },
        status: { $in: ACTIVE },
        cancelRequestedAt: { $exists: false },
      };
      const documents = await jobs.find(active).sort({ _id: 1 }).limit(limit).toArray();
      return documents.map(toStoredJob);
    },

    /** Changes the state, unless the job has left the states that it may change from; null then. */
    async transition(id: string, { from, to, set, event }: Transition): Promise<StoredJob | null> {
      const document = await jobs.findOneAndUpdate(
        { _id: id, status: { $in: [...from] } },
        { $set: { ...set, status: to }, $push: { events: event } },
        { returnDocument: 'after' },
      );
      return document && toStoredJob(document);
    },

    /** Notes that the job shall end early, unless it has ended; the job as it is then, or null where there is none. */
    async requestCancel(accountId: string, id: string, at: Date): Promise<StoredJob | null> {
      const document = await jobs.findOneAndUpdate(
        { _id: { $eq: id }, accountId: { $eq: accountId }, status: { $in: ACTIVE } },
        // $min keeps the first time: a field that is not there takes the value.
        { $min: { cancelRequestedAt: at } },
        { returnDocument: 'after' },
      );
      if (document) return toStoredJob(document);
      const ended = await jobs.findOne({
        _id: { $eq: id },
        accountId: { $eq: accountId },
        status: { $ne: 'draft' },
      });
      return ended && toStoredJob(ended);
    },

    /** Counts pages that have just ended; the job after it, or null when it has ended or is gone. */
    async countEnded(id: string, counters: JobCounters): Promise<StoredJob | null> {
      const document = await jobs.findOneAndUpdate(
        { _id: id, status: { $in: ACTIVE } },
        { $inc: { ...counters } },
        { returnDocument: 'after' },
      );
      return document && toStoredJob(document);
    },

    /** Corrects the counters of a job that goes on by what a recount found; they never fall. */
    async raiseCounters(id: string, counters: JobCounters, recountedAt: Date): Promise<void> {
      const update = { $max: { ...counters }, $set: { recountedAt } };
      await jobs.updateOne({ _id: id, status: { $in: ACTIVE } }, update);
    },

    /** Takes the open job that nobody has checked since then, so that nobody else checks it now; or null. */
    async takeUnchecked(
      since: Date,
      now: Date,
    ): Promise<(Omit<StoredJob, 'status'> & { status: JobDocument['status'] }) | null> {
      const document = await jobs.findOneAndUpdate(
        { checkedAt: { $lte: since } },
        { $set: { checkedAt: now } },
        { sort: { checkedAt: 1 }, returnDocument: 'after' },
      );
      return document && { ...toStoredJob(document), status: document.status };
    },

    /** Forgets events that the broker has. */
    async confirmEvents(id: string, eventIds: readonly string[]): Promise<void> {
      await jobs.updateOne({ _id: id }, { $pull: { events: { id: { $in: [...eventIds] } } } });
    },

    /** Says that nothing is left to do for a job, unless an event is still to be sent. */
    async close(id: string): Promise<void> {
      await jobs.updateOne(
        { _id: id, status: { $nin: ['draft', ...ACTIVE] }, events: { $size: 0 } },
        { $unset: { checkedAt: 1 } },
      );
    },
  });
}

const EPOCH = new Date(0);
const ACTIVE: JobDocument['status'][] = ['pending', 'running'];
const SHOWN: JobDocument['status'][] = [...ACTIVE, 'completed', 'partial', 'failed', 'cancelled'];
