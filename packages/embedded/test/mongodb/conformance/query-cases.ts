import { Binary, Decimal128, Long, MaxKey, MinKey, ObjectId } from 'mongodb';
import type { TestDoc } from '../describe-mongo-conformance.ts';

/** Filters, the documents they are put to, and the _ids that match. */
export const QUERY_CASES: readonly (readonly [string, readonly TestDoc[], TestDoc, readonly unknown[]])[] = [
  [
    'equality takes numbers of all types alike',
    [
      { _id: 1, v: 5 },
      { _id: 2, v: Long.fromNumber(5) },
      { _id: 3, v: Decimal128.fromString('5.0') },
      { _id: 4, v: '5' },
    ],
    { v: 5 },
    [1, 2, 3],
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
    'MinKey and MaxKey bound every type',
    [
      { _id: 1, v: 'a' },
      { _id: 2, v: 5 },
    ],
    { v: { $gt: new MinKey(), $lt: new MaxKey() } },
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
    '$in with null and patterns',
    [{ _id: 1, v: 'abc' }, { _id: 2 }, { _id: 3, v: 'x' }],
    { v: { $in: [null, /^a/] } },
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
    '$type by alias and number, through arrays',
    [
      { _id: 1, v: 'a' },
      { _id: 2, v: [1] },
      { _id: 3, v: 1.5 },
    ],
    { v: { $type: ['string', 16] } },
    [1, 2],
  ],
  [
    '$type number',
    [
      { _id: 1, v: 1 },
      { _id: 2, v: Long.fromNumber(1) },
      { _id: 3, v: '1' },
    ],
    { v: { $type: 'number' } },
    [1, 2],
  ],
  [
    '$type array',
    [
      { _id: 1, v: [] },
      { _id: 2, v: 1 },
    ],
    { v: { $type: 'array' } },
    [1],
  ],
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
    '$all',
    [
      { _id: 1, v: [1, 2, 3] },
      { _id: 2, v: [1] },
      { _id: 3, v: 1 },
    ],
    { v: { $all: [1, 2] } },
    [1],
  ],
  [
    '$all with a single value takes scalars',
    [
      { _id: 1, v: [1] },
      { _id: 2, v: 1 },
    ],
    { v: { $all: [1] } },
    [1, 2],
  ],
  ['$all of nothing matches nothing', [{ _id: 1, v: [1] }], { v: { $all: [] } }, []],
  [
    '$elemMatch wants one element for all conditions',
    [
      { _id: 1, v: [1, 9] },
      { _id: 2, v: [4] },
    ],
    { v: { $elemMatch: { $gt: 3, $lt: 5 } } },
    [2],
  ],
  [
    '$elemMatch on documents',
    [
      { _id: 1, v: [{ a: 1, b: 2 }] },
      { _id: 2, v: [{ a: 1 }, { b: 2 }] },
    ],
    { v: { $elemMatch: { a: 1, b: 2 } } },
    [1],
  ],
  [
    '$regex with options',
    [
      { _id: 1, v: 'ABC' },
      { _id: 2, v: 'x' },
    ],
    { v: { $regex: 'b c', $options: 'ix' } },
    [1],
  ],
  [
    'a pattern as a value',
    [
      { _id: 1, v: 'line\nabc' },
      { _id: 2, v: ['abc'] },
      { _id: 3, v: 'xabc' },
    ],
    { v: /^abc/m },
    [1, 2],
  ],
  [
    '$not takes in what lacks the field',
    [{ _id: 1, v: 1 }, { _id: 2, v: 9 }, { _id: 3 }],
    { v: { $not: { $gt: 5 } } },
    [1, 3],
  ],
  [
    '$not with a pattern',
    [
      { _id: 1, v: 'a' },
      { _id: 2, v: 'b' },
    ],
    { v: { $not: /a/ } },
    [2],
  ],
  [
    '$mod',
    [
      { _id: 1, v: 10 },
      { _id: 2, v: 11 },
      { _id: 3, v: 'x' },
    ],
    { v: { $mod: [5, 0] } },
    [1],
  ],
  [
    '$bitsAllSet',
    [
      { _id: 1, v: 7 },
      { _id: 2, v: 4 },
    ],
    { v: { $bitsAllSet: [0, 1] } },
    [1],
  ],
  [
    '$bitsAnyClear by mask',
    [
      { _id: 1, v: 7 },
      { _id: 2, v: 4 },
    ],
    { v: { $bitsAnyClear: 3 } },
    [2],
  ],
  ['$or', [{ _id: 1, v: 1 }, { _id: 2, w: 2 }, { _id: 3 }], { $or: [{ v: 1 }, { w: 2 }] }, [1, 2]],
  ['$nor', [{ _id: 1, v: 1 }, { _id: 2, w: 2 }, { _id: 3 }], { $nor: [{ v: 1 }, { w: 2 }] }, [3]],
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
    '$expr compares fields',
    [
      { _id: 1, v: 3, w: 2 },
      { _id: 2, v: 1, w: 2 },
    ],
    { $expr: { $gt: ['$v', '$w'] } },
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
    'binary data by bytes and subtype',
    [
      { _id: 1, v: new Binary(Buffer.from('a')) },
      { _id: 2, v: new Binary(Buffer.from('a'), 5) },
    ],
    { v: new Binary(Buffer.from('a')) },
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
    '64-bit integers keep their last digit',
    [
      { _id: 1, v: Long.fromString('9007199254740993') },
      { _id: 2, v: 9007199254740992 },
    ],
    { v: { $gt: 9007199254740992 } },
    [1],
  ],
  [
    'a field named like a method',
    [{ _id: 1, constructor: 1 }, { _id: 2 }],
    { constructor: { $exists: true } },
    [1],
  ],
];
