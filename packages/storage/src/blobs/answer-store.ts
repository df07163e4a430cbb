import { findExcess } from '../database/find-excess.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';

/** An answer of a model, which is used again for an equal page, schema and prompt. */
export interface AnswerDocument {
  /** Account and hash of the question. */
  readonly _id: string;
  readonly accountId: string;
  readonly answer: string;
  readonly bytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export const answerSchema = documentSchema<AnswerDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  answer: { type: String, required: true },
  bytes: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
answerSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
answerSchema.index({ accountId: 1, createdAt: -1 });

/** A question of an account: the hash of a page, a schema, a prompt and a model. */
export interface Question {
  readonly accountId: string;
  readonly key: string;
}

/** Store of the answers of models, which the server deletes when they are too old. */
export class AnswerStore {
  readonly #answers: DriverCollection<AnswerDocument>;

  constructor(answers: DriverCollection<AnswerDocument>) {
    this.#answers = answers;
  }

  /** Returns the answer to an equal question of the account, or null. */
  async findAnswer(question: Question, now: Date): Promise<string | null> {
    const found = await this.#answers.findOne({ _id: idOf(question), expiresAt: { $gt: now } });
    return found?.answer ?? null;
  }

  /** Keeps an answer until `expiresAt`. */
  async putAnswer(
    question: Question,
    answer: string,
    { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
  ): Promise<void> {
    const { accountId } = question;
    const bytes = Buffer.byteLength(answer);
    const kept = { accountId, answer, bytes, createdAt: now, expiresAt };
    await this.#answers.updateOne({ _id: idOf(question) }, { $set: kept }, { upsert: true });
  }

  /** Deletes the oldest answers of an account that are over this many bytes. */
  async deleteExcess(accountId: string, quotaBytes: number): Promise<void> {
    const excess = await findExcess(this.#answers, accountId, quotaBytes);
    if (excess.length > 0) await this.#answers.deleteMany({ _id: { $in: excess.map(({ _id }) => _id) } });
  }
}

function idOf({ accountId, key }: Question): string {
  return `${accountId} ${key}`;
}
