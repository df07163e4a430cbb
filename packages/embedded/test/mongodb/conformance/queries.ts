import { describe, expect, it } from '@jest/globals';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';
import { QUERY_CASES } from './query-cases.ts';

const REFUSED: readonly (readonly [string, TestDoc, number])[] = [
  ['an unknown operator', { v: { $frobnicate: 1 } }, 2],
  ['an unknown top-level operator', { $frobnicate: 1 }, 2],
  ['$size of a fraction', { v: { $size: 1.5 } }, 9],
  ['$in without an array', { v: { $in: 1 } }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['$or of non-documents', { $or: [1] }, 2],
  ['a broken pattern', { v: { $regex: '(' } }, 51091],
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

    it('finds nothing in a collection that does not exist', async () => {
      expect(await bed().collection.find({ v: 1 }).toArray()).toEqual([]);
      expect(await bed().collection.countDocuments()).toBe(0);
    });
  });
}
