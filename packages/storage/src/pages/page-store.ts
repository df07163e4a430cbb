import type { CreditsBreakdown, Failure } from '@gleaner/contracts';
import type { Database } from '../database/connect-database.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { PAGE_STATES, type PageDocument, type PageState, pageIdBounds, pageIdOf } from './page-model.ts';
import { updatesOf } from './page-updates.ts';

/** A page as it is stored, under its id. */
export type StoredPage = Omit<PageDocument, '_id' | 'expiresAt'> & { readonly id: string };

/** One URL of a job, as it is given. */
export interface NewPage {
  readonly index: number;
  readonly url: string;
  readonly host: string;
}

/** The URLs of a job. */
export interface PagesOfJob {
  readonly jobId: string;
  readonly pages: readonly NewPage[];
}

/** One try at a page. */
export interface PageAttempt {
  readonly id: string;
  readonly attempt: number;
}

/** What becomes of a running page when its try is over. */
export type PageEnd = PageAttempt &
  (
    | { readonly state: 'succeeded'; readonly price: CreditsBreakdown }
    | { readonly state: 'failed'; readonly failure: Failure }
    | {
        readonly state: 'waiting';
        readonly notBefore: Date;
        /** Which count the try adds to. */
        readonly because: 'failures' | 'losses' | 'overdues' | 'unsent';
        readonly failure?: Failure;
      }
  );

/** Which waiting pages of a job to find. */
export interface WaitingFilter {
  readonly limit: number;
  /** Those that may be dispatched by then. */
  readonly dueBy: Date;
  /** Hosts whose pages would only be in the way now. */
  readonly exceptHosts: readonly string[];
}

/** How many pages of a job are in each state. */
export type PageCounts = Readonly<Record<PageState, number>>;

export type PageStore = ReturnType<typeof createPageStore>;

const UNENDED = ['waiting', 'running'] as const satisfies PageState[];
const ENDED = ['succeeded', 'failed', 'cancelled'] as const satisfies PageState[];
const INSERT_CHUNK = 1000;
/** Nobody waits for more of them at once. */
const MAX_RUNNING_READ = 20_000;

