import { describe, expect, it } from '@jest/globals';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** Databases, collections, and what a server says about itself. */
export function describeCollections(bed: () => TestBed): void {
  describe('a collection', () => {
    it('is made by the first insert, listed, and dropped', async () => {
      const { collection, database } = bed();
      const name = collection.collectionName;
      await collection.insertOne({});
      expect(await database.listCollections({ name }).toArray()).toMatchObject([
        { name, type: 'collection' },
      ]);
      expect(await database.listCollections({ name }, { nameOnly: true }).toArray()).toEqual([
        { name, type: 'collection' },
      ]);
      await collection.drop();
      expect(await database.listCollections({ name }).toArray()).toEqual([]);
    });

    it('is empty when made again after a drop', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1 }, { unique: true });
      await collection.insertMany([{ a: 1 }, { a: 2 }]);
      await collection.drop();
      await collection.insertOne({ a: 1 });
      expect(await collection.countDocuments({ a: { $gte: 0 } })).toBe(1);
      expect(await collection.indexes()).toHaveLength(1);
    });

    it.each(['', 'a$b', '.a', 'a\0b'])('cannot be named %j', async (name) => {
      await expect(bed().database.command({ insert: name, documents: [{}] })).rejects.toMatchObject({
        code: 73,
      });
    });
  });

  describe('a database', () => {
    it('is empty once it is dropped', async () => {
      const { client, database } = bed();
      const other = client.db(`${database.databaseName}-other`);
      await other.collection('c').insertOne({});
      await other.dropDatabase();
      expect(await other.listCollections().toArray()).toEqual([]);
    });
  });

  describe('a server', () => {
    it('says what it is', async () => {
      const { database } = bed();
      expect(await database.command({ hello: 1 })).toMatchObject({
        isWritablePrimary: true,
        maxBsonObjectSize: 16777216,
      });
      expect(await database.command({ ping: 1 })).toMatchObject({ ok: 1 });
    });

    it('takes sessions', async () => {
      const { client, collection } = bed();
      await client.withSession(async (session) => {
        await collection.insertOne({ a: 1 }, { session });
        expect(await collection.findOne({ a: 1 }, { session })).toMatchObject({ a: 1 });
      });
    });

    it('acknowledges writes of every concern it can keep', async () => {
      const { collection } = bed();
      for (const writeConcern of [{ w: 1 }, { w: 1, journal: true }, { w: 'majority' }] as const) {
        expect(await collection.insertOne({}, { writeConcern })).toMatchObject({ acknowledged: true });
      }
    });
  });
}
