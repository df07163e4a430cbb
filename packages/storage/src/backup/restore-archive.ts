import { AppError, createId, type JobEventType } from '@gleaner/contracts';
import mongoose, { type mongo } from 'mongoose';
import type { Database } from '../database/connect-database.ts';
import type { JobDocument } from '../jobs/job-model.ts';
import { storeSchemaVersion } from '../migrations/schema-version.ts';
import { driverCollection } from '../models.ts';
import { NO_BATCH } from '../pages/page-batches.ts';
import { orderCollections } from './archive.ts';
import { type CheckedArchive, readArchive } from './read-archive.ts';

const BATCH_DOCUMENTS = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
const HOUR_MS = 3_600_000;
/** The earliest time at which a reconciler finds a job that it has to look after. */
const CHECK_NOW = new Date(1);

/**
 * Writes an archive into an empty database, so that its jobs go on with an empty broker: pages in flight wait again, and
 * events that may have been in the broker are announced again. Throws INVALID_REQUEST when the database is not empty.
 * An archive that is not whole is refused at its end; then what was written is removed again, and nothing else.
 */
export async function restoreArchive(
  lines: AsyncIterable<string>,
  database: Pick<Database, 'models' | 'ensureIndexes'>,
): Promise<CheckedArchive> {
  const { models } = database;
  const db = models.jobs.db.getClient().db(models.jobs.db.name);
  const before = await namesOf(db);
  await requireEmpty(db, before);
  const written = new Set<string>();
  try {
    await database.ensureIndexes();
    const archive = await insertAll(lines, db, written);
    await storeSchemaVersion(db, archive.header.schemaVersion);
    await settlePages(database);
    await announceAgain(database, new Date(archive.header.createdAt));
    await settleBatches(database, new Date(archive.header.createdAt));
    return archive;
  } catch (error) {
    await removeWritten(db, { before, written: new Set([...written, ...ownNames(models)]) }, error);
    throw error;
  }
}

async function namesOf(db: mongo.Db): Promise<string[]> {
  return (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
}

/** Returns the collections whose indexes are created before the archive is read. */
function ownNames(models: Database['models']): string[] {
  const own = Object.values(models).map(({ collection }) => collection.name);
  return [...own, 'screenshots.files', 'screenshots.chunks'];
}

interface WrittenCollections {
  readonly before: readonly string[];
  readonly written: ReadonlySet<string>;
}

/** Drops the collections that a restore has created, and empties those that it found empty. */
async function removeWritten(
  db: mongo.Db,
  { before, written }: WrittenCollections,
  cause: unknown,
): Promise<void> {
  try {
    const now = new Set(await namesOf(db));
    for (const name of [...written].filter((each) => now.has(each))) {
      if (!before.includes(name)) await db.dropCollection(name);
      else if (orderCollections([name]).length > 0) await db.collection(name).deleteMany({});
    }
  } catch (error) {
    throw new AppError('INTERNAL_ERROR', {
      message: `The archive was not restored (${messageOf(cause)}), and what had been written of it could not be removed (${messageOf(error)}).`,
      suggestion: 'Restore into another database, and drop this one.',
      cause,
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function requireEmpty(db: mongo.Db, names: readonly string[]): Promise<void> {
  for (const name of orderCollections(names)) {
    if (!(await db.collection(name).findOne({}, { projection: { _id: 1 } }))) continue;
    throw new AppError('INVALID_REQUEST', {
      message: `The database is not empty: it has documents in ${name}.`,
      suggestion: 'Restore into a new data folder (GLEANER_DATA_DIR) or a new database (MONGODB_URI).',
    });
  }
}

async function insertAll(
  lines: AsyncIterable<string>,
  db: mongo.Db,
  written: Set<string>,
): Promise<CheckedArchive> {
  const documents = readArchive(lines);
  let batch: mongo.Document[] = [];
  let bytes = 0;
  let collection = '';
  const flush = async () => {
    if (batch.length > 0) await db.collection(collection).insertMany(batch, { ordered: true });
    batch = [];
    bytes = 0;
  };
  for (;;) {
    const { value, done } = await documents.next();
    if (done) {
      await flush();
      return value;
    }
    if (value.collection !== collection || batch.length >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES)
      await flush();
    collection = value.collection;
    written.add(collection);
    batch.push(value.document);
    bytes += mongoose.mongo.BSON.calculateObjectSize(value.document);
  }
}

/** Lets pages wait that were in flight: their messages stayed with the old broker. */
async function settlePages({ models }: Pick<Database, 'models'>): Promise<void> {
  await driverCollection(models.pages).updateMany(
    { state: 'running' },
    { $set: { state: 'waiting' }, $unset: { deadlineAt: 1 } },
  );
}

/**
 * Stores the event again of every batch of results without a delivery. Pages that were read later than their job may be
 * marked with a batch that the job does not have: they go into its next one.
 */
async function settleBatches({ models }: Pick<Database, 'models'>, at: Date): Promise<void> {
  const jobs = driverCollection(models.jobs);
  for await (const { _id, accountId, resultBatches, events } of jobs.find({
    resultBatches: { $exists: true },
  })) {
    const { count = 0 } = resultBatches ?? {};
    const later = { jobId: _id, resultBatch: { $gt: count } };
    await driverCollection(models.pages).updateMany(later, { $set: { resultBatch: NO_BATCH } });
    const announced = new Set(events.map(({ batch }) => batch));
    const carried = driverCollection(models.deliveries).find({ accountId, jobId: _id, type: 'job.pages' });
    for await (const { batch } of carried.project<{ batch?: number }>({ batch: 1 })) announced.add(batch);
    const again = Array.from({ length: count }, (_, index) => index + 1)
      .filter((batch) => !announced.has(batch))
      .map((batch) => ({ id: createId('evt'), type: 'job.pages' as const, at, batch }));
    if (again.length === 0) continue;
    await jobs.updateOne({ _id }, { $push: { events: { $each: again } }, $set: { checkedAt: CHECK_NOW } });
  }
}

/** Stores the final event again of jobs that finished shortly before the archive and have no delivery. */
async function announceAgain({ models }: Pick<Database, 'models'>, createdAt: Date): Promise<void> {
  const jobs = driverCollection(models.jobs);
  const finished = jobs.find({
    status: { $in: ['completed', 'partial', 'failed', 'cancelled'] },
    completedAt: { $gte: new Date(createdAt.getTime() - HOUR_MS) },
    webhookJson: { $exists: true },
    events: { $size: 0 },
  });
  for await (const { _id, accountId, status, completedAt } of finished) {
    const type = `job.${status}` as JobEventType;
    if (await models.deliveries.exists({ accountId, jobId: _id, type })) continue;
    const event: JobDocument['events'][number] = {
      id: createId('evt'),
      type,
      at: completedAt ?? createdAt,
    };
    await jobs.updateOne({ _id }, { $set: { events: [event], checkedAt: CHECK_NOW } });
  }
}