/** Pages; written by the job-orchestrator alone. Ends are durable; claims are not, since a lost one is only done again. */
export function createPageStore({ models }: Pick<Database, 'models'>) {
  const pages = driverCollection(models.pages);

  async function insertChunk(documents: PageDocument[]): Promise<void> {
    try {
      await pages.insertMany(documents, { ordered: false, writeConcern: WRITE_CONCERNS.durable });
    } catch (error) {
      // Those of an earlier try are there already, and the same.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  const store = guarded({
    insertChunk,

    /** Waiting pages of a job in the order of its URLs. */
    async findWaiting(jobId: string, { limit, dueBy, exceptHosts }: WaitingFilter): Promise<StoredPage[]> {
      const documents = await pages
        .find({
          state: 'waiting',
          jobId,
          $or: [{ notBefore: { $exists: false } }, { notBefore: { $lte: dueBy } }],
          ...(exceptHosts.length > 0 && { host: { $nin: [...exceptHosts] } }),
        })
        .sort({ index: 1 })
        .limit(limit)
        .toArray();
      return documents.map(toStored);
    },

    /** Starts another try at each of these waiting pages; how many were still waiting. */
    async claim(ids: readonly string[], deadlineAt: Date): Promise<number> {
      const { modifiedCount } = await pages.updateMany(
        { _id: { $in: [...ids] }, state: 'waiting' },
        { $set: { state: 'running', deadlineAt }, $inc: { attempt: 1 }, $unset: { notBefore: 1 } },
        { writeConcern: WRITE_CONCERNS.counter },
      );
      return modifiedCount;
    },

    /** Ends these tries, each unless the page has gone on or ended without it; how many took effect. */
    async end(ends: readonly PageEnd[], at: Date): Promise<number> {
      if (ends.length === 0) return 0;
      const { modifiedCount } = await pages.bulkWrite(updatesOf(ends, at), {
        ordered: false,
        writeConcern: WRITE_CONCERNS.durable,
      });
      return modifiedCount;
    },

    /** The pages with these ids, in no order. */
    async findPages(ids: readonly string[]): Promise<StoredPage[]> {
      const documents = await pages.find({ _id: { $in: [...ids] } }).toArray();
      return documents.map(toStored);
    },

    /** Pages that are with a worker, or on their way. */
    async findRunning(): Promise<Pick<StoredPage, 'id' | 'jobId' | 'host' | 'losses'>[]> {
      const documents = await pages
        .find({ state: 'running' }, { projection: { jobId: 1, host: 1, losses: 1 } })
        .limit(MAX_RUNNING_READ)
        .toArray();
      return documents.map(({ _id, jobId, host, losses }) => ({ id: _id, jobId, host, losses }));
    },

    /** Running pages of which something should have been heard by now. */
    async findOverdue(now: Date, limit: number): Promise<StoredPage[]> {
      const documents = await pages
        .find({ state: 'running', deadlineAt: { $lte: now } })
        .limit(limit)
        .toArray();
      return documents.map(toStored);
    },

    /** Fails every page of a job that is not with a worker; how many. */
    async failWaiting(jobId: string, failure: Failure, at: Date): Promise<number> {
      const { modifiedCount } = await pages.updateMany(
        { state: 'waiting', jobId },
        { $set: { state: 'failed', failure, endedAt: at }, $unset: { notBefore: 1 } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
      return modifiedCount;
    },

    /** Cancels every page of a job that has not ended. */
    async cancelUnended(jobId: string, at: Date): Promise<void> {
      await pages.updateMany(
        { state: { $in: [...UNENDED] }, jobId },
        { $set: { state: 'cancelled', endedAt: at }, $unset: { notBefore: 1, deadlineAt: 1 } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
    },

    /** Whether a page of a job waits or is with a worker; a look at the index, however large the job. */
    async hasUnended(jobId: string): Promise<boolean> {
      const unended = { state: { $in: [...UNENDED] }, jobId };
      return (await pages.findOne(unended, { projection: { _id: 1 } })) !== null;
    },

    /** How many pages of a job are in each state; with `endedBefore` only of those that had ended by then. */
    async countPages(jobId: string, endedBefore?: Date): Promise<PageCounts> {
      const counted = endedBefore
        ? { state: { $in: [...ENDED] }, jobId, endedAt: { $lt: endedBefore } }
        : { state: { $in: [...PAGE_STATES] }, jobId };
      const rows = await pages
        .aggregate<{ _id: PageState; count: number }>([
          { $match: counted },
          { $group: { _id: '$state', count: { $sum: 1 } } },
        ])
        .toArray();
      const none = Object.fromEntries(PAGE_STATES.map((state) => [state, 0])) as Record<PageState, number>;
      return { ...none, ...Object.fromEntries(rows.map(({ _id, count }) => [_id, count])) };
    },

    /** Pages of a job that have ended by themselves, in order, after this id; at most so many. */
    async findProcessed(
      jobId: string,
      { afterId = '', limit, skip = 0 }: { afterId?: string; limit: number; skip?: number },
    ): Promise<StoredPage[]> {
      const { $gte, $lt } = pageIdBounds(jobId);
      const after = afterId === '' ? { $gte, $lt } : { $gt: afterId, $lt };
      const documents = await pages
        .find({ _id: after, state: { $in: ['succeeded', 'failed'] } })
        .sort({ _id: 1 })
        .skip(skip)
        .limit(limit)
        .toArray();
      return documents.map(toStored);
    },

    /** Forgets all pages of a job that was never published. */
    async deletePages(jobId: string): Promise<void> {
      await pages.deleteMany({ _id: pageIdBounds(jobId) });
    },
  });

  /** Stores the pages of several jobs, as if each were stored alone. */
  async function insertPagesOfJobs(jobs: readonly PagesOfJob[], expiresAt: Date): Promise<void> {
    const documents = jobs.flatMap(({ jobId, pages: newPages }) =>
      newPages.map((page) => toDocument(jobId, page, expiresAt)),
    );
    for (let start = 0; start < documents.length; start += INSERT_CHUNK) {
      await store.insertChunk(documents.slice(start, start + INSERT_CHUNK));
    }
  }

  return {
    ...store,
    insertPagesOfJobs,
    /** Stores the pages of a job, durably; those that are there already stay as they are. */
    async insertPages(jobId: string, pages: readonly NewPage[], expiresAt: Date): Promise<void> {
      await insertPagesOfJobs([{ jobId, pages }], expiresAt);
    },
  };
}

function toDocument(jobId: string, { index, url, host }: NewPage, expiresAt: Date): PageDocument {
  return {
    _id: pageIdOf(jobId, index),
    jobId,
    index,
    url,
    host,
    state: 'waiting',
    attempt: 0,
    failures: 0,
    losses: 0,
    overdues: 0,
    expiresAt,
  };
}

function toStored({ _id, expiresAt: _expiresAt, ...rest }: PageDocument): StoredPage {
  return { id: _id, ...rest };
}
