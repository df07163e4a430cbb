import type { mongo } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { pageIdOf } from './page-id.ts';
import { type PageDocument, WITH_RESULT } from './page-model.ts';
import { type StoredPage, toStoredPage } from './stored-page.ts';

/** Batch of pages that are in none yet. */
export const NO_BATCH = 0;

/** Returns the operations of the page store on the batches in which results are sent while a job runs. */
export function pageBatchOperations(pages: mongo.Collection<PageDocument>) {
  return {
    /** Returns indexes of pages with a result that are in no batch yet, in order. */
    async findUnbatched(jobId: string, limit: number): Promise<number[]> {
      const documents = await pages
        .find(
          { jobId, resultBatch: NO_BATCH, state: { $in: [...WITH_RESULT] } },
          { projection: { index: 1 } },
        )
        .limit(limit)
        .toArray();
      return documents.map(({ index }) => index).toSorted((one, other) => one - other);
    },

    /** Marks pages with the number of their batch, durably; repeating it changes nothing. */
    async markBatch(jobId: string, indexes: readonly number[], batch: number): Promise<void> {
      if (indexes.length === 0) return;
      await pages.updateMany(
        { _id: { $in: indexes.map((index) => pageIdOf(jobId, index)) }, resultBatch: NO_BATCH },
        { $set: { resultBatch: batch } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
    },

    /** Returns the pages that are marked with the number of a batch, in order. */
    async findBatch(jobId: string, batch: number): Promise<StoredPage[]> {
      const documents = await pages.find({ jobId, resultBatch: batch }).toArray();
      return documents.map(toStoredPage).toSorted((one, other) => one.index - other.index);
    },
  };
}
