import { describe, expect, it } from '@jest/globals';
import { Double, Long } from 'mongodb';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

const DOCUMENTS: readonly TestDoc[] = [
  { _id: 1, kind: 'a', n: 1, tags: ['x', 'y'], at: new Date('2024-03-05T06:07:08.009Z') },
  { _id: 2, kind: 'b', n: 2, tags: ['x'], at: new Date('2024-03-06T00:00:00Z') },
  { _id: 3, kind: 'a', n: 3, tags: [], at: new Date('2024-04-01T00:00:00Z') },
  { _id: 4, kind: 'b', n: 4, at: null },
];

/** A pipeline over the documents above, and its result. */
const PIPELINES: readonly (readonly [string, TestDoc[], unknown])[] = [
  ['$match and $project', [{ $match: { n: { $gt: 3 } } }, { $project: { n: 1 } }], [{ _id: 4, n: 4 }]],
  [
    '$sort and $limit',
    [{ $sort: { n: -1 } }, { $limit: 2 }, { $project: { _id: 1 } }],
    [{ _id: 4 }, { _id: 3 }],
  ],
  ['$limit behind another stage', [{ $project: { n: 1 } }, { $limit: 1 }], [{ _id: 1, n: 1 }]],
  [
    '$group with accumulators',
    [
      {
        $group: {
          _id: '$kind',
          sum: { $sum: '$n' },
          min: { $min: '$n' },
          max: { $max: '$n' },
          all: { $push: '$n' },
          ends: { $push: '$ends' },
          count: { $sum: 1 },
        },
      },
    ],
    [
      { _id: 'a', sum: 4, min: 1, max: 3, all: [1, 3], ends: [], count: 2 },
      { _id: 'b', sum: 6, min: 2, max: 4, all: [2, 4], ends: [], count: 2 },
    ],
  ],
  [
    '$group of everything, of what nothing is there',
    [{ $group: { _id: null, max: { $max: '$none' }, sum: { $sum: '$kind' } } }],
    [{ _id: null, max: null, sum: 0 }],
  ],
  [
    '$group by several fields, one of them computed',
    [
      { $group: { _id: { k: '$kind', many: { $gte: ['$n', 3] } }, c: { $sum: 1 } } },
      { $project: { _id: 0, kind: '$_id.k', many: '$_id.many', c: 1 } },
    ],
    [
      { kind: 'a', many: false, c: 1 },
      { kind: 'b', many: false, c: 1 },
      { kind: 'a', many: true, c: 1 },
      { kind: 'b', many: true, c: 1 },
    ],
  ],
];

/** An expression, put to the first of the documents. */
const EXPRESSIONS: readonly (readonly [string, unknown, unknown])[] = [
  ['$add', { $add: ['$n', 2] }, 3],
  ['$add of a missing field', { $add: ['$n', '$missing'] }, null],
  ['$subtract', { $subtract: ['$n', 2.5] }, -1.5],
  ['$cond', { $cond: [{ $gt: ['$n', 0] }, 'yes', 'no'] }, 'yes'],
  ['$cond takes an empty string for true', { $cond: ['', 'yes', 'no'] }, 'yes'],
  ['$ifNull', { $ifNull: ['$missing', 'none'] }, 'none'],
  ['$size', { $size: '$tags' }, 2],
  ['$filter', { $filter: { input: [1, 2, 3], cond: { $gte: ['$$this', 2] } } }, [2, 3]],
  [
    '$filter of documents',
    { $filter: { input: [{ a: 1 }, {}], cond: { $eq: ['$$this.a', '$n'] } } },
    [{ a: 1 }],
  ],
  ['$filter of a missing field', { $filter: { input: '$missing', cond: true } }, null],
  ['$map', { $map: { input: [1, 2], in: { $add: ['$$this', '$n'] } } }, [2, 3]],
  ['$map to what is missing', { $map: { input: [{ a: 1 }, {}], in: '$$this.a' } }, [1, null]],
  ['$map of a missing field', { $map: { input: '$missing', in: 1 } }, null],
  ['$in', { $in: ['x', '$tags'] }, true],
  ['$slice from the start', { $slice: ['$tags', 1] }, ['x']],
  ['$slice from the end', { $slice: ['$tags', -1] }, ['y']],
  ['$concatArrays', { $concatArrays: ['$tags', ['z']] }, ['x', 'y', 'z']],
  ['$concatArrays with null', { $concatArrays: ['$tags', '$missing'] }, null],
  ['$type of a missing field', { $type: '$missing' }, 'missing'],
  ['$type of an integer', { $type: '$n' }, 'int'],
  ['$eq across types', { $eq: ['$n', '1'] }, false],
  ['$and', { $and: ['$n', '$kind'] }, true],
  ['$not', { $not: ['$missing'] }, true],
  ['$sum of an array', { $sum: '$tags' }, 0],
  ['$sum of operands', { $sum: ['$n', 3, 'x'] }, 4],
  ['$min of an array', { $min: '$tags' }, 'x'],
  ['$max of values of all types', { $max: ['$n', '$kind', null, new Date(0)] }, new Date(0)],
  ['$literal', { $literal: '$n' }, '$n'],
  ['a document with what is missing left out', { a: '$n', b: '$missing' }, { a: 1 }],
];

