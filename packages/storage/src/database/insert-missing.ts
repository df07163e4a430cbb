import type { mongo } from 'mongoose';
import type { DriverCollection } from '../document-schema.ts';
import { confirmWrites } from './confirm-writes.ts';
import { WRITE_CONCERNS } from './connection-options.ts';
import { isDuplicateKey } from './translate-error.ts';

/** Inserts documents, durably; existing ones stay as they are. Returns the number of new ones. */
export async function insertMissing<Document extends mongo.Document>(
  collection: DriverCollection<Document>,
  documents: readonly Document[],
): Promise<number> {
  if (documents.length === 0) return 0;
  const options = { ordered: false, writeConcern: WRITE_CONCERNS.durable };
  try {
    const inserted = await collection.insertMany(
      documents as mongo.OptionalUnlessRequiredId<Document>[],
      options,
    );
    return inserted.insertedCount;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await confirmWrites(collection.conn);
    return (error as mongo.MongoBulkWriteError).insertedCount;
  }
}
