import { describe, expect, it } from '@jest/globals';
import { Long } from 'mongodb';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';
import { QUERY_CASES } from './query-cases.ts';

const REFUSED: readonly (readonly [string, TestDoc, number])[] = [
  ['an unknown operator', { v: { $frobnicate: 1 } }, 2],
  ['an unknown top-level operator', { $frobnicate: 1 }, 2],
  ['$in without an array', { v: { $in: 1 } }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['$or of non-documents', { $or: [1] }, 2],
  ['$mod of one number', { v: { $mod: [1] } }, 2],
  ['$mod by zero', { v: { $mod: [0, 1] } }, 2],
  ['an unknown type', { v: { $type: 'nope' } }, 2],
  ['a broken pattern', { v: { $regex: '(' } }, 51091],
  ['an unknown expression', { $expr: { $frobnicate: 1 } }, 168],
];

/** Query predicates: https://www.mongodb.com/docs/manual/reference/mql/query-predicates/ */
export function describeQueries(bed: () => TestBed): void {
  describe('find by', () => {
    it.each(QUERY_CASES)('%s', async (_name, documents, filter, ids) => {
      const { collection } = bed();
      await collection.insertMany(documents as never);
      const found = await collection.find(filter).sort({ _id: 1 }).toArray();
      expect(found.map(({ _id }) => _id)).toEqual(ids);
    });

    it.each(QUERY_CASES)('%s: the same with an index', async (_name, documents, filter, ids) => {
      const { collection } = bed();
      await collection.createIndexes([{ key: { v: 1 } }, { key: { 'v.a': -1 } }, { key: { w: -1, v: -1 } }]);
      await collection.insertMany(documents as never);
      const found = await collection.find(filter).sort({ _id: 1 }).toArray();
      expect(found.map(({ _id }) => _id)).toEqual(ids);
    });

    it.each(REFUSED)('refuses %s', async (_name, filter, code) => {
      await expect(bed().collection.findOne(filter)).rejects.toMatchObject({ code });
    });

    it('takes variables from let', async () => {
      const { collection } = bed();
      await collection.insertMany([{ v: 1 }, { v: 2 }]);
      const filter = { $expr: { $eq: ['$v', '$$wanted'] } };
      expect(await collection.find(filter, { let: { wanted: 2 } }).toArray()).toMatchObject([{ v: 2 }]);
    });

    it('finds nothing in a collection that does not exist', async () => {
      expect(await bed().collection.find({ v: 1 }).toArray()).toEqual([]);
      expect(await bed().collection.countDocuments()).toBe(0);
    });

    it('counts with skip and limit', async () => {
      const { collection } = bed();
      await collection.insertMany(Array.from({ length: 10 }, (_, n) => ({ n })));
      expect(await collection.countDocuments({ n: { $gte: 4 } }, { skip: 1, limit: 3 })).toBe(3);
      expect(
        await bed().database.command({ count: collection.collectionName, query: { n: { $lt: 3 } } }),
      ).toMatchObject({ n: 3 });
    });

    it('gives distinct values once, elements of arrays each', async () => {
      const { collection } = bed();
      await collection.insertMany([{ v: [1, 2] }, { v: 2 }, { v: Long.fromNumber(1) }, { v: null }, {}]);
      expect(await collection.distinct('v')).toEqual([null, 1, 2]);
      expect(await collection.distinct('v', { v: 2 })).toEqual([1, 2]);
    });
  });
}
