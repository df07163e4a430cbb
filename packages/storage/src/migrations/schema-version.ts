import type { mongo } from 'mongoose';

interface SchemaDocument {
  readonly _id: 'schema';
  readonly version: number;
}

/** Returns the version of the schema of a database; 0 of one that no migration has seen. */
export async function readSchemaVersion(db: mongo.Db): Promise<number> {
  const schema = await db.collection<SchemaDocument>('meta').findOne({ _id: 'schema' });
  return schema?.version ?? 0;
}

/** Stores the version of the schema, unless a later one is stored. */
export async function storeSchemaVersion(db: mongo.Db, version: number): Promise<void> {
  await db
    .collection<SchemaDocument>('meta')
    .updateOne({ _id: 'schema' }, { $max: { version } }, { upsert: true });
}
