import { describe, expect, it } from '@jest/globals';
import { Long } from 'mongodb';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

/** A unique index, its content, and the documents that it refuses or takes. */
const UNIQUE: readonly (readonly [string, TestDoc, TestDoc, TestDoc, TestDoc, boolean])[] = [
  ['equal values', { a: 1 }, {}, { a: 1 }, { a: 1 }, false],
  ['equal numbers of different types', { a: 1 }, {}, { a: Long.fromNumber(1) }, { a: 1 }, false],
  ['different values', { a: 1 }, {}, { a: 1 }, { a: '1' }, true],
  ['two missing values', { a: 1 }, {}, { b: 1 }, { b: 2 }, false],
  ['null and missing', { a: 1 }, {}, { a: null }, { b: 2 }, false],
  ['two missing values, sparse', { a: 1 }, { sparse: true }, { b: 1 }, { b: 2 }, true],
  ['two nulls, sparse', { a: 1 }, { sparse: true }, { a: null }, { a: null }, false],
  ['one of two fields different', { a: 1, b: 1 }, {}, { a: 1, b: 1 }, { a: 1, b: 2 }, true],
  ['both of two fields equal', { a: 1, b: -1 }, {}, { a: 1, b: 1 }, { a: 1, b: 1 }, false],
  ['arrays that share an element', { a: 1 }, {}, { a: [1, 2] }, { a: [2, 3] }, false],
  ['an array that repeats its own element', { a: 1 }, {}, { a: [1, 1] }, { a: [2, 2] }, true],
  ['elements below an array', { 'a.b': 1 }, {}, { a: [{ b: 1 }] }, { a: { b: 1 } }, false],
  [
    'values outside of a partial filter',
    { a: 1 },
    { partialFilterExpression: { on: true } },
    { a: 1 },
    { a: 1, on: true },
    true,
  ],
  [
    'values inside of a partial filter',
    { a: 1 },
    { partialFilterExpression: { on: true } },
    { a: 1, on: true },
    { a: 1, on: true },
    false,
  ],
  [
    'long values that differ at the end',
    { a: 1 },
    {},
    { a: `${'x'.repeat(5000)}1` },
    { a: `${'x'.repeat(5000)}2` },
    true,
  ],
  ['long values that are equal', { a: 1 }, {}, { a: 'x'.repeat(5000) }, { a: 'x'.repeat(5000) }, false],
];

