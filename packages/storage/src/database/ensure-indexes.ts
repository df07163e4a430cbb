import { AppError } from '@gleaner/contracts';
import mongoose, { type mongo } from 'mongoose';
import type { Models } from '../models.ts';
import { translateError } from './translate-error.ts';

/** Codes of IndexOptionsConflict and IndexKeySpecsConflict. */
const CONFLICT_CODES = new Set<unknown>([85, 86]);

/**
 * Creates the missing indexes of the models; idempotent, and safe to run in several processes at once.
 * Throws INTERNAL_ERROR naming the collection if an existing index has other options.
 */
export async function ensureIndexes(models: Models): Promise<void> {
  for (const { schema, collection } of Object.values(models)) {
    await ensureIndexesOf(
      collection,
      schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription),
    );
  }
  const { db } = models.screenshots;
  for (const [name, index] of GRID_FS_INDEXES) await ensureIndexesOf(db.collection(name), [index]);
}

/** Indexes of files, which the driver creates with the first one alone: https://www.mongodb.com/docs/manual/core/gridfs/#gridfs-indexes */
const GRID_FS_INDEXES: readonly (readonly [string, mongo.IndexDescription])[] = [
  ['screenshots.files', { key: { filename: 1, uploadDate: 1 } }],
  ['screenshots.chunks', { key: { files_id: 1, n: 1 }, unique: true }],
];

interface IndexedCollection {
  readonly name: string;
  createIndexes(indexes: mongo.IndexDescription[]): Promise<unknown>;
}

async function ensureIndexesOf(
  collection: IndexedCollection,
  indexes: mongo.IndexDescription[],
): Promise<void> {
  if (indexes.length === 0) return;
  try {
    await collection.createIndexes(indexes);
  } catch (error) {
    throw isConflict(error) ? indexConflict(collection.name, error) : translateError(error);
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && CONFLICT_CODES.has(error.code);
}

function indexConflict(collection: string, cause: unknown): AppError {
  return new AppError('INTERNAL_ERROR', {
    message: `An index of the collection "${collection}" exists with other options than this version needs.`,
    suggestion: `Compare db.${collection}.getIndexes() with the cause, drop the index that differs, and start again.`,
    cause,
  });
}