/** Aggregation: https://www.mongodb.com/docs/manual/reference/mql/aggregation-stages/ */
export function describeAggregation(bed: () => TestBed): void {
  const fill = async () => {
    const { collection } = bed();
    await collection.insertMany(DOCUMENTS.map((document) => ({ ...document })) as never);
    return collection;
  };

  describe('aggregate', () => {
    it.each(PIPELINES)('%s', async (_name, pipeline, expected) => {
      const collection = await fill();
      expect(await collection.aggregate(pipeline).toArray()).toEqual(expected);
    });

    it.each(EXPRESSIONS)('evaluates %s', async (_name, expression, expected) => {
      const collection = await fill();
      const [found] = await collection
        .aggregate([{ $match: { _id: 1 } }, { $project: { v: expression } }])
        .toArray();
      expect(found?.v).toEqual(expected);
    });

    it('keeps types through stages, and sums 64-bit integers exactly', async () => {
      const { collection } = bed();
      const long = Long.fromString('9007199254740993');
      await collection.insertMany([
        { long, double: new Double(2) },
        { long: Long.ONE, double: new Double(3) },
      ]);
      const group = { _id: null, long: { $sum: '$long' }, double: { $max: '$double' } };
      const [found] = await collection.aggregate([{ $group: group }], { promoteValues: false }).toArray();
      expect(String(found?.long)).toBe('9007199254740994');
      expect(found?.double).toEqual(new Double(3));
    });

    it('pages its result through a cursor', async () => {
      const { collection } = bed();
      await collection.insertMany(Array.from({ length: 500 }, (_, n) => ({ n })));
      const found = await collection
        .aggregate([{ $match: { n: { $gte: 100 } } }], { batchSize: 30 })
        .toArray();
      expect(found).toHaveLength(400);
    });

    it.each([
      ['an unknown stage', [{ $frobnicate: 1 }], 40324],
      ['a stage of two fields', [{ $match: {}, $limit: 1 }], 40323],
      ['$limit 0', [{ $limit: 0 }], 15958],
      ['$group without _id', [{ $group: { a: { $sum: 1 } } }], 15955],
      ['an unknown accumulator', [{ $group: { _id: 1, a: { $frobnicate: 1 } } }], 15952],
      ['an unknown expression', [{ $project: { a: { $frobnicate: 1 } } }], 168],
      ['a comparison of three values', [{ $project: { a: { $eq: [1, 1, 1] } } }], 16020],
      ['an unknown variable', [{ $project: { a: '$$nope' } }], 17276],
      ['$size of a number', [{ $project: { a: { $size: '$n' } } }], 17124],
      ['$map of a number', [{ $project: { a: { $map: { input: '$n', in: 1 } } } }], 16883],
      ['$add of a string', [{ $project: { a: { $add: ['$kind', 1] } } }], 14],
    ])('refuses %s', async (_name, pipeline, code) => {
      const collection = await fill();
      await expect(collection.aggregate(pipeline).toArray()).rejects.toMatchObject({ code });
    });
  });
}
