import { WRITE_CONCERNS } from '../database/connection-options.ts';
import type { DriverCollection } from '../document-schema.ts';
import { pageIdOf } from './page-id.ts';
import { type PageDocument, WITH_RESULT } from './page-model.ts';
import { type StoredPage, toStoredPage } from './stored-page.ts';

/** Batch of pages that are in none yet. */
export const NO_BATCH = 0;

/** Store of the pages of the batches in which results are sent while a job runs. */
export class PageBatches {
  readonly #pages: DriverCollection<PageDocument>;

  constructor(pages: DriverCollection<PageDocument>) {
    this.#pages = pages;
  }

  /** Returns indexes of pages with a result that are in no batch yet, in order. */
  async findUnbatched(jobId: string, limit: number): Promise<number[]> {
    const documents = await this.#pages
      .find({ jobId, resultBatch: NO_BATCH, state: { $in: [...WITH_RESULT] } }, { projection: { index: 1 } })
      .limit(limit)
      .toArray();
    return documents.map(({ index }) => index).toSorted((one, other) => one - other);
  }

  /** Marks pages with the number of their batch, durably; repeating it changes nothing. */
  async markBatch(jobId: string, indexes: readonly number[], batch: number): Promise<void> {
    if (indexes.length === 0) return;
    await this.#pages.updateMany(
      { _id: { $in: indexes.map((index) => pageIdOf(jobId, index)) }, resultBatch: NO_BATCH },
      { $set: { resultBatch: batch } },
      { writeConcern: WRITE_CONCERNS.durable },
    );
  }

  /** Returns the pages that are marked with the number of a batch, in order. */
  async findBatch(jobId: string, batch: number): Promise<StoredPage[]> {
    const documents = await this.#pages.find({ jobId, resultBatch: batch }).toArray();
    return documents.map(toStoredPage).toSorted((one, other) => one.index - other.index);
  }
}
