import { HEARTBEAT_VALID_MS, type Heartbeat, type InstanceFacts } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { Schema } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { documentSchema } from '../document-schema.ts';

/** Last heartbeat of one process; `_id` is the id of its run. */
export interface InstanceDocument {
  readonly _id: string;
  readonly service: string;
  readonly name: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly facts: InstanceFacts;
  /** Time from which the process counts as gone, and the server may delete the record. */
  readonly expiresAt: Date;
}

export const instanceSchema = documentSchema<InstanceDocument>(
  {
    _id: { type: String, required: true },
    service: { type: String, required: true },
    name: { type: String, required: true },
    version: { type: String, required: true },
    startedAt: { type: Date, required: true },
    seenAt: { type: Date, required: true },
    facts: { type: Schema.Types.Mixed, required: true },
    expiresAt: { type: Date, required: true },
  },
  { minimize: false },
);
instanceSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A process that sent a heartbeat a short time ago. */
export type StoredInstance = Omit<InstanceDocument, '_id' | 'expiresAt'> & { readonly id: string };

/** Processes that one call returns at most. */
const MAX_LISTED = 1000;

/** Store of the processes that run; only the gateway writes it. */
export class InstanceStore {
  readonly #instances: Model<InstanceDocument>;

  constructor(instances: Model<InstanceDocument>) {
    this.#instances = instances;
  }

  /** Stores a heartbeat; the last one of a process removes its record. */
  async noteHeartbeat({ id, isLast, startedAt, ...rest }: Heartbeat, now: Date): Promise<void> {
    if (isLast) {
      await this.#instances.deleteOne({ _id: id }, { writeConcern: WRITE_CONCERNS.counter });
      return;
    }
    const { service, name, version, facts } = rest;
    const expiresAt = new Date(now.getTime() + HEARTBEAT_VALID_MS);
    const fields = {
      service,
      name,
      version,
      facts,
      startedAt: new Date(startedAt),
      seenAt: now,
      expiresAt,
    };
    await this.#instances.updateOne(
      { _id: id },
      { $set: fields },
      { upsert: true, writeConcern: WRITE_CONCERNS.counter },
    );
  }

  /** Returns the processes whose last heartbeat is recent, by service and name. */
  async listInstances(now: Date): Promise<StoredInstance[]> {
    const found = await this.#instances
      .find({ expiresAt: { $gt: now } })
      .sort({ service: 1, name: 1, _id: 1 })
      .limit(MAX_LISTED)
      .lean();
    return found.map(({ _id, expiresAt: _, ...fields }) => ({ id: _id, ...fields }));
  }
}
