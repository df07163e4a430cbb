import type { Failure } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import { confirmWrites } from '../database/confirm-writes.ts';
import type { Database } from '../database/connect-database.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { deleteSome } from '../database/delete-some.ts';
import { guarded } from '../database/guarded.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { driverCollection } from '../document-schema.ts';
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
  /** Method and body, as JSON, where each URL of the job has its own. */
  readonly requestJson?: string;
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

/** Others wait for the database no longer than one of these takes. */
const INSERT_CHUNK = 100;

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
    let documents: PageDocument[] = [];
    for (const { jobId, pages: newPages, isBatched } of jobs) {
      for (const page of newPages) {
        const isInBatch = isBatched && page.copyOf === undefined;
        const document = toDocument(jobId, page, expiresAt);
        documents.push(isInBatch ? { ...document, resultBatch: NO_BATCH } : document);
        if (documents.length < INSERT_CHUNK) continue;
        await insertChunk(documents);
        documents = [];
      }
    }
    if (documents.length > 0) await insertChunk(documents);
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
  /** Updates up to this many of the pages, durably, each while it is in one of the states; returns the number that it came upon. */
  async function updateSome(
    filter: Pick<mongo.Filter<PageDocument>, 'state' | 'jobId'>,
    most: number,
    update: mongo.UpdateFilter<PageDocument>,
  ): Promise<number> {
    const found = await pages
      .find(filter, { projection: { _id: 1 } })
      .limit(most)
      .toArray();
    if (found.length === 0) return 0;
    const ids = found.map(({ _id }) => _id);
    const options = { writeConcern: WRITE_CONCERNS.durable };
    await pages.updateMany({ ...filter, _id: { $in: ids } }, update, options);
    return ids.length;
  }

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

    /** Fails up to this many waiting pages of a job; returns the number of those that it came upon. */
    async failSome(
      jobId: string,
      most: number,
      { failure, at }: { readonly failure: Failure; readonly at: Date },
    ) {
      const update = {
        $set: { state: 'failed' as const, failure, endedAt: at },
        $unset: { notBefore: 1 as const },
      };
      return await updateSome({ state: 'waiting', jobId }, most, update);
    },

    /** Cancels up to this many pages of a job that have not finished; returns the number of those that it came upon. */
    async cancelSome(jobId: string, most: number, at: Date): Promise<number> {
      return await updateSome({ state: { $in: [...UNFINISHED] }, jobId }, most, cancellation(at));
    },

    /** Cancels up to this many pages of a job that are at work. */
    async cancelRunning(jobId: string, most: number, at: Date): Promise<void> {
      await updateSome({ state: 'running', jobId }, most, cancellation(at));
    },

    /** Deletes up to this many pages of a job; returns their number. */
    async deleteSome(jobId: string, most: number): Promise<number> {
      return await deleteSome(pages, { _id: pageIdBounds(jobId) }, most);
    },
  };
}

function cancellation(at: Date) {
  return {
    $set: { state: 'cancelled' as const, endedAt: at },
    $unset: { notBefore: 1 as const, deadlineAt: 1 as const },
  };
}

function toDocument(
  jobId: string,
  { index, url, host, requestJson, copyOf, copies, crawled }: NewPage,
  expiresAt: Date,
): PageDocument {
  return {
    _id: pageIdOf(jobId, index),
    jobId,
    index,
    url,
    host,
    ...(requestJson !== undefined && { requestJson }),
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
