import type { Failure } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import { confirmWrites } from '../database/confirm-writes.ts';
import type { Database } from '../database/connect-database.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { driverCollection } from '../models.ts';
import { crawlPageOperations } from './crawl-pages.ts';
import { NO_BATCH, pageBatchOperations } from './page-batches.ts';
import { pageIdBounds, pageIdOf } from './page-id.ts';
import { COPY, type CrawledPage, type PageDocument } from './page-model.ts';
import { pageQueries, UNFINISHED } from './page-queries.ts';
import { updatesOf } from './page-updates.ts';
import type { PageEnd } from './stored-page.ts';
import { waitingPlaces } from './waiting-places.ts';

/** URL of a new page. */
export interface NewPage {
  readonly index: number;
  readonly url: string;
  readonly host: string;
  /** Index of the earlier page that is fetched for this URL. */
  readonly copyOf?: number;
  /** Number of later pages that this page is fetched for. */
  readonly copies?: number;
  /** Only of pages of crawls. */
  readonly crawled?: CrawledPage;
}

/** New pages of a job. */
export interface PagesOfJob {
  readonly jobId: string;
  readonly pages: readonly NewPage[];
  /** Their results are sent in batches while the job runs. */
  readonly isBatched?: boolean;
}

export type PageStore = ReturnType<typeof createPageStore>;

const INSERT_CHUNK = 1000;

/**
 * Creates the store of pages; only the job-orchestrator writes it. Claims and ends of attempts are durable: of an attempt
 * whose claim was lost, a later one would have the number and the result.
 */
export function createPageStore({ models }: Pick<Database, 'models'>) {
  const pages = driverCollection(models.pages);
  const confirm = () => confirmWrites(models);
  const insertChunk = guardedInsert(pages, confirm);

  /** Stores the pages of several jobs; existing ones stay as they are. */
  async function insertPagesOfJobs(jobs: readonly PagesOfJob[], expiresAt: Date): Promise<void> {
    const documents = jobs.flatMap(({ jobId, pages: newPages, isBatched }) =>
      newPages.map((page) => ({
        ...toDocument(jobId, page, expiresAt),
        ...(isBatched && page.copyOf === undefined && { resultBatch: NO_BATCH }),
      })),
    );
    for (let start = 0; start < documents.length; start += INSERT_CHUNK) {
      await insertChunk(documents.slice(start, start + INSERT_CHUNK));
    }
  }

  return {
    ...guarded({
      ...pageQueries(pages),
      ...waitingPlaces(pages),
      ...pageWrites(pages),
      ...crawlPageOperations(pages, confirm),
      ...pageBatchOperations(pages),
    }),
    insertPagesOfJobs,

    /** Stores the pages of a job; existing ones stay as they are. */
    async insertPages(jobId: string, pages: readonly NewPage[], expiresAt: Date): Promise<void> {
      await insertPagesOfJobs([{ jobId, pages }], expiresAt);
    },
  };
}

/** Returns an insert whose time limit holds for each chunk of documents, and not for all together. */
function guardedInsert(pages: mongo.Collection<PageDocument>, confirm: () => Promise<void>) {
  const { insertChunk } = guarded({
    async insertChunk(documents: PageDocument[]): Promise<void> {
      try {
        await pages.insertMany(documents, { ordered: false, writeConcern: WRITE_CONCERNS.durable });
      } catch (error) {
        // Pages of an earlier attempt exist already, with the same content.
        if (!isDuplicateKey(error)) throw error;
        await confirm();
      }
    },
  });
  return insertChunk;
}

function pageWrites(pages: mongo.Collection<PageDocument>) {
  return {
    /** Starts the next attempt at each of these pages that is still waiting; returns their number. */
    async claim(ids: readonly string[], deadlineAt: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const { modifiedCount } = await pages.updateMany(
        { _id: { $in: [...ids] }, state: 'waiting' },
        { $set: { state: 'running', deadlineAt }, $inc: { attempt: 1 }, $unset: { notBefore: 1 } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
      return modifiedCount;
    },

    /** Ends attempts, each unless its page is no longer running it; returns the number of ends that took effect. */
    async end(ends: readonly PageEnd[], at: Date): Promise<number> {
      if (ends.length === 0) return 0;
      const { modifiedCount } = await pages.bulkWrite(updatesOf(ends, at), {
        ordered: false,
        writeConcern: WRITE_CONCERNS.durable,
      });
      return modifiedCount;
    },

    /** Fails those of the pages that are waiting; returns their number. */
    async failPages(ids: readonly string[], failure: Failure, at: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const { modifiedCount } = await pages.updateMany(
        { _id: { $in: [...ids] }, state: 'waiting' },
        { $set: { state: 'failed', failure, endedAt: at }, $unset: { notBefore: 1 } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
      return modifiedCount;
    },

    /** Fails every waiting page of a job; returns their number. */
    async failWaiting(jobId: string, failure: Failure, at: Date): Promise<number> {
      const { modifiedCount } = await pages.updateMany(
        { state: 'waiting', jobId },
        { $set: { state: 'failed', failure, endedAt: at }, $unset: { notBefore: 1 } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
      return modifiedCount;
    },

    /** Cancels every page of a job that has not finished. */
    async cancelUnfinished(jobId: string, at: Date): Promise<void> {
      await pages.updateMany(
        { state: { $in: [...UNFINISHED] }, jobId },
        { $set: { state: 'cancelled', endedAt: at }, $unset: { notBefore: 1, deadlineAt: 1 } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
    },

    /** Deletes all pages of a job that was never published. */
    async deletePages(jobId: string): Promise<void> {
      await pages.deleteMany({ _id: pageIdBounds(jobId) });
    },
  };
}

function toDocument(
  jobId: string,
  { index, url, host, copyOf, copies, crawled }: NewPage,
  expiresAt: Date,
): PageDocument {
  return {
    _id: pageIdOf(jobId, index),
    jobId,
    index,
    url,
    host,
    state: copyOf === undefined ? 'waiting' : COPY,
    ...(copyOf !== undefined && { copyOf: pageIdOf(jobId, copyOf) }),
    ...(copies !== undefined && { copies }),
    ...(crawled && { crawled }),
    attempt: 0,
    failures: 0,
    losses: 0,
    overdues: 0,
    expiresAt,
  };
}
