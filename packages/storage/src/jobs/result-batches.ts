import type { DriverCollection } from '../document-schema.ts';
import type { JobDocument, UnsentEvent } from './job-model.ts';
import { type StoredJob, toStoredJob } from './stored-job.ts';

/** A batch of results to be added to a job. */
export interface NewResultBatch {
  /** One more than the number of batches that the job has. */
  readonly number: number;
  /** Indexes of its pages. */
  readonly indexes: readonly number[];
  readonly event: UnsentEvent;
}

/** Store of the batches in which results are sent while a job runs. */
export class ResultBatches {
  readonly #jobs: DriverCollection<JobDocument>;

  constructor(jobs: DriverCollection<JobDocument>) {
    this.#jobs = jobs;
  }

  /** Claims the job with the longest overdue batch until `nextDueAt`, or returns null. */
  async claimBatching(now: Date, nextDueAt: Date): Promise<StoredJob | null> {
    const document = await this.#jobs.findOneAndUpdate(
      { 'resultBatches.dueAt': { $lte: now } },
      { $set: { 'resultBatches.dueAt': nextDueAt } },
      { sort: { 'resultBatches.dueAt': 1 }, returnDocument: 'after' },
    );
    return document && toStoredJob(document);
  }

  /**
   * Adds a batch and its event in one write; returns null, changing nothing, if the job has another number of batches by
   * now or has finished. The pages of the batch before must be marked with its number by then.
   */
  async addBatch(id: string, { number, indexes, event }: NewResultBatch): Promise<StoredJob | null> {
    const document = await this.#jobs.findOneAndUpdate(
      { _id: id, completedAt: { $exists: false }, 'resultBatches.count': number - 1 },
      {
        $set: { 'resultBatches.count': number, 'resultBatches.last': [...indexes] },
        $push: { events: event },
      },
      { returnDocument: 'after' },
    );
    return document && toStoredJob(document);
  }

  /** Marks a finished job as having no further batches. */
  async endBatching(id: string): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, completedAt: { $exists: true } },
      { $unset: { 'resultBatches.dueAt': 1 } },
    );
  }
}
