import { describe, expect, it } from '@jest/globals';
import { Double, Long } from 'mongodb';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

/** A document, an update and what becomes of it. */
const CASES: readonly (readonly [string, TestDoc, TestDoc | TestDoc[], TestDoc])[] = [
  ['$set', { a: 1 }, { $set: { a: 2, b: { c: 1 } } }, { a: 2, b: { c: 1 } }],
  ['$set makes parents', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set at an array position', { a: [1, 2] }, { $set: { 'a.1': 9 } }, { a: [1, 9] }],
  ['$set at the end of an array', { a: [1] }, { $set: { 'a.1': 4 } }, { a: [1, 4] }],
  ['$unset', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '' } }, { b: { d: 2 } }],
  ['$unset in an array leaves null', { a: [1, 2] }, { $unset: { 'a.0': 1 } }, { a: [null, 2] }],
  ['$inc', { a: 1 }, { $inc: { a: 2, b: 5 } }, { a: 3, b: 5 }],
  ['$inc by a fraction', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  ['$min', { a: 3, b: 3 }, { $min: { a: 2, b: 5, c: 1 } }, { a: 2, b: 3, c: 1 }],
  ['$max', { a: 3, b: 3 }, { $max: { a: 2, b: 5, c: 1 } }, { a: 3, b: 5, c: 1 }],
  ['$push', { a: [1] }, { $push: { a: 2, b: 1 } }, { a: [1, 2], b: [1] }],
  ['$push of an array is one element', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  ['$push with $each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  ['$push with $slice', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  ['$addToSet', { a: [1] }, { $addToSet: { a: 1, b: 1 } }, { a: [1], b: [1] }],
  ['$addToSet with $each', { a: [1] }, { $addToSet: { a: { $each: [1, 2, 2] } } }, { a: [1, 2] }],
  ['$pull of a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull by a condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull of documents', { a: [{ x: 1, y: 1 }, { x: 2 }] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }] }],
  ['a pipeline with $unset', { a: 2, b: 1, c: 1 }, [{ $set: { a: 3 } }, { $unset: ['b', 'c'] }], { a: 3 }],
  ['a pipeline with $set', { a: 2 }, [{ $set: { b: { $add: ['$a', 3] } } }], { a: 2, b: 5 }],
  [
    'a pipeline that sets below a field',
    { a: { b: 1 } },
    [{ $set: { 'a.c': '$a.b', d: { e: 1 } } }],
    { a: { b: 1, c: 1 }, d: { e: 1 } },
  ],
  [
    'a pipeline whose stages see those before',
    { a: 1 },
    [{ $set: { a: 2 } }, { $set: { b: '$a' } }],
    { a: 2, b: 2 },
  ],
];

