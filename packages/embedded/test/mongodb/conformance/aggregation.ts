import { describe, expect, it } from '@jest/globals';
import { Decimal128, Double, Long } from 'mongodb';
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
    '$sort, $skip and $limit',
    [{ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
    [{ _id: 3 }, { _id: 2 }],
  ],
  ['$count', [{ $match: { kind: 'a' } }, { $count: 'total' }], [{ total: 2 }]],
  ['$count of nothing', [{ $match: { kind: 'z' } }, { $count: 'total' }], []],
  [
    '$group with accumulators',
    [
      {
        $group: {
          _id: '$kind',
          sum: { $sum: '$n' },
          avg: { $avg: '$n' },
          min: { $min: '$n' },
          max: { $max: '$n' },
          first: { $first: '$_id' },
          last: { $last: '$_id' },
          all: { $push: '$n' },
          count: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'a', sum: 4, avg: 2, min: 1, max: 3, first: 1, last: 3, all: [1, 3], count: 2 },
      { _id: 'b', sum: 6, avg: 3, min: 2, max: 4, first: 2, last: 4, all: [2, 4], count: 2 },
    ],
  ],
  [
    '$group of everything',
    [
      { $group: { _id: null, kinds: { $addToSet: '$kind' } } },
      { $project: { kinds: { $sortArray: { input: '$kinds', sortBy: 1 } } } },
    ],
    [{ _id: null, kinds: ['a', 'b'] }],
  ],
  [
    '$group by several fields',
    [
      { $group: { _id: { k: '$kind', odd: { $mod: ['$n', 2] } }, c: { $sum: 1 } } },
      { $sort: { '_id.k': 1 } },
    ],
    [
      { _id: { k: 'a', odd: 1 }, c: 2 },
      { _id: { k: 'b', odd: 0 }, c: 2 },
    ],
  ],
  [
    '$unwind',
    [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
    [
      { _id: 1, tags: 'x' },
      { _id: 1, tags: 'y' },
      { _id: 2, tags: 'x' },
    ],
  ],
  [
    '$unwind that keeps what is empty',
    [
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
      { $project: { tags: 1, i: 1 } },
    ],
    [
      { _id: 1, tags: 'x', i: 0 },
      { _id: 1, tags: 'y', i: 1 },
      { _id: 2, tags: 'x', i: 0 },
      { _id: 3, i: null },
      { _id: 4, i: null },
    ],
  ],
  [
    '$addFields and $unset',
    [
      { $match: { _id: 1 } },
      { $addFields: { 'd.e': { $add: ['$n', 1] } } },
      { $unset: ['tags', 'at', 'kind'] },
    ],
    [{ _id: 1, n: 1, d: { e: 2 } }],
  ],
  ['$replaceRoot', [{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { v: '$n' } } }], [{ v: 1 }]],
  [
    '$sortByCount',
    [{ $unwind: '$tags' }, { $sortByCount: '$tags' }],
    [
      { _id: 'x', count: 2 },
      { _id: 'y', count: 1 },
    ],
  ],
  [
    '$facet',
    [
      {
        $facet: {
          a: [{ $match: { kind: 'a' } }, { $count: 'n' }],
          b: [{ $limit: 1 }, { $project: { _id: 1 } }],
        },
      },
    ],
    [{ a: [{ n: 2 }], b: [{ _id: 1 }] }],
  ],
  [
    '$bucket',
    [{ $bucket: { groupBy: '$n', boundaries: [0, 2, 4], default: 'more' } }],
    [
      { _id: 0, count: 1 },
      { _id: 2, count: 2 },
      { _id: 'more', count: 1 },
    ],
  ],
  [
    '$unionWith',
    [
      { $match: { _id: 1 } },
      { $project: { _id: 1 } },
      { $unionWith: { coll: 'SELF', pipeline: [{ $match: { _id: 2 } }, { $project: { _id: 1 } }] } },
    ],
    [{ _id: 1 }, { _id: 2 }],
  ],
];

/** An expression, put to the first of the documents. */
const EXPRESSIONS: readonly (readonly [string, unknown, unknown])[] = [
  ['$add', { $add: ['$n', 2] }, 3],
  ['$subtract of dates', { $subtract: ['$at', new Date('2024-03-05T06:07:08.000Z')] }, 9],
  ['$multiply', { $multiply: [2, 3, '$n'] }, 6],
  ['$divide', { $divide: [1, 4] }, 0.25],
  ['$concat', { $concat: ['$kind', '-', 'z'] }, 'a-z'],
  ['$cond', { $cond: [{ $gt: ['$n', 0] }, 'yes', 'no'] }, 'yes'],
  ['$cond takes an empty string for true', { $cond: ['', 'yes', 'no'] }, 'yes'],
  ['$ifNull', { $ifNull: ['$missing', 'none'] }, 'none'],
  [
    '$switch',
    // biome-ignore lint/suspicious/noThenProperty: the operator's own field name
    { $switch: { branches: [{ case: { $eq: ['$n', 1] }, then: 'one' }], default: 'other' } },
    'one',
  ],
  ['$size', { $size: '$tags' }, 2],
  ['$map', { $map: { input: '$tags', as: 't', in: { $concat: ['$$t', '!'] } } }, ['x!', 'y!']],
  ['$filter', { $filter: { input: [1, 2, 3], as: 'v', cond: { $gte: ['$$v', 2] } } }, [2, 3]],
  ['$reduce', { $reduce: { input: [1, 2, 3], initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
  ['$arrayElemAt', { $arrayElemAt: ['$tags', -1] }, 'y'],
  ['$in', { $in: ['x', '$tags'] }, true],
  ['$setUnion', { $size: { $setUnion: ['$tags', ['z']] } }, 3],
  ['$mergeObjects', { $mergeObjects: [{ a: 1 }, { b: '$n' }] }, { a: 1, b: 1 }],
  ['$objectToArray', { $objectToArray: { a: 1 } }, [{ k: 'a', v: 1 }]],
  ['$arrayToObject', { $arrayToObject: [[['a', 1]]] }, { a: 1 }],
  [
    '$dateToString',
    { $dateToString: { date: '$at', format: '%Y-%m-%d %H:%M:%S.%L' } },
    '2024-03-05 06:07:08.009',
  ],
  ['$year', { $year: '$at' }, 2024],
  ['$dateTrunc', { $dateTrunc: { date: '$at', unit: 'hour' } }, new Date('2024-03-05T06:00:00Z')],
  ['$type of a missing field', { $type: '$missing' }, 'missing'],
  ['$type of an integer', { $type: '$n' }, 'int'],
  ['$eq across types', { $eq: ['$n', '1'] }, false],
  ['$cmp', { $cmp: ['$n', 5] }, -1],
  ['$and', { $and: ['$n', '$kind'] }, true],
  ['$toString', { $toString: '$n' }, '1'],
  ['$sum of an array', { $sum: '$tags' }, 0],
  ['$max of values of all types', { $max: ['$n', '$kind', null, new Date(0)] }, new Date(0)],
  ['$avg of operands', { $avg: ['$n', 3, 'x'] }, 2],
  ['$literal', { $literal: '$n' }, '$n'],
  ['$let', { $let: { vars: { a: 2 }, in: { $multiply: ['$$a', '$n'] } } }, 2],
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
      const own = JSON.parse(JSON.stringify(pipeline).replaceAll('"SELF"', `"${collection.collectionName}"`));
      expect(await collection.aggregate(own).toArray()).toEqual(expected);
    });

    it.each(EXPRESSIONS)('evaluates %s', async (_name, expression, expected) => {
      const collection = await fill();
      const [found] = await collection
        .aggregate([{ $match: { _id: 1 } }, { $project: { v: expression } }])
        .toArray();
      expect(found?.v).toEqual(expected);
    });

    it('keeps types through stages, and sums 64-bit integers and decimals exactly', async () => {
      const { collection } = bed();
      const long = Long.fromString('9007199254740993');
      await collection.insertMany([
        { long, decimal: Decimal128.fromString('0.1'), double: new Double(2) },
        { long: Long.ONE, decimal: Decimal128.fromString('0.2'), double: new Double(3) },
      ]);
      const group = {
        _id: null,
        long: { $sum: '$long' },
        decimal: { $sum: '$decimal' },
        double: { $max: '$double' },
      };
      const [found] = await collection.aggregate([{ $group: group }], { promoteValues: false }).toArray();
      expect(String(found?.long)).toBe('9007199254740994');
      expect(String(found?.decimal)).toBe('0.3');
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

    it('samples', async () => {
      const collection = await fill();
      expect(await collection.aggregate([{ $sample: { size: 2 } }]).toArray()).toHaveLength(2);
    });

    it('takes $documents on a database', async () => {
      const found = await bed()
        .database.aggregate([{ $documents: [{ a: 1 }, { a: 2 }] }, { $match: { a: 2 } }])
        .toArray();
      expect(found).toEqual([{ a: 2 }]);
    });

    it.each([
      ['an unknown stage', [{ $frobnicate: 1 }], 40324],
      ['a stage of two fields', [{ $match: {}, $limit: 1 }], 40323],
      ['$limit 0', [{ $limit: 0 }], 15958],
      ['$group without _id', [{ $group: { a: { $sum: 1 } } }], 15955],
      ['an unknown accumulator', [{ $group: { _id: 1, a: { $frobnicate: 1 } } }], 15952],
      ['an unknown expression', [{ $project: { a: { $frobnicate: 1 } } }], 168],
      ['$unwind of a path without $', [{ $unwind: 'tags' }], 28818],
      ['$count of an empty name', [{ $count: '' }], 40156],
    ])('refuses %s', async (_name, pipeline, code) => {
      const collection = await fill();
      const thrown = await collection
        .aggregate(pipeline)
        .toArray()
        .catch((error) => error);
      expect([code, 31325]).toContain(thrown.code);
    });
  });
}
