import { Long, ObjectId } from 'mongodb';
import type { TestDoc } from '../describe-mongo-conformance.ts';

/** Filters, the documents they are put to, and the _ids that match. */
export const QUERY_CASES: readonly (readonly [string, readonly TestDoc[], TestDoc, readonly unknown[]])[] = [
  [
    'equality takes numbers of all types alike',
    [
      { _id: 1, v: 5 },
      { _id: 2, v: Long.fromNumber(5) },
      { _id: 3, v: '5' },
    ],
    { v: 5 },
    [1, 2],
  ],
  [
    'equality with null matches missing fields too',
    [{ _id: 1, v: null }, { _id: 2 }, { _id: 3, v: 0 }],
    { v: null },
    [1, 2],
  ],
  [
    'equality finds elements of arrays',
    [
      { _id: 1, v: [1, 2] },
      { _id: 2, v: 2 },
      { _id: 3, v: [[2]] },
    ],
    { v: 2 },
    [1, 2],
  ],
  [
    'equality with an array wants it whole, or as an element',
    [
      { _id: 1, v: [1, 2] },
      { _id: 2, v: [[1, 2]] },
      { _id: 3, v: [2, 1] },
    ],
    { v: [1, 2] },
    [1, 2],
  ],
  [
    'equality with a document minds the order of fields',
    [
      { _id: 1, v: { a: 1, b: 2 } },
      { _id: 2, v: { b: 2, a: 1 } },
    ],
    { v: { a: 1, b: 2 } },
    [1],
  ],
  [
    'dotted paths reach into documents in arrays',
    [
      { _id: 1, v: [{ a: 1 }, { a: 2 }] },
      { _id: 2, v: { a: 2 } },
      { _id: 3, v: [[{ a: 2 }]] },
    ],
    { 'v.a': 2 },
    [1, 2],
  ],
  [
    'dotted paths take positions',
    [
      { _id: 1, v: [5, 6] },
      { _id: 2, v: { 1: 6 } },
    ],
    { 'v.1': 6 },
    [1, 2],
  ],
  [
    'null at a dotted path matches where the parent is missing',
    [{ _id: 1 }, { _id: 2, v: {} }, { _id: 3, v: { a: 1 } }, { _id: 4, v: 7 }],
    { 'v.a': null },
    [1, 2, 4],
  ],
  [
    '$gt compares within one type only',
    [{ _id: 1, v: 6 }, { _id: 2, v: '6' }, { _id: 3, v: new Date(6) }, { _id: 4 }],
    { v: { $gt: 5 } },
    [1],
  ],
  [
    '$lt does not match null or missing',
    [{ _id: 1, v: null }, { _id: 2 }, { _id: 3, v: -1 }],
    { v: { $lt: 5 } },
    [3],
  ],
  [
    '$gte null matches null and missing',
    [{ _id: 1, v: null }, { _id: 2 }, { _id: 3, v: 1 }],
    { v: { $gte: null } },
    [1, 2],
  ],
  [
    'ranges on an array are fulfilled by different elements',
    [
      { _id: 1, v: [1, 9] },
      { _id: 2, v: [4] },
      { _id: 3, v: [1] },
    ],
    { v: { $gt: 3, $lt: 5 } },
    [1, 2],
  ],
  [
    'NaN is in no order with numbers',
    [
      { _id: 1, v: Number.NaN },
      { _id: 2, v: 1 },
    ],
    { v: { $lt: 5 } },
    [2],
  ],
  [
    'NaN equals NaN',
    [
      { _id: 1, v: Number.NaN },
      { _id: 2, v: 1 },
    ],
    { v: Number.NaN },
    [1],
  ],
  [
    'strings compare by code point',
    [
      { _id: 1, v: '😀' },
      { _id: 2, v: '\uffee' },
    ],
    { v: { $gt: '\uffee' } },
    [1],
  ],
  [
    'dates compare by time',
    [
      { _id: 1, v: new Date(-5) },
      { _id: 2, v: new Date(5) },
    ],
    { v: { $lt: new Date(0) } },
    [1],
  ],
  [
    '$ne leaves out arrays that hold the value',
    [{ _id: 1, v: [1, 2] }, { _id: 2, v: 3 }, { _id: 3 }],
    { v: { $ne: 2 } },
    [2, 3],
  ],
  [
    '$in with null',
    [{ _id: 1, v: 'abc' }, { _id: 2 }, { _id: 3, v: 'x' }],
    { v: { $in: [null, 'abc'] } },
    [1, 2],
  ],
  ['$nin', [{ _id: 1, v: 1 }, { _id: 2, v: [1, 2] }, { _id: 3 }], { v: { $nin: [1] } }, [3]],
  ['$exists true takes null for there', [{ _id: 1, v: null }, { _id: 2 }], { v: { $exists: true } }, [1]],
  [
    '$exists of an index takes an array for what it is',
    [
      { _id: 1, v: [{ a: 1 }] },
      { _id: 2, v: [] },
      { _id: 3, v: [{ a: 1 }, { a: 2 }] },
    ],
    { 'v.1': { $exists: false } },
    [1, 2],
  ],
  [
    '$exists false behind an array',
    [
      { _id: 1, v: [{ a: 1 }, {}] },
      { _id: 2, v: [{}] },
    ],
    { 'v.a': { $exists: false } },
    [2],
  ],
  ['$exists false', [{ _id: 1, v: null }, { _id: 2 }], { v: { $exists: false } }, [2]],
  [
    '$size',
    [
      { _id: 1, v: [1, 2] },
      { _id: 2, v: [1] },
      { _id: 3, v: 'ab' },
    ],
    { v: { $size: 2 } },
    [1],
  ],
  [
    'a pattern',
    [
      { _id: 1, v: 'abcd' },
      { _id: 2, v: ['abc'] },
      { _id: 3, v: 'xabc' },
    ],
    { v: { $regex: '^abc' } },
    [1, 2],
  ],
  ['$or', [{ _id: 1, v: 1 }, { _id: 2, w: 2 }, { _id: 3 }], { $or: [{ v: 1 }, { w: 2 }] }, [1, 2]],
  [
    '$and',
    [
      { _id: 1, v: 1, w: 2 },
      { _id: 2, v: 1 },
    ],
    { $and: [{ v: 1 }, { w: 2 }] },
    [1],
  ],
  [
    'ObjectIds',
    [
      { _id: 1, v: new ObjectId('6f00000000000000000000aa') },
      { _id: 2, v: '6f00000000000000000000aa' },
    ],
    { v: new ObjectId('6f00000000000000000000aa') },
    [1],
  ],
  [
    'booleans are not numbers',
    [
      { _id: 1, v: true },
      { _id: 2, v: 1 },
    ],
    { v: true },
    [1],
  ],
  [
    'a field named like a method',
    [{ _id: 1, constructor: 1 }, { _id: 2 }],
    { constructor: { $exists: true } },
    [1],
  ],
];
