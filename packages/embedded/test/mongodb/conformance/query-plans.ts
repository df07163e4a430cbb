import { describe, expect, it } from '@jest/globals';
import { Double, Long } from 'mongodb';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

interface Expected {
  readonly index?: string;
  readonly isSorted?: boolean;
  readonly most?: number;
}

/** A filter and sort, and the index that has to serve it (none: a collection scan). */
const PLANS: readonly (readonly [string, TestDoc, TestDoc, Expected])[] = [
  ['_id', { _id: 5 }, {}, { most: 1 }],
  ['no index for the field', { other: 1 }, {}, { index: 'COLLSCAN' }],
  ['equality', { state: 's1' }, {}, { index: 'state_1_n_-1', most: 20 }],
  ['equality and range', { state: 's1', n: { $gt: 90 } }, {}, { index: 'state_1_n_-1', most: 3 }],
  ['both ends of a range', { n: { $gte: 10, $lt: 13 } }, {}, { index: 'n_1', most: 3 }],
  ['$in', { n: { $in: [1, 5, 500] } }, {}, { index: 'n_1', most: 3 }],
  [
    'equality, sorted by the next field',
    { state: 's1' },
    { n: -1 },
    { index: 'state_1_n_-1', isSorted: true },
  ],
  [
    'equality, sorted backwards by the next field',
    { state: 's1' },
    { n: 1 },
    { index: 'state_1_n_-1', isSorted: true },
  ],
  ['several ids rather than a state', { _id: { $in: [1, 2, 6] }, state: 's1' }, {}, { most: 3 }],
  ['a sort alone', {}, { n: -1 }, { index: 'n_1', isSorted: true }],
  [
    '$in, sorted by the index',
    { state: { $in: ['s3', 's1'] } },
    { state: 1, n: -1 },
    { index: 'state_1_n_-1', isSorted: true },
  ],
  // MongoDB merges the sorted ranges of the index (SORT_MERGE); a SORT over the index is right as well.
  ['$in, sorted by the second field', { state: { $in: ['s3', 's1'] } }, { n: -1 }, { index: 'state_1_n_-1' }],
  ['a sort that no index gives', { state: 's1' }, { other: 1 }, { index: 'state_1_n_-1', isSorted: false }],
  ['a dotted path', { 'in.deep': 3 }, {}, { index: 'in.deep_1', most: 1 }],
  ['an array', { tags: 't7' }, {}, { index: 'tags_1', most: 2 }],
  ['a partial index whose filter is implied', { p: 3, on: true }, {}, { index: 'p_1', most: 1 }],
  ['a partial index whose filter is not implied', { p: 3 }, {}, { index: 'COLLSCAN' }],
  ['a sparse index for a value', { sp: 4 }, {}, { index: 'sp_1', most: 1 }],
  ['a sparse index not for null', { sp: null }, {}, { index: 'COLLSCAN' }],
  ['null and missing', { state: null }, {}, { index: 'state_1_n_-1', most: 0 }],
  ['a prefix of strings', { text: { $regex: '^text1' } }, {}, { index: 'text_1', most: 12 }],
];

const LONG = 'long '.repeat(500);
const NOON = new Date('2026-01-01T12:00:00Z');

/** Filters for counting; the keys of an index answer some of them without a look at a document. */
const COUNTS: readonly (readonly [string, TestDoc])[] = [
  ['a string', { text: 'b' }],
  ['several strings, one of them twice', { text: { $in: ['b', 'c', 'b'] } }],
  ['none of no strings', { text: { $in: [] } }],
  ['a range of strings', { text: { $gt: 'a', $lte: 'c' } }],
  ['contradictions', { $and: [{ text: 'a' }, { text: 'b' }] }],
  ['a number, whatever its type', { n: 1 }],
  ['a day', { at: { $gte: NOON } }],
  ['two fields', { text: { $in: ['a', 'b'] }, at: { $lt: NOON } }],
  ['a range of numbers, which a NaN is not in', { n: { $lt: 100 } }],
  ['null and missing', { n: null }],
  ['an array', { tags: 'x' }],
  ['an array in two ways', { tags: { $gte: 'x' } }],
  ['a string that is cut in the key', { text: LONG }],
  ['what is not a string', { text: { $ne: 'a' } }],
  ['one or the other', { $or: [{ text: 'a' }, { n: 1 }] }],
  ['more than the index knows', { text: 'a', other: 1 }],
];

