import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** insert: https://www.mongodb.com/docs/manual/reference/command/insert/ */
export function describeInserts(bed: () => TestBed): void {
  describe('insert', () => {
    it('stores a document and gives it back as it was', async () => {
      const { collection } = bed();
      const document = {
        _id: 'a',
        text: 'ü€😀',
        list: [1, [2]],
        nested: { at: new Date(5), none: null },
        '': 'empty name',
      };
      await collection.insertOne(document as never);
      expect(await collection.findOne()).toEqual(document);
    });

    it('makes _id the first field, and makes one where the client sent none', async () => {
      const { collection, database } = bed();
      await database.command({ insert: collection.collectionName, documents: [{ b: 1, _id: 5 }, { c: 1 }] });
      const [first, second] = await collection.find().toArray();
      expect(Object.keys(first ?? {})).toEqual(['_id', 'b']);
      expect(second?._id).toBeInstanceOf(ObjectId);
    });

    it('stops at the first failure when ordered', async () => {
      const { collection } = bed();
      const attempt = collection.insertMany([{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never);
      await expect(attempt).rejects.toMatchObject({ code: 11000, result: { insertedCount: 1 } });
      expect(await collection.countDocuments()).toBe(1);
    });

    it('goes on after failures when unordered, and reports each by its index', async () => {
      const { collection } = bed();
      const attempt = collection.insertMany([{ _id: 1 }, { _id: 1 }, { _id: 2 }, { _id: 2 }] as never, {
        ordered: false,
      });
      await expect(attempt).rejects.toMatchObject({ writeErrors: [{ index: 1 }, { index: 3 }] });
      expect(await collection.countDocuments()).toBe(2);
    });

    it('keeps the order of insertion for a find without a sort', async () => {
      const { collection } = bed();
      await collection.insertMany(['z', 'a', 'm'].map((_id) => ({ _id })) as never);
      expect((await collection.find().toArray()).map(({ _id }) => String(_id))).toEqual(['z', 'a', 'm']);
    });

    it.each([
      ['an array', [1]],
      ['a regular expression', /a/],
    ])('refuses %s as _id', async (_name, _id) => {
      await expect(bed().collection.insertOne({ _id } as never)).rejects.toMatchObject({ code: 53 });
    });

    it('takes a document of almost 16 MiB and refuses a larger one', async () => {
      const { collection } = bed();
      const largest = 'x'.repeat(16 * 1024 * 1024 - 100);
      await collection.insertOne({ text: largest });
      expect((await collection.findOne())?.text).toHaveLength(largest.length);
      const attempt = collection.insertOne({ text: 'x'.repeat(16 * 1024 * 1024) });
      await expect(attempt).rejects.toThrow(/too large|larger than/i);
    });

    it('inserts thousands in one command', async () => {
      const { collection } = bed();
      const { insertedCount } = await collection.insertMany(Array.from({ length: 5000 }, (_, n) => ({ n })));
      expect(insertedCount).toBe(5000);
      expect(await collection.countDocuments()).toBe(5000);
    });
  });
}
