import type { Model } from 'mongoose';
import type { Clock } from '../database/database-clock.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema } from '../document-schema.ts';

/** Role held by one process until a time that it may extend. */
export interface LeaseDocument {
  readonly _id: string;
  readonly owner: string;
  readonly until: Date;
  /** Values that the holder measured last, for every process to show. */
  readonly readings?: LeaseReadings;
}

/** Values that the holder of a role has measured. */
interface LeaseReadings {
  readonly at: Date;
  readonly values: Readonly<Record<string, number>>;
}

export const leaseSchema = documentSchema<LeaseDocument>({
  _id: { type: String, required: true },
  owner: { type: String, required: true },
  until: { type: Date, required: true },
  readings: { _id: false, type: { at: Date, values: { type: Map, of: Number } }, required: false },
});

/** Request of a process for a role, from now on for a time. */
export interface LeaseRequest {
  readonly role: string;
  readonly owner: string;
  readonly leaseMs: number;
}

/** Store of roles held by one process at a time. A lease is advisory: work under it needs its own fencing. */
export class LeaseStore {
  readonly #leases: Model<LeaseDocument>;
  readonly #clock: Clock;

  constructor(leases: Model<LeaseDocument>, clock: Clock) {
    this.#leases = leases;
    this.#clock = clock;
  }

  /** Acquires or renews a role; returns false while another process holds it. */
  async acquire({ role, owner, leaseMs }: LeaseRequest): Promise<boolean> {
    const now = this.#clock.now();
    const until = new Date(now.getTime() + leaseMs);
    try {
      await this.#leases.updateOne(
        { _id: role, $or: [{ owner }, { until: { $lte: now } }] },
        { $set: { owner, until } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      // The lease exists and did not match, so the upsert tried to insert a second one.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Returns the owners of held roles by the beginning of their names, in order. */
  async findOwners(prefix: string): Promise<string[]> {
    const held = { _id: { $gte: prefix, $lt: `${prefix}~` }, until: { $gt: this.#clock.now() } };
    const leases = await this.#leases.find(held, { owner: 1 }).sort({ owner: 1 }).lean();
    return leases.map(({ owner }) => owner);
  }

  /** Deletes expired roles by the beginning of their names. */
  async deleteExpired(prefix: string): Promise<void> {
    const expired = { _id: { $gte: prefix, $lt: `${prefix}~` }, until: { $lte: this.#clock.now() } };
    await this.#leases.deleteMany(expired);
  }

  /** Stores values that the holder of a role measured; does nothing when another process holds it. */
  async storeReadings(role: string, owner: string, readings: LeaseReadings): Promise<void> {
    await this.#leases.updateOne({ _id: role, owner }, { $set: { readings } });
  }

  /** Returns the values that the holders of roles stored last. */
  async findReadings(roles: readonly string[]): Promise<LeaseReadings[]> {
    const leases = await this.#leases.find({ _id: { $in: [...roles] } }, { readings: 1 }).lean();
    return leases.flatMap(({ readings }) => readings ?? []);
  }

  /** Releases a role if this process still holds it. */
  async release(role: string, owner: string): Promise<void> {
    await this.#leases.deleteOne({ _id: role, owner });
  }
}
