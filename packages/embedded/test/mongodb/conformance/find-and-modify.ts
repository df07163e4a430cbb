import { describe, expect, it } from '@jest/globals';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** findAndModify: https://www.mongodb.com/docs/manual/reference/command/findAndModify/ */
export function describeFindAndModify(bed: () => TestBed): void {
  describe('findAndModify', () => {
    it('returns the document before the update, or after it', async () => {
      const { collection } = bed();
      await collection.insertOne({ _id: 1, n: 1 } as never);
      expect(await collection.findOneAndUpdate({}, { $inc: { n: 1 } })).toEqual({ _id: 1, n: 1 });
      const after = await collection.findOneAndUpdate({}, { $inc: { n: 1 } }, { returnDocument: 'after' });
      expect(after).toEqual({ _id: 1, n: 3 });
    });

    it('returns null when nothing matched', async () => {
      expect(await bed().collection.findOneAndUpdate({ a: 1 }, { $set: { a: 2 } })).toBeNull();
      expect(await bed().collection.findOneAndDelete({ a: 1 })).toBeNull();
    });

    it('upserts, and tells so', async () => {
      const { collection } = bed();
      expect(
        await collection.findOneAndUpdate({ _id: 9 } as never, { $set: { a: 1 } }, { upsert: true }),
      ).toBeNull();
      const result = await collection.findOneAndUpdate(
        { _id: 10 } as never,
        { $setOnInsert: { a: 1 } },
        { upsert: true, returnDocument: 'after', includeResultMetadata: true },
      );
      expect(result.value).toEqual({ _id: 10, a: 1 });
      expect(result.lastErrorObject).toMatchObject({ updatedExisting: false, upserted: 10, n: 1 });
    });

    it('goes by the sort and projects', async () => {
      const { collection } = bed();
      await collection.insertMany([
        { n: 2, k: 'a' },
        { n: 1, k: 'b' },
        { n: 3, k: 'c' },
      ]);
      const options = { sort: { n: 1 }, projection: { _id: 0, k: 1 } } as const;
      expect(await collection.findOneAndUpdate({}, { $set: { taken: true } }, options)).toEqual({ k: 'b' });
      expect(
        await collection.findOneAndDelete({}, { sort: { n: -1 }, projection: { _id: 0, n: 1 } }),
      ).toEqual({ n: 3 });
    });

    it('takes pipelines', async () => {
      const { collection } = bed();
      await collection.insertOne({ _id: 1, list: [1, 0] } as never);
      const pipeline = [{ $set: { total: { $sum: '$list' } } }];
      expect(await collection.findOneAndUpdate({}, pipeline, { returnDocument: 'after' })).toMatchObject({
        total: 1,
      });
    });

    it('hands each document to exactly one of many competitors', async () => {
      const { collection } = bed();
      await collection.insertMany(Array.from({ length: 40 }, (_, n) => ({ n, state: 'free' })));
      const claim = () =>
        collection.findOneAndUpdate({ state: 'free' }, { $set: { state: 'taken' } }, { sort: { n: 1 } });
      const claimed = await Promise.all(Array.from({ length: 50 }, claim));
      const numbers = claimed.filter((document) => document !== null).map(({ n }) => n);
      expect(new Set(numbers).size).toBe(40);
      expect(numbers).toHaveLength(40);
    });

    it('refuses to remove and update at once', async () => {
      const { collection, database } = bed();
      const command = {
        findAndModify: collection.collectionName,
        query: {},
        remove: true,
        update: { $set: { a: 1 } },
      };
      await expect(database.command(command)).rejects.toMatchObject({ code: 9 });
    });
  });
}
