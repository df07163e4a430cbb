import type { FieldHealth, HealthState } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema } from '../document-schema.ts';

/**
 * Health of a schedule: what its fields returned in its last runs, as the job-orchestrator has judged it. Fields have free
 * names, so the whole is JSON text, of bounded size.
 */
export interface HealthDocument {
  /** Id of the schedule. */
  readonly _id: string;
  readonly accountId: string;
  /** Rises with every run that is judged. */
  readonly revision: number;
  readonly health: HealthState;
  /** URLs of the pages that the next run is to keep. */
  readonly evidenceUrls: readonly string[];
  /** State for judging the next runs, read by the orchestrator only. */
  readonly stateJson: string;
  /** Health as it is shown, a `HealthReport`. */
  readonly reportJson: string;
  /** Time from which the server may delete it: no run has been judged for long. */
  readonly expiresAt: Date;
}

export const healthSchema = documentSchema<HealthDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  revision: { type: Number, required: true },
  health: { type: String, required: true },
  evidenceUrls: { type: [String], required: true },
  stateJson: { type: String, required: true },
  reportJson: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
healthSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A page with the values of a schedule's fields as evidence. */
export interface EvidencePage {
  readonly url: string;
  readonly snapshotId: string;
  readonly at: string;
}

/** Health of a schedule as it is shown. */
export interface HealthReport {
  readonly runs: number;
  readonly lastJobId: string;
  readonly fields: readonly FieldHealth[];
  /** The last pages without a low field, and the first ones with one. */
  readonly good: readonly EvidencePage[];
  readonly bad: readonly EvidencePage[];
}

/** Stored health of a schedule. */
export type StoredHealth = Omit<HealthDocument, '_id' | 'expiresAt'> & { readonly scheduleId: string };

/** Store of the health of schedules; only the job-orchestrator writes it. */
export class HealthStore {
  readonly #health: Model<HealthDocument>;

  constructor(health: Model<HealthDocument>) {
    this.#health = health;
  }

  /** Returns the health of a schedule, or null if none of its runs was judged. */
  async findHealth(scheduleId: string): Promise<StoredHealth | null> {
    const document = await this.#health.findById(scheduleId).lean();
    return document && toStored(document);
  }

  /** Returns the states of schedules that have one. */
  async findStates(scheduleIds: readonly string[]): Promise<ReadonlyMap<string, HealthState>> {
    if (scheduleIds.length === 0) return new Map();
    const found = await this.#health.find({ _id: { $in: [...scheduleIds] } }, { health: 1 }).lean();
    return new Map(found.map(({ _id, health: state }) => [_id, state]));
  }

  /** Returns the URLs of the pages that the next runs of schedules are to keep. */
  async findEvidenceUrls(scheduleIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    if (scheduleIds.length === 0) return new Map();
    const found = await this.#health.find({ _id: { $in: [...scheduleIds] } }, { evidenceUrls: 1 }).lean();
    return new Map(found.map(({ _id, evidenceUrls }) => [_id, evidenceUrls]));
  }

  /**
   * Stores what follows the health of this revision, durably; the first has the revision 0. Returns false, changing
   * nothing, if another run was judged since it was read.
   */
  async replaceHealth(
    { scheduleId, ...fields }: StoredHealth,
    before: number | undefined,
    expiresAt: Date,
  ): Promise<boolean> {
    if (before === undefined) {
      try {
        await this.#health.create({ _id: scheduleId, ...fields, expiresAt });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    }
    const { matchedCount } = await this.#health.updateOne(
      { _id: scheduleId, revision: before },
      { $set: { ...fields, expiresAt } },
    );
    return matchedCount === 1;
  }
}

function toStored({ _id: scheduleId, expiresAt: _expiresAt, ...fields }: HealthDocument): StoredHealth {
  return { scheduleId, ...fields };
}
