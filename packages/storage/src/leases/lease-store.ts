import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';

/** Who wants which role, and until when. */
export interface LeaseRequest {
  readonly role: string;
  readonly owner: string;
  readonly now: Date;
  readonly until: Date;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/** Roles that one process at a time may play. A lease is a courtesy and no lock: what depends on it is fenced besides. */
export function createLeaseStore({ models }: Pick<Database, 'models'>) {
  const leases = driverCollection(models.leases);

  return guarded({
    /** Takes or renews a role; false while another process has it. */
    async acquire({ role, owner, now, until }: LeaseRequest): Promise<boolean> {
      try {
        await leases.updateOne(
          { _id: role, $or: [{ owner }, { until: { $lte: now } }] },
          { $set: { owner, until } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        // It exists and did not match, so the upsert would have made a second one.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Lets a role go, if it is still this process's. */
    async release(role: string, owner: string): Promise<void> {
      await leases.deleteOne({ _id: role, owner });
    },
  });
}
