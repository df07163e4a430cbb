import { HEARTBEAT_VALID_MS, type Heartbeat } from '@gleaner/contracts';
import type { Database } from '../database/connect-database.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../models.ts';
import type { InstanceDocument } from './instance-model.ts';

/** A process that sent a heartbeat a short time ago. */
export type StoredInstance = Omit<InstanceDocument, '_id' | 'expiresAt'> & { readonly id: string };

export type InstanceStore = ReturnType<typeof createInstanceStore>;

/** Processes that one call returns at most. */
const MAX_LISTED = 1000;

/** Creates the store of the processes that run; only the gateway writes it. */
export function createInstanceStore({ models }: Pick<Database, 'models'>) {
  const instances = driverCollection(models.instances);
  return guarded({
    /** Stores a heartbeat; the last one of a process removes its record. */
    async noteHeartbeat({ id, isLast, startedAt, ...rest }: Heartbeat, now: Date): Promise<void> {
      if (isLast) {
        await instances.deleteOne({ _id: id }, { writeConcern: WRITE_CONCERNS.counter });
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
      await instances.updateOne(
        { _id: id },
        { $set: fields },
        { upsert: true, writeConcern: WRITE_CONCERNS.counter },
      );
    },

    /** Returns the processes whose last heartbeat is recent, by service and name. */
    async listInstances(now: Date): Promise<StoredInstance[]> {
      const found = instances
        .find({ expiresAt: { $gt: now } })
        .sort({ service: 1, name: 1, _id: 1 })
        .limit(MAX_LISTED);
      return (await found.toArray()).map(({ _id, expiresAt: _, ...fields }) => ({ id: _id, ...fields }));
    },
  });
}
