import type { mongo } from 'mongoose';
import { PAGE_STATES, type PageDocument, type PageState, pageIdBounds } from './page-model.ts';
import { type StoredPage, toStoredPage } from './stored-page.ts';

/** Filter of waiting pages. */
export interface WaitingFilter {
  readonly limit: number;
  /** Only pages that may be dispatched by this time. */
  readonly dueBy: Date;
  /** Hosts whose pages are left out. */
  readonly exceptHosts: readonly string[];
}

/** Number of pages of a job in each state. */
export type PageCounts = Readonly<Record<PageState, number>>;

/** States of a page that has not finished. */
export const UNFINISHED = ['waiting', 'running'] as const satisfies PageState[];
const FINISHED = ['succeeded', 'failed', 'cancelled'] as const satisfies PageState[];
/** Bound of one read, above the number of pages that run at once. */
const MAX_RUNNING_READ = 20_000;

/** Returns the operations of the page store that read. */
export function pageQueries(pages: mongo.Collection<PageDocument>) {
  return {
    ...dispatchQueries(pages),
    ...jobQueries(pages),

    /** Returns the pages with these ids, in no particular order. */
    async findPages(ids: readonly string[]): Promise<StoredPage[]> {
      const documents = await pages.find({ _id: { $in: [...ids] } }).toArray();
      return documents.map(toStoredPage);
    },
  };
}

function dispatchQueries(pages: mongo.Collection<PageDocument>) {
  return {
    /** Returns waiting pages of jobs, job by job in the order of their URLs; the limit is for all jobs together. */
    async findWaiting(
      jobIds: readonly string[],
      { limit, dueBy, exceptHosts }: WaitingFilter,
    ): Promise<StoredPage[]> {
      const documents = await pages
        .find({
          state: 'waiting',
          jobId: { $in: [...jobIds] },
          $or: [{ notBefore: { $exists: false } }, { notBefore: { $lte: dueBy } }],
          ...(exceptHosts.length > 0 && { host: { $nin: [...exceptHosts] } }),
        })
        .sort({ jobId: 1, index: 1 })
        .limit(limit)
        .toArray();
      return documents.map(toStoredPage);
    },

    /** Returns pages that a worker has, or that are on their way to one. */
    async findRunning(): Promise<Pick<StoredPage, 'id' | 'jobId' | 'host' | 'losses'>[]> {
      const documents = await pages
        .find({ state: 'running' }, { projection: { jobId: 1, host: 1, losses: 1 } })
        .limit(MAX_RUNNING_READ)
        .toArray();
      return documents.map(({ _id, jobId, host, losses }) => ({ id: _id, jobId, host, losses }));
    },

    /** Returns running pages whose deadline has passed. */
    async findOverdue(now: Date, limit: number): Promise<StoredPage[]> {
      const documents = await pages
        .find({ state: 'running', deadlineAt: { $lte: now } })
        .limit(limit)
        .toArray();
      return documents.map(toStoredPage);
    },
  };
}

function jobQueries(pages: mongo.Collection<PageDocument>) {
  return {
    /** Returns whether a page of a job has not finished: one look at the index, however large the job. */
    async hasUnfinished(jobId: string): Promise<boolean> {
      const unfinished = { state: { $in: [...UNFINISHED] }, jobId };
      return (await pages.findOne(unfinished, { projection: { _id: 1 } })) !== null;
    },

    /** Returns the number of pages of a job in each state; with `endedBefore`, only of pages finished before it. */
    async countPages(jobId: string, endedBefore?: Date): Promise<PageCounts> {
      const counted = endedBefore
        ? { state: { $in: [...FINISHED] }, jobId, endedAt: { $lt: endedBefore } }
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

    /** Returns succeeded and failed pages of a job in order, after the page with this id. */
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
      return documents.map(toStoredPage);
    },
  };
}
