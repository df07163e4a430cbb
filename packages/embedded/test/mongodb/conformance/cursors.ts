import { describe, expect, it } from '@jest/globals';
import { Long } from 'mongodb';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** Cursors: https://www.mongodb.com/docs/manual/core/cursors/ */
export function describeCursors(bed: () => TestBed): void {
  const fill = async (count: number) => {
    const { collection } = bed();
    await collection.insertMany(Array.from({ length: count }, (_, n) => ({ n })));
    return collection;
  };

  describe('a cursor', () => {
    it('gives everything once, in batches', async () => {
      const collection = await fill(1000);
      const found = await collection.find().batchSize(7).toArray();
      expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    });

    it('starts with 101 documents unless told otherwise', async () => {
      const collection = await fill(300);
      const { cursor } = await bed().database.command({ find: collection.collectionName });
      expect(cursor.firstBatch).toHaveLength(101);
      const getMore = { getMore: Long.fromNumber(0).add(cursor.id), collection: collection.collectionName };
      const more = await bed().database.command(getMore);
      expect(more.cursor.nextBatch).toHaveLength(199);
      expect(String(more.cursor.id)).toBe('0');
    });

    it('of batch size 0 is opened without documents', async () => {
      const collection = await fill(3);
      const { cursor } = await bed().database.command({ find: collection.collectionName, batchSize: 0 });
      expect(cursor.firstBatch).toEqual([]);
      expect(String(cursor.id)).not.toBe('0');
      const { cursorsKilled } = await bed().database.command({
        killCursors: collection.collectionName,
        cursors: [Long.fromNumber(0).add(cursor.id)],
      });
      expect(cursorsKilled).toHaveLength(1);
    });

    it('is closed after a single batch or at its limit', async () => {
      const collection = await fill(10);
      for (const options of [{ singleBatch: true, batchSize: 4 }, { limit: 4, batchSize: 4 }, { limit: 4 }]) {
        const { cursor } = await bed().database.command({ find: collection.collectionName, ...options });
        expect(cursor.firstBatch).toHaveLength(4);
        expect(String(cursor.id)).toBe('0');
      }
    });

    it('keeps batches within 16 MiB', async () => {
      const { collection } = bed();
      const text = 'x'.repeat(5 * 1024 * 1024);
      for (let n = 0; n < 5; n++) await collection.insertOne({ n, text });
      const { cursor } = await bed().database.command({ find: collection.collectionName });
      expect(cursor.firstBatch).toHaveLength(3);
      expect(await collection.find().toArray()).toHaveLength(5);
    });

    it('can be given up, and is unknown from then on', async () => {
      const collection = await fill(10);
      const { cursor } = await bed().database.command({ find: collection.collectionName, batchSize: 2 });
      const id = Long.fromNumber(0).add(cursor.id);
      await bed().database.command({ killCursors: collection.collectionName, cursors: [id] });
      const getMore = bed().database.command({ getMore: id, collection: collection.collectionName });
      await expect(getMore).rejects.toMatchObject({ code: 43 });
    });

    it('belongs to its collection', async () => {
      const collection = await fill(10);
      const { cursor } = await bed().database.command({ find: collection.collectionName, batchSize: 2 });
      const getMore = bed().database.command({
        getMore: Long.fromNumber(0).add(cursor.id),
        collection: 'other',
      });
      await expect(getMore).rejects.toMatchObject({ code: 13 });
    });

    it('goes on while documents are deleted under it', async () => {
      const collection = await fill(500);
      const cursor = collection.find({}, { sort: { _id: 1 }, batchSize: 10 });
      expect(await cursor.next()).toMatchObject({ n: 0 });
      await collection.deleteMany({ n: { $gte: 250 } });
      expect((await cursor.toArray()).length).toBeLessThan(500);
    });

    it('ends when its collection is dropped', async () => {
      const collection = await fill(2000);
      const cursor = collection.find({}, { batchSize: 10 });
      await cursor.next();
      await collection.drop();
      await expect(cursor.toArray()).rejects.toMatchObject({ code: expect.any(Number) });
    });

    it('obeys maxTimeMS', async () => {
      const collection = await fill(4000);
      await expect(collection.find({ none: 1 }, { maxTimeMS: 1 }).toArray()).rejects.toMatchObject({
        code: 50,
      });
    });
  });
}