const REFUSED: readonly (readonly [string, TestDoc, TestDoc | TestDoc[], number])[] = [
  ['an unknown modifier', {}, { $frobnicate: { a: 1 } }, 9],
  ['$inc of a string', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc by a string', { a: 1 }, { $inc: { a: 'x' } }, 14],
  ['$push to a scalar', { a: 1 }, { $push: { a: 1 } }, 2],
  ['two changes of one field', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['changes of a field and of its parent', {}, { $set: { a: 1, 'a.b': 1 } }, 40],
  ['a path through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['a change of _id', {}, { $set: { _id: 'other' } }, 66],
  ['a change of _id by a pipeline', {}, [{ $set: { _id: 'other' } }], 66],
  ['a pipeline with $match', {}, [{ $match: {} }], 72],
  ['an empty field name in a path', {}, { $set: { 'a..b': 1 } }, 56],
];

/** Update operators: https://www.mongodb.com/docs/manual/reference/operator/update/ */
export function describeUpdates(bed: () => TestBed): void {
  describe('update with', () => {
    it.each(CASES)('%s', async (_name, before, update, after) => {
      const { collection } = bed();
      await collection.insertOne({ _id: 1, ...before } as never);
      expect(await collection.updateOne({ _id: 1 } as never, update)).toMatchObject({ matchedCount: 1 });
      expect(await collection.findOne()).toEqual({ _id: 1, ...after });
    });

    it.each(REFUSED)('refuses %s', async (_name, before, update, code) => {
      const { collection } = bed();
      const document = { _id: 1, ...before };
      await collection.insertOne({ ...document } as never);
      await expect(collection.updateOne({}, update)).rejects.toMatchObject({ code });
      expect(await collection.findOne()).toEqual(document);
    });
  });

  describe('update', () => {
    it('keeps the wider numeric type, and 64-bit integers exact', async () => {
      const { collection } = bed();
      const big = Long.fromString('9007199254740993');
      await collection.insertOne({
        long: big,
        int: 2147483647,
        double: new Double(1),
      });
      await collection.updateOne({}, { $inc: { long: 1, int: 1, double: 1 } });
      const [found] = await collection.find({}, { promoteValues: false }).toArray();
      expect(String(found?.long)).toBe('9007199254740994');
      expect(found?.int).toEqual(Long.fromString('2147483648'));
      expect(found?.double).toEqual(new Double(2));
    });

    it('counts as modified only what changed', async () => {
      const { collection } = bed();
      await collection.insertMany([{ a: 1 }, { a: 2 }]);
      expect(await collection.updateMany({}, { $set: { a: 2 } })).toMatchObject({
        matchedCount: 2,
        modifiedCount: 1,
      });
    });

    it('updates one document unless told to update many', async () => {
      const { collection } = bed();
      await collection.insertMany([{ a: 1 }, { a: 1 }]);
      expect(await collection.updateOne({ a: 1 }, { $set: { a: 3 } })).toMatchObject({ modifiedCount: 1 });
      expect(await collection.countDocuments({ a: 3 })).toBe(1);
    });

    it('does not meet a document twice that moves ahead in the index it is found by', async () => {
      const { collection } = bed();
      await collection.createIndex({ n: 1 });
      await collection.insertMany(Array.from({ length: 500 }, (_, n) => ({ n })));
      expect(await collection.updateMany({ n: { $gte: 0 } }, { $inc: { n: 1000 } })).toMatchObject({
        modifiedCount: 500,
      });
      expect(await collection.countDocuments({ n: { $gte: 1000, $lt: 1500 } })).toBe(500);
    });
  });

  describe('an upsert', () => {
    it('inserts the equalities of the filter and the update', async () => {
      const { collection } = bed();
      const filter = { _id: 7, a: 1, 'b.c': { $eq: 2 }, n: { $gt: 5 }, $and: [{ d: 3 }] };
      const result = await collection.updateOne(
        filter as never,
        { $set: { e: 4 }, $setOnInsert: { f: 5 } },
        { upsert: true },
      );
      expect(result).toMatchObject({ matchedCount: 0, upsertedId: 7, upsertedCount: 1 });
      expect(await collection.findOne()).toEqual({ _id: 7, a: 1, b: { c: 2 }, d: 3, e: 4, f: 5 });
    });

    it('leaves $setOnInsert alone when there is a match', async () => {
      const { collection } = bed();
      await collection.insertOne({ _id: 1, a: 1 } as never);
      await collection.updateOne({ a: 1 }, { $set: { b: 2 }, $setOnInsert: { c: 3 } }, { upsert: true });
      expect(await collection.findOne()).toEqual({ _id: 1, a: 1, b: 2 });
    });

    it('of many at once on a unique key inserts one and updates it by the others', async () => {
      const { collection } = bed();
      await collection.createIndex({ key: 1 }, { unique: true });
      const upsert = () => collection.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true });
      await Promise.all(Array.from({ length: 30 }, upsert));
      expect(await collection.find().toArray()).toMatchObject([{ key: 'k', n: 30 }]);
    });
  });

  describe('delete', () => {
    it('removes one or many', async () => {
      const { collection } = bed();
      await collection.insertMany([{ a: 1 }, { a: 1 }, { a: 1 }, { a: 2 }]);
      expect(await collection.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 });
      expect(await collection.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 });
      expect(await collection.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 0 });
      expect(await collection.countDocuments()).toBe(1);
    });
  });
}
