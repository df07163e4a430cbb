import { describe, expect, it } from '@jest/globals';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** Bulk writes of a collection. */
export function describeBulkWrites(bed: () => TestBed): void {
  describe('a bulk write', () => {
    it('mixes all kinds of operation', async () => {
      const { collection } = bed();
      const result = await collection.bulkWrite([
        { insertOne: { document: { _id: 1, a: 1 } as never } },
        { insertOne: { document: { _id: 2, a: 1 } as never } },
        { updateMany: { filter: { a: 1 }, update: { $inc: { a: 1 } } } },
        { updateOne: { filter: { _id: 3 } as never, update: { $set: { a: 9 } }, upsert: true } },
        { updateOne: { filter: { _id: 1 } as never, update: { $set: { b: 1 }, $unset: { a: 1 } } } },
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
  });
}
