import type { Model } from 'mongoose';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema } from '../document-schema.ts';

/** Texts that several URLs of a job have shown, a limited number of each. */
export interface RepeatedTextDocument {
  /** Id of the job. */
  readonly _id: string;
  readonly revision: number;
  readonly texts: readonly RepeatedText[];
  /** Time from which the server may delete it. */
  readonly expiresAt: Date;
}

/** A text, and the first places that showed it. */
export interface RepeatedText {
  readonly hash: string;
  /** Hosts with paths. */
  readonly places: readonly string[];
}

export const repeatedTextSchema = documentSchema<RepeatedTextDocument>({
  _id: { type: String, required: true },
  revision: { type: Number, required: true },
  texts: { type: [{ _id: false, hash: String, places: [String] }], required: true },
  expiresAt: { type: Date, required: true },
});
repeatedTextSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Store of repeated texts; only the job-orchestrator uses it. */
export class RepeatedTextStore {
  readonly #repeatedTexts: Model<RepeatedTextDocument>;

  constructor(repeatedTexts: Model<RepeatedTextDocument>) {
    this.#repeatedTexts = repeatedTexts;
  }

  /** Returns the texts of a job; revision 0 if none is stored. */
  async find(jobId: string): Promise<Pick<RepeatedTextDocument, 'revision' | 'texts'>> {
    const found = await this.#repeatedTexts.findById(jobId).lean();
    return found ? { revision: found.revision, texts: found.texts } : { revision: 0, texts: [] };
  }

  /** Stores texts instead of those of a revision; returns false, changing nothing, if others were stored since. */
  async replace(
    jobId: string,
    { revision, texts, expiresAt }: Omit<RepeatedTextDocument, '_id'>,
  ): Promise<boolean> {
    const next = { revision: revision + 1, texts, expiresAt };
    if (revision > 0) {
      const { matchedCount } = await this.#repeatedTexts.updateOne({ _id: jobId, revision }, { $set: next });
      return matchedCount === 1;
    }
    try {
      await this.#repeatedTexts.create({ _id: jobId, ...next });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Deletes the texts of a job; returns their number of documents. */
  async deleteOf(jobId: string): Promise<number> {
    return (await this.#repeatedTexts.deleteOne({ _id: jobId })).deletedCount;
  }
}
