import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import type { Model, mongo } from 'mongoose';
import type { Clock } from '../database/database-clock.ts';
import { guarded } from '../database/guarded.ts';
import { type LeaseDocument, LeaseStore } from '../processes/lease-store.ts';
import { MIGRATIONS, type Migration, SCHEMA_VERSION } from './migrations.ts';
import { readSchemaVersion, storeSchemaVersion } from './schema-version.ts';

/** Collaborators of a migration; `migrations` are all of them unless given. */
export interface MigrateDeps {
  readonly models: { readonly leases: Model<LeaseDocument> };
  readonly clock: Clock;
  readonly logger: { info(fields: object, message: string): void };
  readonly signal: AbortSignal;
  readonly migrations?: readonly Migration[];
}

const ROLE = 'migrate';
const LEASE_MS = 30_000;
const RETRY_MS = 500;

/**
 * Brings the documents to the version of the schema that this Gleaner knows, one process at a time, under a lease; the
 * others wait until it is done or its lease expires. Throws INTERNAL_ERROR when the database has a later version.
 */
export async function migrate({
  models,
  clock,
  logger,
  signal,
  migrations = MIGRATIONS,
}: MigrateDeps): Promise<void> {
  const connection = models.leases.db;
  const db = connection.getClient().db(connection.name);
  const known = Math.max(SCHEMA_VERSION, ...migrations.map(({ version }) => version));
  const leases = guarded(new LeaseStore(models.leases, clock));
  const owner = randomUUID();
  for (;;) {
    signal.throwIfAborted();
    const version = await readSchemaVersion(db);
    if (version > known) throw tooNew(version, known);
    if (version === known) return;
    const renew = () => leases.acquire({ role: ROLE, owner, leaseMs: LEASE_MS });
    if (await renew()) {
      // Another process may have finished between the two reads.
      const open = migrations.filter((migration) => migration.version > version);
      try {
        if ((await readSchemaVersion(db)) === version) await applyAll(open, { db, logger, signal, renew });
      } finally {
        await leases.release(ROLE, owner);
      }
    } else {
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

interface ApplyDeps {
  readonly db: mongo.Db;
  readonly logger: MigrateDeps['logger'];
  readonly signal: AbortSignal;
  readonly renew: () => Promise<boolean>;
}

async function applyAll(open: readonly Migration[], { db, logger, signal, renew }: ApplyDeps): Promise<void> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (isHeld) => isHeld || lost.abort(new Error('The lease of the migration was lost.')),
      (error) => lost.abort(error),
    );
  }, LEASE_MS / 3);
  try {
    for (const { version, what, apply } of open) {
      logger.info({ version, what }, 'Migrating the database.');
      await apply(db, AbortSignal.any([signal, lost.signal]));
      await storeSchemaVersion(db, version);
    }
  } finally {
    clearInterval(timer);
  }
}

function tooNew(version: number, known: number): AppError {
  return new AppError('INTERNAL_ERROR', {
    message: `The database has the schema version ${version}, and this Gleaner knows only ${known}.`,
    suggestion:
      'A later version of Gleaner has used it: start that one again, or restore a backup from before.',
  });
}
