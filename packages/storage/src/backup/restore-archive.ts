import { AppError, createId, type JobEventType } from '@gleaner/contracts';
import mongoose, { type mongo } from 'mongoose';
import type { Database } from '../connect-database.ts';
import type { JobDocument } from '../jobs/job-model.ts';
import { storeSchemaVersion } from '../migrations/schema-version.ts';
import { NO_BATCH } from '../pages/page-batches.ts';
import { orderCollections } from './archive.ts';
import { type CheckedArchive, readArchive } from './read-archive.ts';

const BATCH_DOCUMENTS = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
const HOUR_MS = 3_600_000;
/** Earliest check time: a reconciler claims the restored job at once. */
const CHECK_NOW = new Date(1);
const ELSEWHERE = 'Restore into a new data folder (GLEANER_DATA_DIR) or a new database (MONGODB_URI).';

/**
 * Writes an archive into an empty database, so that its jobs go on with an empty broker: pages in flight wait again, and
 * events that may have been in the broker are announced again. Throws INVALID_REQUEST, before anything is written, when the
 * database has documents, or a collection of another program with the name of one in the archive. After any other error, the
 * documents that were written are removed again, and nothing else.
 */
export async function restoreArchive(
  { header, collections }: CheckedArchive,
  readLines: () => AsyncIterable<string>,
  database: Pick<Database, 'models' | 'ensureIndexes'>,
): Promise<void> {
  const { models } = database;
  const db = models.jobs.db.getClient().db(models.jobs.db.name);
  const before = new Set(
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  await requireEmpty(db, [...before]);
  const own = ownNames(models);
  requireUnused(Object.keys(collections).filter((name) => before.has(name) && !own.has(name)));
  const progress = { documents: 0 };
  try {
    await database.ensureIndexes();
    await insertAll(db, readLines(), progress);
    await settlePages(database);
    await announceAgain(database, new Date(header.createdAt));
    await settleBatches(database, new Date(header.createdAt));
    await storeSchemaVersion(db, header.schemaVersion);
  } catch (error) {
    await removeAfter(error, async () => {
      await deleteFirst(db, readLines(), progress.documents);
      const made = [...new Set([...own, ...Object.keys(collections)])].filter((name) => !before.has(name));
      for (const name of made) if (await isEmpty(db, name)) await db.dropCollection(name);
    });
    throw error;
  }
}

/** Returns the collections of this program. */
function ownNames(models: Database['models']): Set<string> {
  const own = Object.values(models).map(({ collection }) => collection.name);
  return new Set([...own, 'screenshots.files', 'screenshots.chunks']);
}

async function requireEmpty(db: mongo.Db, names: readonly string[]): Promise<void> {
  for (const name of orderCollections(names)) {
    if (await isEmpty(db, name)) continue;
    throw new AppError('INVALID_REQUEST', {
      message: `The database is not empty: it has documents in ${name}.`,
      suggestion: ELSEWHERE,
    });
  }
}

/** Rejects empty collections that another program may write to while the archive is restored. */
function requireUnused([name]: readonly string[]): void {
  if (name === undefined) return;
  throw new AppError('INVALID_REQUEST', {
    message: `The database has a collection ${name} already, and the archive has one of that name.`,
    suggestion: `${ELSEWHERE} If nothing else uses ${name}, drop it and restore again.`,
  });
}

async function isEmpty(db: mongo.Db, name: string): Promise<boolean> {
  return (await db.collection(name).findOne({}, { projection: { _id: 1 } })) === null;
}

async function removeAfter(cause: unknown, remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
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

/** Inserts the documents of an archive in order; counts every document possibly inserted. */
async function insertAll(
  db: mongo.Db,
  lines: AsyncIterable<string>,
  progress: { documents: number },
): Promise<void> {
  for await (const { collection, documents } of readBatches(lines)) {
    progress.documents += documents.length;
    try {
      await db.collection(collection).insertMany(documents, { ordered: true });
    } catch (error) {
      if (error instanceof mongoose.mongo.MongoBulkWriteError)
        progress.documents -= documents.length - error.insertedCount;
      throw error;
    }
  }
}

/** Deletes the first documents of an archive. */
async function deleteFirst(db: mongo.Db, lines: AsyncIterable<string>, count: number): Promise<void> {
  let left = count;
  if (left === 0) return;
  for await (const { collection, documents } of readBatches(lines)) {
    const ids = documents.slice(0, left).map(({ _id }) => _id);
    await db.collection(collection).deleteMany({ _id: { $in: ids } });
    left -= ids.length;
    if (left === 0) return;
  }
}

interface Batch {
  readonly collection: string;
  readonly documents: mongo.Document[];
}

/** Reads an archive as batches of one collection each. */
async function* readBatches(lines: AsyncIterable<string>): AsyncGenerator<Batch> {
  let batch: Batch = { collection: '', documents: [] };
  let bytes = 0;
  for await (const { collection, document } of readArchive(lines)) {
    const isFull = batch.documents.length >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES;
    if (isFull || collection !== batch.collection) {
      if (batch.documents.length > 0) yield batch;
      batch = { collection, documents: [] };
      bytes = 0;
    }
    batch.documents.push(document);
    bytes += mongoose.mongo.BSON.calculateObjectSize(document);
  }
  if (batch.documents.length > 0) yield batch;
}

/** Lets pages wait that were in flight: their messages stayed with the old broker. */
async function settlePages({ models }: Pick<Database, 'models'>): Promise<void> {
  await models.pages.updateMany(
    { state: 'running' },
    { $set: { state: 'waiting' }, $unset: { deadlineAt: 1 } },
  );
}

/**
 * Stores the event again of every batch of results without a delivery. Pages that were read later than their job may be
 * marked with a batch that the job does not have: they go into its next one.
 */
async function settleBatches(
  { models: { deliveries, jobs, pages } }: Pick<Database, 'models'>,
  at: Date,
): Promise<void> {
  const batched = jobs.find({ resultBatches: { $exists: true } }).lean();
  for await (const { _id, accountId, resultBatches, events } of batched) {
    const { count = 0 } = resultBatches ?? {};
    const later = { jobId: _id, resultBatch: { $gt: count } };
    await pages.updateMany(later, { $set: { resultBatch: NO_BATCH } });
    const announced = new Set(events.map(({ batch }) => batch));
    const carried = deliveries.find({ accountId, jobId: _id, type: 'job.pages' }, { batch: 1 }).lean();
    for await (const { batch } of carried) announced.add(batch);
    const again = Array.from({ length: count }, (_, index) => index + 1)
      .filter((batch) => !announced.has(batch))
      .map((batch) => ({ id: createId('evt'), type: 'job.pages' as const, at, batch }));
    if (again.length === 0) continue;
    await jobs.updateOne({ _id }, { $push: { events: { $each: again } }, $set: { checkedAt: CHECK_NOW } });
  }
}

/** Stores the final event again of jobs that finished shortly before the archive and have no delivery. */
async function announceAgain(
  { models: { deliveries, jobs } }: Pick<Database, 'models'>,
  createdAt: Date,
): Promise<void> {
  const finished = jobs
    .find({
      status: { $in: ['completed', 'partial', 'failed', 'cancelled'] },
      completedAt: { $gte: new Date(createdAt.getTime() - HOUR_MS) },
      $or: [{ webhookJson: { $exists: true } }, { told: { $exists: true } }, { sinkJson: { $exists: true } }],
      events: { $size: 0 },
    })
    .lean();
  for await (const { _id, accountId, status, completedAt } of finished) {
    const type = `job.${status}` as JobEventType;
    if (await deliveries.exists({ accountId, jobId: _id, type })) continue;
    const event: JobDocument['events'][number] = {
      id: createId('evt'),
      type,
      at: completedAt ?? createdAt,
    };
    await jobs.updateOne({ _id }, { $set: { events: [event], checkedAt: CHECK_NOW } });
  }
}
