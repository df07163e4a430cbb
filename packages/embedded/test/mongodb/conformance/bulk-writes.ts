import { describe, expect, it } from '@jest/globals';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

/** Bulk writes of a collection, and of the client (the bulkWrite command of 8.0). */
export function describeBulkWrites(bed: () => TestBed): void {
  describe('a bulk write', () => {
    it('mixes all kinds of operation', async () => {
      const { collection } = bed();
      const result = await collection.bulkWrite([
        { insertOne: { document: { _id: 1, a: 1 } as never } },
        { insertOne: { document: { _id: 2, a: 1 } as never } },
        { updateMany: { filter: { a: 1 }, update: { $inc: { a: 1 } } } },
        { updateOne: { filter: { _id: 3 } as never, update: { $set: { a: 9 } }, upsert: true } },
        { replaceOne: { filter: { _id: 1 } as never, replacement: { b: 1 } } },
        { deleteOne: { filter: { _id: 2 } as never } },
      ]);
      expect(result).toMatchObject({
        insertedCount: 2,
        matchedCount: 3,
        modifiedCount: 3,
        upsertedCount: 1,
        deletedCount: 1,
      });
      expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual([
        { _id: 1, b: 1 },
        { _id: 3, a: 9 },
      ]);
    });

    it('stops at the first failure when ordered and goes on when not', async () => {
      const { collection } = bed();
      await collection.insertOne({ _id: 1 } as never);
      const operations = [
        { insertOne: { document: { _id: 1 } as never } },
        { insertOne: { document: { _id: 2 } as never } },
      ];
      await expect(collection.bulkWrite(operations)).rejects.toMatchObject({ code: 11000 });
      expect(await collection.countDocuments()).toBe(1);
      await expect(collection.bulkWrite(operations, { ordered: false })).rejects.toMatchObject({
        code: 11000,
      });
      expect(await collection.countDocuments()).toBe(2);
    });

    it('goes to several collections through the client', async () => {
      const { client, collection, database } = bed();
      const namespace = collection.namespace;
      const other = `${database.databaseName}.other${collection.collectionName}`;
      const { version } = await database.command({ buildInfo: 1 });
      if (Number.parseInt(version, 10) < 8) return;
      const result = await client.bulkWrite<Record<string, TestDoc>>(
        [
          { name: 'insertOne', namespace, document: { _id: 1, n: 1 } as never },
          { name: 'insertOne', namespace: other, document: { _id: 1 } as never },
          { name: 'updateOne', namespace, filter: { _id: 1 } as never, update: { $inc: { n: 1 } } },
          {
            name: 'updateOne',
            namespace,
            filter: { _id: 2 } as never,
            update: { $set: { n: 7 } },
            upsert: true,
          },
          { name: 'deleteMany', namespace: other, filter: {} },
        ],
        { verboseResults: true },
      );
      expect(result).toMatchObject({
        insertedCount: 2,
        matchedCount: 1,
        modifiedCount: 1,
        upsertedCount: 1,
        deletedCount: 1,
      });
      expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual([
        { _id: 1, n: 2 },
        { _id: 2, n: 7 },
      ]);
    });
  });
}
