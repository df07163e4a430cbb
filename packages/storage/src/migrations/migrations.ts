import type { mongo } from 'mongoose';
import { LEDGER_RETENTION_MS } from '../credits/reservation.ts';

/** One change of documents that an earlier version has stored. It can be repeated, since a process may die in it. */
export interface Migration {
  /** Version of the schema after it: the versions count up from 1. */
  readonly version: number;
  readonly what: string;
  readonly apply: (db: mongo.Db, signal: AbortSignal) => Promise<void>;
}

/**
 * All migrations in order. A release that is replaced must be able to read what its successor writes, so a change that it
 * cannot read takes two releases: the first writes both forms, the second drops the old one.
 */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, what: 'charges expire after the retention of the ledger', apply: expireCharges },
  { version: 2, what: 'counted months know what the ledger has of them', apply: markLedger },
];

/** Version of the schema that this Gleaner reads and writes. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version));

const CHARGES_PER_STEP = 1000;

async function expireCharges(db: mongo.Db, signal: AbortSignal): Promise<void> {
  const charges = db.collection('charges');
  const old = charges.find(
    { outcome: 'charged', expiresAt: { $exists: false } },
    { projection: { at: 1 }, batchSize: CHARGES_PER_STEP },
  );
  let updates: mongo.AnyBulkWriteOperation[] = [];
  const flush = async () => {
    signal.throwIfAborted();
    if (updates.length > 0) await charges.bulkWrite(updates, { ordered: false });
    updates = [];
  };
  for await (const { _id, at } of old) {
    const expiresAt = new Date(at.getTime() + LEDGER_RETENTION_MS);
    updates.push({ updateOne: { filter: { _id }, update: { $set: { expiresAt } } } });
    if (updates.length >= CHARGES_PER_STEP) await flush();
  }
  await flush();
}

async function markLedger(db: mongo.Db, signal: AbortSignal): Promise<void> {
  const months = db.collection('usage_months');
  const unmarked = months.find({ ledgerFrom: { $exists: false } }, { projection: { month: 1 } });
  for await (const { _id, month } of unmarked) {
    signal.throwIfAborted();
    await months.updateOne({ _id }, { $set: { ledgerFrom: new Date(`${month}-01T00:00:00.000Z`) } });
  }
}