/** Indexes: https://www.mongodb.com/docs/manual/indexes/ */
export function describeIndexes(bed: () => TestBed): void {
  describe('a unique index', () => {
    it.each(UNIQUE)('on %s', async (_name, key, options, first, second, isTaken) => {
      const { collection } = bed();
      await collection.createIndex(key as never, { unique: true, ...options });
      await collection.insertOne({ ...first });
      const attempt = collection.insertOne({ ...second }).then(
        () => true,
        ({ code }: { code: number }) => code,
      );
      expect(await attempt).toBe(isTaken || 11000);
    });

    it('says which key of which index is there already', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1, 'b.c': -1 }, { unique: true });
      await collection.insertOne({ a: 'x', b: { c: 5 } });
      const attempt = collection.insertOne({ a: 'x', b: { c: 5 } });
      await expect(attempt).rejects.toMatchObject({
        code: 11000,
        keyPattern: { a: 1, 'b.c': -1 },
        keyValue: { a: 'x', 'b.c': 5 },
        message: expect.stringMatching(
          /^E11000 duplicate key error collection: .* index: a_1_b\.c_-1 dup key: \{ a: "x", b\.c: 5 \}/,
        ),
      });
    });

    it('holds for updates, and lets a document keep its own key', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1 }, { unique: true });
      await collection.insertMany([{ a: 1 }, { a: 2 }]);
      await expect(collection.updateOne({ a: 2 }, { $set: { a: 1 } })).rejects.toMatchObject({ code: 11000 });
      await collection.updateOne({ a: 2 }, { $set: { a: 2, b: 1 } });
      await collection.deleteOne({ a: 1 });
      await collection.updateOne({ a: 2 }, { $set: { a: 1 } });
      expect(await collection.findOne({ a: 1 })).toMatchObject({ b: 1 });
    });

    it('cannot be built over documents that contradict it', async () => {
      const { collection } = bed();
      await collection.insertMany([{ a: 1 }, { a: 1 }]);
      await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
      expect(await collection.indexes()).toHaveLength(1);
    });

    it('lets exactly one of many racing connections win', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1 }, { unique: true });
      const attempts = await Promise.allSettled(
        Array.from({ length: 40 }, () => collection.insertOne({ a: 1 })),
      );
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await collection.countDocuments()).toBe(1);
    });
  });

  describe('indexes', () => {
    it('are listed as they were made', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1, b: -1 }, { unique: true, name: 'own' });
      await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
      await collection.createIndex({ c: 1 }, { partialFilterExpression: { c: { $exists: true }, d: 1 } });
      await collection.createIndex({ d: 1 }, { sparse: true });
      expect(await collection.indexes()).toEqual([
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { a: 1, b: -1 }, name: 'own', unique: true },
        { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 },
        { v: 2, key: { c: 1 }, name: 'c_1', partialFilterExpression: { c: { $exists: true }, d: 1 } },
        { v: 2, key: { d: 1 }, name: 'd_1', sparse: true },
      ]);
    });

    it('can be made again as they are, and not otherwise', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1 });
      await collection.createIndex({ a: 1 });
      expect(await collection.indexes()).toHaveLength(2);
      await expect(collection.createIndex({ a: 1 }, { name: 'b' })).rejects.toMatchObject({ code: 85 });
      await expect(collection.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 });
      await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 86 });
    });

    it('are dropped by name, but not the one on _id', async () => {
      const { collection } = bed();
      await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
      await collection.dropIndex('a_1');
      expect(await collection.indexes()).toHaveLength(3);
      await expect(collection.dropIndex('_id_')).rejects.toMatchObject({ code: 72 });
      await expect(collection.dropIndex('nope')).rejects.toMatchObject({ code: 27 });
    });

    it('of two arrays in one document are refused', async () => {
      const { collection } = bed();
      await collection.createIndex({ a: 1, b: 1 });
      await expect(collection.insertOne({ a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
      await collection.insertOne({ a: [1], b: 2 });
    });

    it.each([
      ['no fields', {}, {}, 67],
      ['direction 0', { a: 0 }, {}, 67],
      ['an unknown kind', { a: 'frob' }, {}, 67],
      ['an empty path component', { 'a..b': 1 }, {}, 67],
      ['a compound TTL', { a: 1, b: 1 }, { expireAfterSeconds: 1 }, 67],
      ['a negative TTL', { a: 1 }, { expireAfterSeconds: -1 }, 67],
      ['sparse and partial at once', { a: 1 }, { sparse: true, partialFilterExpression: { a: 1 } }, 67],
      ...(
        [
          ['$ne', { a: { $ne: 1 } }, 67],
          ['$nin', { a: { $nin: [1] } }, 67],
          ['$exists: false', { $or: [{ a: 1 }, { b: { $exists: false } }] }, 67],
          ['a regular expression', { a: { $regex: '^x' } }, 67],
        ] as const
      ).map(
        ([what, partialFilterExpression, code]) =>
          [`a partial filter of ${what}`, { a: 1 }, { partialFilterExpression }, code] as const,
      ),
      ['an option that does not exist', { a: 1 }, { frobnicate: true }, 197],
    ])('with %s are refused', async (_name, key, options, code) => {
      const { collection, database } = bed();
      const createIndexes = {
        createIndexes: collection.collectionName,
        indexes: [{ key, name: 'x', ...options }],
      };
      await expect(database.command(createIndexes)).rejects.toMatchObject({ code });
    });
  });
}