/** Query plans: https://www.mongodb.com/docs/manual/reference/explain-results/ */
export function describeQueryPlans(bed: () => TestBed): void {
  const fill = async () => {
    const { collection } = bed();
    await collection.createIndexes([
      { key: { state: 1, n: -1 } },
      { key: { n: 1 } },
      { key: { 'in.deep': 1 } },
      { key: { tags: 1 } },
      { key: { text: 1 } },
      { key: { p: 1 }, partialFilterExpression: { on: true } },
      { key: { sp: 1 }, sparse: true },
    ]);
    const documents = Array.from({ length: 100 }, (_, n) => ({
      _id: n,
      n,
      state: `s${n % 5}`,
      in: { deep: n },
      tags: [`t${n}`, `t${n + 1}`],
      text: `text${n}`,
      ...(n % 2 === 1 && { p: n, on: true }),
      ...(n % 4 === 0 && { sp: n }),
    }));
    await collection.insertMany(documents as never);
    return collection;
  };

  describe('the plan for', () => {
    it.each(PLANS)('%s', async (_name, filter, sort, expected) => {
      const collection = await fill();
      const explained = await collection
        .find(filter)
        .sort(sort as never)
        .explain('executionStats');
      const text = JSON.stringify(explained.queryPlanner.winningPlan);
      if (expected.index === 'COLLSCAN') expect(text).toContain('"COLLSCAN"');
      else expect(text).not.toContain('COLLSCAN');
      if (expected.index !== undefined && expected.index !== 'COLLSCAN')
        expect(text).toContain(`"indexName":"${expected.index}"`);
      if (expected.isSorted !== undefined) expect(text.includes('"SORT"')).toBe(!expected.isSorted);
      const { totalDocsExamined } = explained.executionStats;
      expect(totalDocsExamined).toBeLessThanOrEqual(expected.most ?? 100);
    });

    it.each(PLANS)('%s gives the documents in the order of the sort', async (_name, filter, sort) => {
      const collection = await fill();
      const byPlan = await collection
        .find(filter)
        .sort({ ...sort, _id: 1 })
        .toArray();
      const bare = bed().database.collection<TestDoc>(`${collection.collectionName}-bare`);
      await bare.insertMany(await collection.find().toArray());
      const byScan = await bare
        .find(filter)
        .sort({ ...sort, _id: 1 })
        .toArray();
      expect(byPlan).toEqual(byScan);
      const sorted = await collection
        .find(filter)
        .sort(sort as never)
        .toArray();
      expect(sorted.map((document) => Object.keys(sort).map((path) => document[path]))).toEqual(
        byScan.map((document) => Object.keys(sort).map((path) => document[path])),
      );
    });
  });

  describe('a count of', () => {
    const fillToCount = async () => {
      const { collection } = bed();
      await collection.createIndexes([
        { key: { text: 1, at: 1 } },
        { key: { n: -1 } },
        { key: { at: 1 } },
        { key: { tags: 1 } },
      ]);
      const later = new Date(NOON.getTime() + 1);
      await collection.insertMany([
        { text: 'a', n: 1, at: NOON, tags: ['x', 'y'], other: 1 },
        { text: 'b', n: new Double(1), at: later, tags: 'x' },
        { text: 'b', n: Long.fromNumber(1), at: 0 },
        { text: 'c', n: Number.NaN },
        { text: LONG, n: null },
        { text: `${LONG}.`, at: new Date(0) },
        { n: '1', text: 'a', at: new Date(0), other: 2 },
        { tags: [] },
      ] as never);
      return collection;
    };

    it.each(COUNTS)('%s', async (_name, filter) => {
      const collection = await fillToCount();
      const { length } = await collection.find(filter).toArray();
      const bare = bed().database.collection<TestDoc>(`${collection.collectionName}-bare`);
      await bare.insertMany(await collection.find().toArray());
      expect(await bare.find(filter).toArray()).toHaveLength(length);
      expect(await collection.countDocuments(filter)).toBe(length);
      expect(await collection.countDocuments(filter, { limit: 1 })).toBe(Math.min(length, 1));
    });

    it('groups is told from a count', async () => {
      const collection = await fillToCount();
      const groups = await collection
        .aggregate([{ $match: { text: { $in: ['a', 'b'] } } }, { $group: { _id: '$text', n: { $sum: 1 } } }])
        .toArray();
      expect(groups).toEqual([
        { _id: 'a', n: 2 },
        { _id: 'b', n: 2 },
      ]);
      const [sum] = await collection
        .aggregate([{ $match: { text: 'a' } }, { $group: { _id: null, n: { $sum: '$other' } } }])
        .toArray();
      expect(sum).toEqual({ _id: null, n: 3 });
    });
  });
}
