import type { Model } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { bounded } from '../database/guarded.ts';
import { documentSchema } from '../document-schema.ts';
import { pageIdBounds, pageIdOf } from '../pages/page-id.ts';

/**
 * One change found by a run, as the JSON text of the API. Its id consists of the job's id and its place, like
 * the id of a page, so changes are read in order and in parts. Changes are written before the job finishes.
 */
export interface ChangeDocument {
  readonly _id: string;
  readonly json: string;
  readonly expiresAt: Date;
}

export const changeSchema = documentSchema<ChangeDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
changeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const CHUNK = 200;

/** Store of the changes that runs found; only the job-orchestrator writes it. */
export class ChangeStore {
  readonly #changes: Model<ChangeDocument>;

  constructor(changes: Model<ChangeDocument>) {
    this.#changes = changes;
  }

  /** Replaces the changes of a job, durably, a few at a time; can be repeated, and by several processes at once. */
  async put(jobId: string, texts: readonly string[], expiresAt: Date): Promise<void> {
    for (let first = 0; first < texts.length; first += CHUNK) {
      const operations = texts.slice(first, first + CHUNK).map((json, index) => ({
        updateOne: {
          filter: { _id: pageIdOf(jobId, first + index) },
          update: { $set: { json, expiresAt } },
          upsert: true,
        },
      }));
      await bounded(() =>
        this.#changes.bulkWrite(operations, { ordered: false, writeConcern: WRITE_CONCERNS.durable }),
      );
    }
    const { $lt } = pageIdBounds(jobId);
    await bounded(() =>
      this.#changes.deleteMany({ _id: { $gte: pageIdOf(jobId, texts.length), $lt } }).exec(),
    );
  }

  /** Returns a part of the changes of a job as JSON texts, in order. */
  async find(
    jobId: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<string[]> {
    const { $lt } = pageIdBounds(jobId);
    const documents = await bounded(() =>
      this.#changes
        .find({ _id: { $gte: pageIdOf(jobId, offset), $lt } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean()
        .exec(),
    );
    return documents.map(({ json }) => json);
  }
}
