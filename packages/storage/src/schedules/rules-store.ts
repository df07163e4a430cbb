import type { RuleReport } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema } from '../document-schema.ts';

/** Knowledge of the rules of a schedule about its records, of bounded size. */
export interface RulesDocument {
  /** Id of the schedule. */
  readonly _id: string;
  readonly accountId: string;
  /** Rises with every run that is judged. */
  readonly revision: number;
  /** State for judging the next runs, read by the orchestrator only. */
  readonly stateJson: string;
  /** A `RulesReport`. */
  readonly reportJson: string;
  /** Time from which the server may delete it: no run has been judged for long. */
  readonly expiresAt: Date;
}

export const rulesSchema = documentSchema<RulesDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  revision: { type: Number, required: true },
  stateJson: { type: String, required: true },
  reportJson: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
rulesSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Messages of the rules of a schedule so far, as they are shown. */
export interface RulesReport {
  readonly rules: readonly RuleReport[];
  readonly records: number;
  readonly omitted: number;
}

/** Stored knowledge of the rules of a schedule. */
export type StoredRules = Omit<RulesDocument, '_id' | 'expiresAt'> & { readonly scheduleId: string };

/** Store of what the rules of schedules know; only the job-orchestrator writes it. */
export class RulesStore {
  readonly #rules: Model<RulesDocument>;

  constructor(rules: Model<RulesDocument>) {
    this.#rules = rules;
  }

  /** Returns what the rules of a schedule know, or null if none of its runs was judged. */
  async findRules(scheduleId: string): Promise<StoredRules | null> {
    const document = await this.#rules.findById(scheduleId).lean();
    if (!document) return null;
    const { _id, expiresAt: _expiresAt, ...fields } = document;
    return { scheduleId: _id, ...fields };
  }

  /** Returns what the rules of a schedule have told, as JSON. */
  async findReport(scheduleId: string): Promise<string | undefined> {
    return (await this.#rules.findById(scheduleId, { reportJson: 1 }).lean())?.reportJson;
  }

  /** Stores what follows the knowledge of this revision, durably. Returns false, changing nothing, if another run was judged since. */
  async replaceRules(
    { scheduleId, ...fields }: StoredRules,
    before: number | undefined,
    expiresAt: Date,
  ): Promise<boolean> {
    if (before !== undefined) {
      const { matchedCount } = await this.#rules.updateOne(
        { _id: scheduleId, revision: before },
        { $set: { ...fields, expiresAt } },
      );
      return matchedCount === 1;
    }
    try {
      await this.#rules.create({ _id: scheduleId, ...fields, expiresAt });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
